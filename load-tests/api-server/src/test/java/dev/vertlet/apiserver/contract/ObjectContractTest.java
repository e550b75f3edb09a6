package dev.vertlet.apiserver.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.Json;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(EndpointExtension.class)
public class ObjectContractTest {
  private static final String MODIFIED =
      "the object has been modified; please apply your changes to the latest version and try again";

  @Test
  void createStampsWhatTheSystemOwns(Api api) {
    String ns = api.namespace();

    var pod =
        api.post(
                Api.pods(ns),
                "{'metadata':{'generateName':'g-','uid':'mine','generation':7},"
                    + "'spec':{'containers':[{'name':'c','image':'i:1','resources':{'limits':{'cpu':'1'}}}]},"
                    + "'status':{'phase':'Running'}}")
            .is(201);

    assertThat(pod.text("/metadata/name")).matches("g-[a-z0-9]{5}");
    assertThat(pod.text("/metadata/uid")).hasSize(36);
    assertThat(pod.text("/metadata/generation")).isEqualTo("1");
    assertThat(pod.text("/metadata/creationTimestamp")).endsWith("Z").hasSize(20);
    assertThat(pod.text("/kind")).isEqualTo("Pod");
    assertThat(pod.text("/apiVersion")).isEqualTo("v1");
    assertThat(pod.text("/status/phase")).isEqualTo("Pending");
    assertThat(pod.text("/status/qosClass")).isEqualTo("Burstable");
    assertThat(pod.text("/spec/restartPolicy")).isEqualTo("Always");
    assertThat(pod.text("/spec/terminationGracePeriodSeconds")).isEqualTo("30");
    assertThat(pod.text("/spec/containers/0/resources/requests/cpu")).isEqualTo("1");
    assertThat(pod.text("/spec/containers/0/imagePullPolicy")).isEqualTo("IfNotPresent");
    assertThat(pod.text("/spec/tolerations/0/key")).isEqualTo("node.kubernetes.io/not-ready");
  }

  @Test
  void newNodeIsTaintedAndCompleted(Api api) {
    String name = Api.unique("node");

    var node =
        api.post(
                Api.NODES,
                "{'metadata':{'name':'%s'},'spec':{'configSource':{'configMap':{'name':'x','namespace':'y','kubeletConfigKey':'z'}}},"
                        .formatted(name)
                    + "'status':{'capacity':{'cpu':'4'},'conditions':[{'type':'Ready','status':'True'}]}}")
            .is(201);

    assertThat(node.text("/spec/taints/0/key")).isEqualTo("node.kubernetes.io/not-ready");
    assertThat(node.body().at("/spec").has("configSource")).isFalse();
    assertThat(node.text("/status/allocatable/cpu")).isEqualTo("4");
    assertThat(node.body().at("/status/conditions/0/lastHeartbeatTime").isNull()).isTrue();
    assertThat(node.text("/status/daemonEndpoints/kubeletEndpoint/Port")).isEqualTo("0");
    assertThat(node.body().at("/status/nodeInfo").has("kubeletVersion")).isTrue();
  }

  @Test
  void createRefusesWhatExistsAlready(Api api) {
    String name = Api.unique("node");
    api.post(Api.NODES, "{'metadata':{'name':'%s'}}".formatted(name)).is(201);

    var again = api.post(Api.NODES, "{'metadata':{'name':'%s'}}".formatted(name)).is(409);

    assertThat(again.reason()).isEqualTo("AlreadyExists");
    assertThat(again.text("/message")).isEqualTo("nodes \"%s\" already exists".formatted(name));
    assertThat(again.text("/details/kind")).isEqualTo("nodes");
  }

  @Test
  void createRefusesBadMetadata(Api api) {
    var noName = api.post(Api.NODES, "{'metadata':{}}").is(422);
    assertThat(noName.text("/message"))
        .isEqualTo(
            "Node \"\" is invalid: metadata.name: Required value: name or generateName is"
                + " required");
    var badName = api.post(Api.NODES, "{'metadata':{'name':'N_1'}}").is(422);
    assertThat(badName.text("/details/causes/0/field")).isEqualTo("metadata.name");
    var versioned = api.post(Api.NODES, "{'metadata':{'name':'n','resourceVersion':'5'}}").is(500);
    assertThat(versioned.text("/message"))
        .isEqualTo("resourceVersion should not be set on objects to be created");
    api.post(Api.NODES, "{'kind':'Pod','apiVersion':'v1','metadata':{'name':'n'}}").is(400);
    api.post(Api.NODES, "{bad").is(400);
  }

  @Test
  void labelsMustBeWellFormed(Api api) {
    String labels = "{'metadata':{'name':'%s','labels':{'%s':'%s'}}}";

    var value =
        api.post(Api.NODES, labels.formatted(Api.unique("n"), "a/b", "not a value")).is(422);
    assertThat(value.text("/details/causes/0/message"))
        .isEqualTo(
            "Invalid value: \"not a value\": a valid label must be an empty string or consist of"
                + " alphanumeric characters, '-', '_' or '.', and must start and end with an"
                + " alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used"
                + " for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
    assertThat(value.text("/details/causes/0/field")).isEqualTo("metadata.labels");
    var key = api.post(Api.NODES, labels.formatted(Api.unique("n"), "a b", "v")).is(422);
    assertThat(key.text("/details/causes/0/message"))
        .startsWith("Invalid value: \"a b\": name part must");
    api.post(Api.NODES, labels.formatted(Api.unique("n"), "l", "x".repeat(64))).is(422);
  }

  @Test
  void createNeedsItsNamespace(Api api) {
    var nowhere = api.post(Api.pods("nowhere"), Api.unbound("p")).is(404);

    assertThat(nowhere.text("/message")).isEqualTo("namespaces \"nowhere\" not found");
    var elsewhere =
        api.post(Api.pods("default"), "{'metadata':{'name':'p','namespace':'other'}}").is(400);
    assertThat(elsewhere.text("/message"))
        .isEqualTo(
            "the namespace of the provided object does not match the namespace sent on the"
                + " request");
  }

  @Test
  void podNeedsAContainer(Api api) {
    var answer =
        api.post(Api.pods("default"), "{'metadata':{'name':'p'},'spec':{'containers':[]}}").is(422);

    assertThat(answer.text("/message"))
        .isEqualTo("Pod \"p\" is invalid: spec.containers: Required value");
  }

  @Test
  void dryRunLeavesEverythingAsItIs(Api api) {
    String pods = Api.pods(api.namespace());
    api.post(pods, Api.unbound("p")).is(201);
    JsonNode before = api.get(pods + "/p").is(200).body();
    String dry = pods + "/p?dryRun=All";

    api.post(pods + "?dryRun=All", Api.unbound("q")).is(201);
    assertThat(
            api.merge(dry, "{'metadata':{'labels':{'a':'b'}}}").is(200).text("/metadata/labels/a"))
        .isEqualTo("b");
    api.put(dry, before.toString().replace("\"i:1\"", "\"i:2\"")).is(200);
    api.strategic(pods + "/p/status?dryRun=All", "{'status':{'phase':'Running'}}").is(200);
    api.post(
            pods + "/p/binding?dryRun=All",
            "{'metadata':{'name':'p'},'target':{'kind':'Node','name':'n'}}")
        .is(201);
    api.delete(dry, "").is(200);
    api.delete(pods + "/p", "{'dryRun':['All']}").is(200);
    api.delete(pods + "?dryRun=All", "").is(200);

    assertThat(api.get(pods + "/p").is(200).body()).isEqualTo(before);
    api.get(pods + "/q").is(404);
  }

  @Test
  void dryRunIsAllOrNothing(Api api) {
    String pods = Api.pods(api.namespace());
    String pod = pods + "/p?dryRun=Some";
    String message =
        "%s.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: [\"Some\"]: supported values:"
            + " \"All\"";
    api.post(pods, Api.unbound("p")).is(201);

    assertThat(api.post(pods + "?dryRun=Some", Api.unbound("q")).is(422).text("/message"))
        .isEqualTo(message.formatted("CreateOptions"));
    assertThat(api.put(pod, Api.unbound("p")).is(422).text("/message"))
        .isEqualTo(message.formatted("UpdateOptions"));
    assertThat(api.merge(pod, "{}").is(422).text("/message"))
        .isEqualTo(message.formatted("PatchOptions"));
    assertThat(api.delete(pod, "").is(422).text("/message"))
        .isEqualTo(message.formatted("DeleteOptions"));
    api.get(pods + "/p").is(200);
  }

  @Test
  void updateChecksVersionUidAndName(Api api) {
    String ns = api.namespace();
    String leases = Api.leases(ns);
    String first =
        api.post(
                leases,
                "{'metadata':{'name':'l'},'spec':{'holderIdentity':'a','leaseDurationSeconds':40}}")
            .is(201)
            .version();

    var stale =
        api.put(leases + "/l", "{'metadata':{'name':'l','resourceVersion':'1'},'spec':{}}").is(409);
    assertThat(stale.text("/message"))
        .isEqualTo(
            "Operation cannot be fulfilled on leases.coordination.k8s.io \"l\": " + MODIFIED);
    var unversioned = api.put(leases + "/l", "{'metadata':{'name':'l'},'spec':{}}").is(422);
    assertThat(unversioned.text("/message"))
        .isEqualTo(
            "leases.coordination.k8s.io \"l\" is invalid: metadata.resourceVersion: Invalid value:"
                + " 0: must be specified for an update");
    var foreign =
        api.put(
                leases + "/l",
                "{'metadata':{'name':'l','uid':'x','resourceVersion':'%s'},'spec':{}}"
                    .formatted(first))
            .is(409);
    assertThat(foreign.text("/message")).contains("Precondition failed: UID in precondition: x");
    api.put(leases + "/l", "{'metadata':{'name':'m'},'spec':{}}").is(400);
    var renewed =
        api.put(
                leases + "/l",
                "{'metadata':{'name':'l','resourceVersion':'%s'},'spec':{'holderIdentity':'b','leaseDurationSeconds':40}}"
                    .formatted(first))
            .is(200);
    assertThat(renewed.text("/spec/holderIdentity")).isEqualTo("b");
    assertThat(Long.parseLong(renewed.version())).isGreaterThan(Long.parseLong(first));
  }

  @Test
  void putCreatesALeaseButNoNode(Api api) {
    String ns = api.namespace();

    api.put(
            Api.leases(ns) + "/l",
            "{'metadata':{'name':'l'},'spec':{'holderIdentity':'a','leaseDurationSeconds':40}}")
        .is(201);

    String node = Api.unique("node");
    api.put(Api.NODES + "/" + node, "{'metadata':{'name':'%s'}}".formatted(node)).is(404);
  }

  @Test
  void leaseDurationMustBePositive(Api api) {
    var answer =
        api.post(
                Api.leases("default"),
                "{'metadata':{'name':'bad'},'spec':{'holderIdentity':'a','leaseDurationSeconds':0}}")
            .is(422);

    assertThat(answer.text("/message"))
        .isEqualTo(
            "Lease.coordination.k8s.io \"bad\" is invalid: spec.leaseDurationSeconds: Invalid"
                + " value: 0: must be greater than 0");
  }

  @Test
  void statusAndTheRestDoNotTouchEachOther(Api api) {
    String name = Api.unique("node");
    String path = Api.NODES + "/" + name;
    api.post(Api.NODES, "{'metadata':{'name':'%s'}}".formatted(name)).is(201);

    var main =
        api.put(
                path,
                "{'metadata':{'name':'%s','labels':{'a':'b'}},'spec':{'unschedulable':true},'status':{'phase':'Running'}}"
                    .formatted(name))
            .is(200);
    assertThat(main.body().at("/status").has("phase")).isFalse();
    assertThat(main.body().at("/spec").has("taints")).isFalse();
    var status =
        api.put(
                path + "/status",
                "{'metadata':{'name':'%s','labels':{'c':'d'}},'spec':{},'status':{'addresses':[{'type':'Hostname','address':'h'}]}}"
                    .formatted(name))
            .is(200);
    assertThat(status.text("/spec/unschedulable")).isEqualTo("true");
    assertThat(status.text("/metadata/labels/c")).isEqualTo("d");
    assertThat(status.text("/status/addresses/0/address")).isEqualTo("h");
  }

  @Test
  void aWriteThatChangesNothingKeepsTheVersion(Api api) {
    String ns = api.namespace();
    api.post(Api.pods(ns), Api.bound("p")).is(201);
    String patch = "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True'}]}}";
    String version = api.strategic(Api.pods(ns) + "/p/status", patch).is(200).version();

    var again = api.strategic(Api.pods(ns) + "/p/status", patch).is(200);

    assertThat(again.version()).isEqualTo(version);
    var whole = api.get(Api.pods(ns) + "/p").is(200);
    assertThat(api.put(Api.pods(ns) + "/p", whole.body().toString()).is(200).version())
        .isEqualTo(version);
  }

  @Test
  void generationCountsSpecChangesOnly(Api api) {
    String ns = api.namespace();
    String pod = Api.pods(ns) + "/p";
    api.post(Api.pods(ns), Api.bound("p")).is(201);

    var status = api.strategic(pod + "/status", "{'status':{'phase':'Running'}}").is(200);
    var labels = api.merge(pod, "{'metadata':{'labels':{'x':'y'},'generation':9}}").is(200);
    var image = api.strategic(pod, "{'spec':{'containers':[{'name':'c','image':'i:2'}]}}").is(200);

    assertThat(status.text("/metadata/generation")).isEqualTo("1");
    assertThat(labels.text("/metadata/generation")).isEqualTo("1");
    assertThat(image.text("/metadata/generation")).isEqualTo("2");
  }

  @Test
  void podSpecIsAlmostImmutable(Api api) {
    String ns = api.namespace();
    api.post(Api.pods(ns), Api.bound("p")).is(201);

    var moved = api.strategic(Api.pods(ns) + "/p", "{'spec':{'nodeName':'m'}}").is(422);

    assertThat(moved.text("/message"))
        .startsWith(
            "Pod \"p\" is invalid: spec: Forbidden: pod updates may not change fields other than");
  }

  @Test
  void bindingAssignsOnce(Api api) {
    String ns = api.namespace();
    api.post(Api.pods(ns), Api.unbound("p")).is(201);
    String node = Api.unique("absent");
    String binding =
        "{'metadata':{'name':'p'},'target':{'kind':'Node','name':'%s'}}".formatted(node);

    api.post(Api.pods(ns) + "/p/binding", binding).is(201);
    var again = api.post(Api.pods(ns) + "/p/binding", binding).is(409);

    assertThat(again.text("/message"))
        .isEqualTo(
            "Operation cannot be fulfilled on pods/binding \"p\": pod p is already assigned to node \"%s\""
                .formatted(node));
    assertThat(api.get(Api.pods(ns) + "/p").text("/spec/nodeName")).isEqualTo(node);
  }

  @Test
  void bindingIsToANode(Api api) {
    String ns = api.namespace();
    api.post(Api.pods(ns), Api.unbound("p")).is(201);
    String binding = Api.pods(ns) + "/p/binding";

    var kind = api.post(binding, "{'metadata':{'name':'p'},'target':{'kind':'Foo','name':'n'}}");
    var neither = api.post(binding, "{'metadata':{'name':'p'},'target':{'kind':'Foo'}}");
    var nameless = api.post(binding, "{'metadata':{'name':'p'},'target':{}}");

    assertThat(kind.is(500).text("/message"))
        .isEqualTo(
            "target.kind: Unsupported value: \"Foo\": supported values: \"Node\", \"<empty>\"");
    assertThat(neither.is(500).text("/message"))
        .startsWith("[target.kind: Unsupported value")
        .endsWith(", target.name: Required value]");
    assertThat(nameless.is(500).text("/message")).isEqualTo("target.name: Required value");
    assertThat(nameless.text("/reason")).isEmpty();
    api.post(
            binding,
            "{'metadata':{'name':'p'},'target':{'name':'%s'}}".formatted(Api.unique("absent")))
        .is(201);
  }

  @Test
  void updatesOfAPodStatusIgnoreATimeOfDeletion(Api api) {
    String pods = Api.pods(api.namespace());
    api.post(pods, Api.bound("p")).is(201);

    var marked =
        api.merge(pods + "/p/status", "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'}}");
    var graced =
        api.merge(pods + "/p/status", "{'metadata':{'deletionGracePeriodSeconds':5}}").is(422);

    assertThat(marked.is(200).body().path("metadata").has("deletionTimestamp")).isFalse();
    assertThat(graced.text("/message"))
        .isEqualTo(
            "Pod \"p\" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable");
  }

  @Test
  void updatesKeepTheMarksOfADeletion(Api api) {
    String pods = Api.pods(api.namespace());
    api.post(pods, Api.bound("p")).is(201);
    api.delete(pods + "/p", "{'gracePeriodSeconds':600}").is(200);

    var kept =
        api.merge(
                pods + "/p",
                "{'metadata':{'deletionTimestamp':null,'deletionGracePeriodSeconds':null}}")
            .is(200);
    var moved =
        api.merge(pods + "/p", "{'metadata':{'deletionTimestamp':'2026-01-01T00:00:00Z'}}").is(200);
    var shortened = api.merge(pods + "/p", "{'metadata':{'deletionGracePeriodSeconds':5}}").is(422);

    assertThat(kept.body().path("metadata").has("deletionTimestamp")).isTrue();
    assertThat(kept.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("600");
    assertThat(moved.text("/metadata/deletionTimestamp"))
        .isEqualTo(kept.text("/metadata/deletionTimestamp"));
    assertThat(shortened.text("/message"))
        .isEqualTo(
            "Pod \"p\" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable");
    api.delete(pods + "/p", "{'gracePeriodSeconds':0}").is(200);
  }

  @Test
  void eventsAreOneThingUnderTwoNames(Api api) {
    String ns = api.namespace();
    api.post(
            "/api/v1/namespaces/%s/events".formatted(ns),
            "{'metadata':{'name':'e'},'involvedObject':{'kind':'Pod','name':'p','namespace':'%s'},'reason':'R','message':'m','count':1,'type':'Normal','source':{'component':'c'}}"
                .formatted(ns))
        .is(201);

    var event = api.get("/apis/events.k8s.io/v1/namespaces/%s/events/e".formatted(ns)).is(200);

    assertThat(event.text("/apiVersion")).isEqualTo("events.k8s.io/v1");
    assertThat(event.text("/note")).isEqualTo("m");
    assertThat(event.text("/regarding/name")).isEqualTo("p");
    assertThat(event.text("/deprecatedSource/component")).isEqualTo("c");
    var found =
        api.get(
            "/api/v1/namespaces/%s/events?fieldSelector=involvedObject.name%%3Dp,reason!%%3DX"
                .formatted(ns));
    assertThat(found.body().path("items")).hasSize(1);
  }

  @Test
  void eventsLiveWithTheirObject(Api api) {
    var answer =
        api.post(
                "/api/v1/namespaces/kube-system/events",
                "{'metadata':{'name':'e'},'involvedObject':{'kind':'Node','name':'n'},'reason':'R'}")
            .is(422);

    assertThat(answer.text("/message"))
        .isEqualTo(
            "Event \"e\" is invalid: involvedObject.namespace: Invalid value: \"\": does not match"
                + " event.namespace");
  }

  @Test
  void secretsAreWrittenInPlainAndReadEncoded(Api api) {
    String ns = api.namespace();

    var secret =
        api.post(
                "/api/v1/namespaces/%s/secrets".formatted(ns),
                "{'metadata':{'name':'s'},'stringData':{'a':'b'}}")
            .is(201);

    assertThat(secret.text("/data/a")).isEqualTo("Yg==");
    assertThat(secret.text("/type")).isEqualTo("Opaque");
    assertThat(secret.body().has("stringData")).isFalse();
  }

  @Test
  void debugContainersOnlyEverCome(Api api) {
    String pods = Api.pods(api.namespace());
    String node = api.post(pods, Api.bound("p")).is(201).text("/spec/nodeName");
    String debug =
        "{'spec':{'nodeName':'other','ephemeralContainers':[{'name':'d','image':'%s'}]}}";

    var added = api.strategic(pods + "/p/ephemeralcontainers", debug.formatted("i:1")).is(200);

    assertThat(added.text("/spec/ephemeralContainers/0/imagePullPolicy")).isEqualTo("IfNotPresent");
    assertThat(added.text("/spec/nodeName")).isEqualTo(node);
    assertThat(added.text("/metadata/generation")).isEqualTo("2");
    var changed = api.strategic(pods + "/p/ephemeralcontainers", debug.formatted("i:2")).is(422);
    assertThat(changed.text("/message"))
        .contains(
            "spec.ephemeralContainers: Forbidden: existing ephemeral containers \"d\" may not be"
                + " changed");
    var removed =
        api.merge(pods + "/p/ephemeralcontainers", "{'spec':{'ephemeralContainers':[]}}").is(422);
    assertThat(removed.text("/message"))
        .contains("existing ephemeral containers \"d\" may not be removed");
    api.get(pods + "/p/ephemeralcontainers").is(200);
  }

  @Test
  void aServiceGetsAnAddressAndKeepsIt(Api api) {
    String services = "/api/v1/namespaces/" + api.namespace() + "/services";

    var created =
        api.post(
                services,
                "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}],'selector':{'a':'b'}}}")
            .is(201);

    String address = created.text("/spec/clusterIP");
    assertThat(address).startsWith("10.0.");
    assertThat(created.text("/spec/clusterIPs/0")).isEqualTo(address);
    assertThat(created.text("/spec/type")).isEqualTo("ClusterIP");
    assertThat(created.text("/spec/ports/0/targetPort")).isEqualTo("80");
    assertThat(created.text("/spec/ports/0/protocol")).isEqualTo("TCP");
    var updated =
        api.put(
                services + "/s",
                "{'metadata':{'name':'s','resourceVersion':'%s'},'spec':{'ports':[{'port':81}]}}"
                    .formatted(created.version()))
            .is(200);
    assertThat(updated.text("/spec/clusterIP")).isEqualTo(address);
    assertThat(updated.text("/spec/ports/0/port")).isEqualTo("81");
  }

  @Test
  void nodePortsAreAllocatedOnce(Api api) {
    String services = "/api/v1/namespaces/" + api.namespace() + "/services";
    String service =
        "{'metadata':{'name':'%s'},'spec':{'type':'NodePort','ports':[{'port':80,'nodePort':%s}]}}";
    var created = api.post(services, service.formatted("a", 0)).is(201);

    int nodePort = created.body().at("/spec/ports/0/nodePort").asInt();
    assertThat(nodePort).isBetween(30_000, 32_767);
    assertThat(created.text("/spec/externalTrafficPolicy")).isEqualTo("Cluster");
    assertThat(api.post(services, service.formatted("b", nodePort)).is(422).text("/message"))
        .isEqualTo(
            "Service \"b\" is invalid: spec.ports[0].nodePort: Invalid value: %d: provided port is already allocated"
                .formatted(nodePort));
    assertThat(api.post(services, service.formatted("b", 80)).is(422).text("/message"))
        .isEqualTo(
            "Service \"b\" is invalid: spec.ports[0].nodePort: Invalid value: 80: provided port is"
                + " not in the valid range. The range of valid ports is 30000-32767");
    // a dry run allocates nothing, so it does not look at the range
    api.post(services + "?dryRun=All", service.formatted("b", 80)).is(201);
    String kept = "{'metadata':{'name':'a'},'spec':{'type':'NodePort','ports':[{'port':81}]}}";
    assertThat(api.put(services + "/a", kept).is(200).body().at("/spec/ports/0/nodePort").asInt())
        .isEqualTo(nodePort);
    api.merge(services + "/a", "{'spec':{'type':'ClusterIP'}}").is(200);
    api.post(services, service.formatted("b", nodePort)).is(201);
    assertThat(
            api.merge(
                    services + "/a",
                    "{'spec':{'type':'NodePort','ports':[{'port':80,'nodePort':%d}]}}"
                        .formatted(nodePort))
                .is(422)
                .text("/message"))
        .isEqualTo(
            "Service \"a\" is invalid: spec.ports[0].nodePort: Invalid value: %d: provided port is already allocated"
                .formatted(nodePort));
  }

  @Test
  void aLocalLoadBalancerGetsAPortForItsHealthCheck(Api api) {
    String services = "/api/v1/namespaces/" + api.namespace() + "/services";
    String service =
        "{'metadata':{'name':'%s'},'spec':{'type':'LoadBalancer','externalTrafficPolicy':'Local','healthCheckNodePort':%d,'ports':[{'port':80}]}}";
    var created = api.post(services, service.formatted("a", 0)).is(201);

    int check = created.body().at("/spec/healthCheckNodePort").asInt();
    assertThat(check).isBetween(30_000, 32_767);
    assertThat(created.body().at("/spec/ports/0/nodePort").asInt())
        .isBetween(30_000, 32_767)
        .isNotEqualTo(check);
    assertThat(created.body().at("/spec/allocateLoadBalancerNodePorts").asBoolean()).isTrue();
    assertThat(api.post(services, service.formatted("b", check)).is(500).text("/message"))
        .isEqualTo(
            "Internal error occurred: failed to allocate requested HealthCheck NodePort %d: provided port is already allocated"
                .formatted(check));
  }

  @Test
  void clusterAddressesAreAllocatedOnce(Api api) {
    String services = "/api/v1/namespaces/" + api.namespace() + "/services";
    String service = "{'metadata':{'name':'%s'},'spec':{'clusterIP':'%s','ports':[{'port':80}]}}";
    String address =
        api.post(services, "{'metadata':{'name':'a'},'spec':{'ports':[{'port':80}]}}")
            .is(201)
            .text("/spec/clusterIP");

    assertThat(api.post(services, service.formatted("b", address)).is(422).text("/message"))
        .isEqualTo(
            "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"%1$s\"]: failed to allocate IP %1$s: provided IP is already allocated"
                .formatted(address));
    assertThat(api.post(services, service.formatted("b", "192.168.0.1")).is(422).text("/message"))
        .isEqualTo(
            "Service \"b\" is invalid: spec.clusterIPs: Invalid value: [\"192.168.0.1\"]: failed to"
                + " allocate IP 192.168.0.1: the provided network does not match the current"
                + " range");
  }

  @Test
  void aServiceThatChangesItsTypeLosesAndGetsItsAddress(Api api) {
    String services = "/api/v1/namespaces/" + api.namespace() + "/services";
    api.post(services, "{'metadata':{'name':'s'},'spec':{'ports':[{'port':80}]}}").is(201);

    var named =
        api.merge(services + "/s", "{'spec':{'type':'ExternalName','externalName':'a'}}").is(200);
    var addressed = api.merge(services + "/s", "{'spec':{'type':'ClusterIP'}}").is(200);

    for (String field : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
      assertThat(named.body().path("spec").has(field)).as(field).isFalse();
    }
    String address = addressed.text("/spec/clusterIP");
    assertThat(address).startsWith("10.0.");
    assertThat(addressed.text("/spec/clusterIPs/0")).isEqualTo(address);
    assertThat(addressed.text("/spec/ipFamilies/0")).isEqualTo("IPv4");
    assertThat(addressed.text("/spec/ipFamilyPolicy")).isEqualTo("SingleStack");
  }

  @Test
  void aNamespaceIsActiveAndLabelledByItsName(Api api) {
    String name = Api.unique("ns");

    var created =
        api.post("/api/v1/namespaces", "{'metadata':{'name':'%s'}}".formatted(name)).is(201);

    assertThat(created.text("/status/phase")).isEqualTo("Active");
    assertThat(created.body().at("/metadata/labels/kubernetes.io~1metadata.name").asText())
        .isEqualTo(name);
    assertThat(created.text("/spec/finalizers/0")).isEqualTo("kubernetes");
  }

  /** A server in Go reads and writes them; clients send back what they have read. */
  @Test
  void valuesHaveOneFormAndZerosAreNotSet(Api api) throws Exception {
    String pods = Api.pods(api.namespace());
    api.post(
            pods,
            """
            {'metadata':{'name':'p','labels':{},'annotations':null},
             'spec':{'nodeName':'','restartPolicy':'','dnsPolicy':'','schedulerName':'',
               'hostNetwork':false,'runtimeClassName':null,'schedulingGates':[{'name':'a/b'}],'nodeSelector':{},'tolerations':[],
               'volumes':[{'name':'m','configMap':{'name':'m','optional':false}},
                 {'name':'h','hostPath':{'path':'/x'}},
                 {'name':'d','downwardAPI':{'items':[
                   {'path':'n','fieldRef':{'fieldPath':'metadata.name'}}]}}],
               'containers':[{'name':'c','image':'i:1','imagePullPolicy':'','env':[],'command':[],
                 'tty':false,'ports':[{'containerPort':80,'protocol':'','hostPort':0}],
                 'readinessProbe':{'tcpSocket':{'port':80},'periodSeconds':0},
                 'resources':{'requests':{'cpu':0.5,'memory':'1024Mi'},
                   'limits':{'cpu':'1000m','memory':1073741824}}}]}}
            """)
        .is(201);

    var pod = api.get(pods + "/p").is(200);
    JsonNode spec = pod.body().path("spec");
    JsonNode container = spec.at("/containers/0");
    assertThat(container.path("resources"))
        .isEqualTo(
            json(
                """
                {'limits':{'cpu':'1','memory':'1073741824'},
                 'requests':{'cpu':'500m','memory':'1Gi'}}
                """));
    assertThat(container.at("/ports/0")).isEqualTo(json("{'containerPort':80,'protocol':'TCP'}"));
    assertThat(container.at("/readinessProbe/periodSeconds").asInt()).isEqualTo(10);
    assertThat(container.path("imagePullPolicy").asText()).isEqualTo("IfNotPresent");
    for (String absent : List.of("env", "command", "tty")) {
      assertThat(container.has(absent)).as(absent).isFalse();
    }
    for (String absent : List.of("nodeName", "hostNetwork", "runtimeClassName", "nodeSelector")) {
      assertThat(spec.has(absent)).as(absent).isFalse();
    }
    assertThat(spec.path("restartPolicy").asText()).isEqualTo("Always");
    assertThat(spec.path("schedulerName").asText()).isEqualTo("default-scheduler");
    assertThat(spec.at("/volumes/0/configMap"))
        .isEqualTo(json("{'name':'m','defaultMode':420,'optional':false}"));
    assertThat(spec.at("/volumes/1/hostPath")).isEqualTo(json("{'path':'/x','type':''}"));
    assertThat(spec.at("/volumes/2/downwardAPI"))
        .isEqualTo(
            json(
                """
                {'items':[{'path':'n',
                   'fieldRef':{'apiVersion':'v1','fieldPath':'metadata.name'}}],
                 'defaultMode':420}
                """));

    ((ObjectNode) pod.body().path("metadata"))
        .remove("resourceVersion"); // whoever writes meanwhile
    var again = api.put(pods + "/p", pod.body().toString()).is(200);
    assertThat(again.text("/metadata/generation")).isEqualTo("1");
  }

  private static JsonNode json(String text) throws Exception {
    return Json.read(text.replace('\'', '"').getBytes(UTF_8));
  }

  @Test
  void zerosOfAServiceAreNotSet(Api api) {
    var service =
        api.post(
                "/api/v1/namespaces/" + api.namespace() + "/services",
                """
                {'metadata':{'name':'s'},
                 'spec':{'type':'','clusterIP':'','sessionAffinity':'','selector':{},
                   'ports':[{'port':80,'protocol':'','nodePort':0}]}}
                """)
            .is(201);

    assertThat(service.text("/spec/type")).isEqualTo("ClusterIP");
    assertThat(service.text("/spec/clusterIP")).isNotEmpty();
    assertThat(service.text("/spec/ports/0/protocol")).isEqualTo("TCP");
  }

  private static Api.Answer created(Api api, String spec) {
    return api.post(
            Api.pods(api.namespace()) + "?dryRun=All",
            "{'metadata':{'name':'p'},'spec':{%s}}".formatted(spec))
        .is(201);
  }

  private static String container(String resources) {
    return "{'name':'c','image':'i:1','resources':%s}".formatted(resources);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | BestEffort",
        "{'requests':{'cpu':'0'},'limits':{'memory':'0'}} | BestEffort",
        "{'requests':{'ephemeral-storage':'1Gi'}} | BestEffort",
        "{'requests':{'cpu':'1'}} | Burstable",
        "{'limits':{'cpu':'1'}} | Burstable",
        "{'requests':{'cpu':'1','memory':'0'},'limits':{'cpu':'1','memory':'1Gi'}} | Burstable",
        "{'limits':{'cpu':'1','memory':'1Gi'}} | Guaranteed",
        "{'requests':{'cpu':'1000m','memory':'1024Mi'},'limits':{'cpu':'1','memory':'1Gi'}} | Guaranteed",
        "{'requests':{'cpu':'0.9999','memory':'1Gi'},'limits':{'cpu':'1','memory':'1Gi'}} | Guaranteed"
      })
  void containersDecideOnTheQosClassByAmounts(String resources, String qosClass, Api api) {
    var pod = created(api, "'containers':[%s]".formatted(container(resources)));

    assertThat(pod.text("/status/qosClass")).isEqualTo(qosClass);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | {'requests':{'cpu':'1'}} | {}",
        "{'requests':{'cpu':'1'}} | {'limits':{'memory':'1Gi'}} | {'requests':{'cpu':'1'}}",
        "{'limits':{'cpu':'2','memory':'2Gi'}} | {} | {'limits':{'cpu':'2','memory':'2Gi'},'requests':{'cpu':'2','memory':'2Gi'}}",
        "{'limits':{'cpu':'4'}} | {'requests':{'cpu':'250m','memory':'64Mi','ephemeral-storage':'1Gi'}} | {'limits':{'cpu':'4'},'requests':{'cpu':'500m','memory':'128Mi'}}",
        "{'limits':{'cpu':'4'},'requests':{'cpu':'3'}} | {'requests':{'cpu':'1'}} | {'limits':{'cpu':'4'},'requests':{'cpu':'3'}}",
        "{'requests':{'cpu':'2'}} | {'limits':{'cpu':'1','hugepages-2Mi':'4Mi'}} | {'limits':{'hugepages-2Mi':'8Mi'},'requests':{'cpu':'2','hugepages-2Mi':'8Mi'}}"
      })
  void resourcesOfThePodAreFilledIn(String written, String resources, String filled, Api api)
      throws JsonProcessingException {
    var pod =
        created(
            api,
            "'resources':%s,'containers':[%s,%s]"
                .formatted(
                    written,
                    container(resources),
                    container(resources).replace("'name':'c'", "'name':'d'")));

    assertThat(pod.body().at("/spec/resources"))
        .isEqualTo(new ObjectMapper().readTree(filled.replace('\'', '"')));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | {'limits':{'cpu':'1','memory':'1Gi'}} | BestEffort",
        "{'requests':{'cpu':'1'}} | {} | Burstable",
        "{'requests':{'cpu':'1','memory':'1Gi'}} | {'limits':{'cpu':'1','memory':'1Gi'}} | Burstable",
        "{'requests':{'cpu':'1000m','memory':'1024Mi'},'limits':{'cpu':'1','memory':'1Gi'}} | {} | Guaranteed",
        "{'requests':{'cpu':'1','memory':'0'},'limits':{'cpu':'1','memory':'1Gi'}} | {} | Burstable"
      })
  void resourcesOfThePodDecideOnTheQosClassAlone(
      String whole, String resources, String qosClass, Api api) {
    var pod =
        created(api, "'resources':%s,'containers':[%s]".formatted(whole, container(resources)));

    assertThat(pod.text("/status/qosClass")).isEqualTo(qosClass);
  }
}
