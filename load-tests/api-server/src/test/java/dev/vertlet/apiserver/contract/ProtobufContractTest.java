package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.schema.ProtobufReader;
import dev.vertlet.apiserver.schema.ProtobufWriter;
import dev.vertlet.apiserver.schema.Schemas;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Both servers say the same in protobuf as they say in JSON. */
@ExtendWith(EndpointExtension.class)
public class ProtobufContractTest {
  private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
  private static final String META = ";as=%s;v=v1;g=meta.k8s.io";

  private static final String RICH_POD =
      """
      {'metadata':{'name':'rich','labels':{'a':'b'},'annotations':{'c':'d'},'finalizers':['x/y'],
        'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'o','uid':'u','controller':true}]},
       'spec':{'schedulerName':'nobody','terminationGracePeriodSeconds':0,'hostAliases':[{'ip':'1.1.1.1','hostnames':['h']}],
        'nodeSelector':{'k':'v'},'tolerations':[{'key':'t','operator':'Exists','effect':'NoExecute','tolerationSeconds':0}],
        'securityContext':{'runAsUser':0,'runAsNonRoot':false,'sysctls':[{'name':'kernel.shm_rmid_forced','value':'1'}]},
        'affinity':{'nodeAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[
          {'matchExpressions':[{'key':'a','operator':'In','values':['b']}]}]}}},
        'topologySpreadConstraints':[{'maxSkew':1,'topologyKey':'z','whenUnsatisfiable':'DoNotSchedule',
          'labelSelector':{'matchLabels':{'a':'b'}}}],
        'volumes':[{'name':'e','emptyDir':{'sizeLimit':'1Gi'}},{'name':'c','configMap':{'name':'cm','defaultMode':420,'optional':false}},
          {'name':'p','projected':{'sources':[{'configMap':{'name':'x'}},{'secret':{'name':'y','items':[{'key':'k','path':'p'}]}},
            {'downwardAPI':{'items':[{'path':'l','fieldRef':{'fieldPath':'metadata.labels'}}]}}]}}],
        'initContainers':[{'name':'i','image':'i:1','restartPolicy':'Always'}],
        'containers':[{'name':'c','image':'i:1','command':['a','b'],
          'env':[{'name':'A','value':'1'},{'name':'B','valueFrom':{'configMapKeyRef':{'name':'cm','key':'k','optional':true}}},
            {'name':'C','valueFrom':{'secretKeyRef':{'name':'s','key':'k'}}},
            {'name':'D','valueFrom':{'resourceFieldRef':{'resource':'limits.cpu','divisor':'1m'}}}],
          'envFrom':[{'prefix':'P','configMapRef':{'name':'cm'}},{'secretRef':{'name':'s','optional':true}}],
          'ports':[{'name':'w','containerPort':80}],'volumeMounts':[{'name':'e','mountPath':'/e','readOnly':true}],
          'resources':{'limits':{'cpu':'100m','memory':'64Mi'},'requests':{'cpu':'50m'}},
          'livenessProbe':{'httpGet':{'port':80},'initialDelaySeconds':3},
          'readinessProbe':{'tcpSocket':{'port':'w'}},'startupProbe':{'exec':{'command':['x']}},
          'lifecycle':{'preStop':{'exec':{'command':['y']}}},
          'securityContext':{'privileged':false,'capabilities':{'add':['NET_ADMIN']}}}]}}
      """;

  private static final String RICH_STATUS =
      """
      {'status':{'phase':'Running','startTime':'2026-01-01T00:00:00Z','podIPs':[{'ip':'1.2.3.4'}],'hostIP':'5.6.7.8',
        'hostIPs':[{'ip':'5.6.7.8'}],'observedGeneration':1,
        'conditions':[{'type':'Ready','status':'True','lastTransitionTime':'2026-01-01T00:00:00Z'}],
        'containerStatuses':[{'name':'c','image':'i:1','imageID':'id','ready':true,'started':true,'restartCount':2,
          'containerID':'x://y','state':{'running':{'startedAt':'2026-01-01T00:00:00Z'}},
          'lastState':{'terminated':{'exitCode':0,'reason':'Completed','finishedAt':'2026-01-01T00:00:00Z'}},
          'allocatedResources':{'cpu':'50m'}}]}}
      """;

  private static ObjectNode decode(Buffer body, String apiVersion, String kind) throws IOException {
    var envelope = ProtobufReader.open(body.getBytes());
    assertThat(envelope.kind()).isEqualTo(kind);
    assertThat(envelope.apiVersion()).isEqualTo(apiVersion);
    ObjectNode object =
        ProtobufReader.message(
            Schemas.standard().find(apiVersion, kind).orElseThrow(), envelope.message());
    return object.put("kind", kind).put("apiVersion", apiVersion);
  }

  /** Nulls and empty texts say nothing, and managed fields are kept by real servers alone. */
  private static JsonNode plain(JsonNode object) {
    ObjectNode copy = object.deepCopy();
    Json.child(copy, "metadata").remove("managedFields");
    dropEmpty(copy);
    return copy;
  }

  private static void dropEmpty(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.properties().removeIf(field -> isEmpty(field.getValue()));
    }
    node.forEach(ProtobufContractTest::dropEmpty);
  }

  private static boolean isEmpty(JsonNode value) {
    return value.isNull() || (value.isTextual() && value.asText().isEmpty());
  }

  private static void sameInBoth(Api api, String path, String apiVersion, String kind)
      throws IOException {
    var json = api.get(path, "accept", "application/json").is(200);
    var protobuf = api.get(path, "accept", PROTOBUF + ",application/json").is(200);

    assertThat(protobuf.contentType()).isEqualTo(PROTOBUF);
    assertThat(plain(decode(protobuf.bytes(), apiVersion, kind))).isEqualTo(plain(json.body()));
  }

  @Test
  void aRichPod(Api api) throws IOException {
    String pods = Api.pods(api.namespace());
    api.post(pods, RICH_POD).is(201);
    api.strategic(pods + "/rich/status", RICH_STATUS).is(200);

    sameInBoth(api, pods + "/rich", "v1", "Pod");

    api.merge(pods + "/rich", "{'metadata':{'finalizers':null}}").is(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "leases | coordination.k8s.io/v1 | Lease | {'metadata':{'name':'x'},'spec':{'holderIdentity':'h','leaseDurationSeconds':40,"
            + "'renewTime':'2026-01-02T03:04:05.123456Z','leaseTransitions':0}}",
        "configmaps | v1 | ConfigMap | {'metadata':{'name':'x'},'data':{'a':'1','z':'','m':'2'},'binaryData':{'b':'AAEC'}}",
        "secrets | v1 | Secret | {'metadata':{'name':'x'},'data':{'a':'AAEC'},'immutable':false}",
        "serviceaccounts | v1 | ServiceAccount | {'metadata':{'name':'x'},'automountServiceAccountToken':false}",
        "services | v1 | Service | {'metadata':{'name':'x'},'spec':{'clusterIP':'None','ports':[{'port':80,'targetPort':'web'}]}}"
      })
  void otherResources(String plural, String apiVersion, String kind, String body, Api api)
      throws IOException {
    String collection =
        (apiVersion.equals("v1") ? "/api/" : "/apis/")
            + apiVersion
            + "/namespaces/"
            + api.namespace()
            + "/"
            + plural;
    api.post(collection, body).is(201);

    sameInBoth(api, collection + "/x", apiVersion, kind);
  }

  @Test
  void aDisruptionBudgetThatItsControllerHasSeen(Api api) throws IOException {
    String budgets = "/apis/policy/v1/namespaces/" + api.namespace() + "/poddisruptionbudgets";
    api.post(
            budgets,
            "{'metadata':{'name':'x'},'spec':{'minAvailable':0,'selector':{'matchLabels':{'a':'b'}}}}")
        .is(201);
    api.until(budgets + "/x", budget -> !budget.body().at("/status/conditions").isEmpty());

    sameInBoth(api, budgets + "/x", "policy/v1", "PodDisruptionBudget");
  }

  @Test
  void nodesAndEvents(Api api) throws IOException {
    String name = Api.unique("node");
    api.post(
            Api.NODES,
            "{'metadata':{'name':'%s'},'spec':{'podCIDRs':['10.0.0.0/24'],'podCIDR':'10.0.0.0/24'},'status':{'capacity':{'cpu':'4'},'conditions':[{'type':'Ready','status':'True'}],'daemonEndpoints':{'kubeletEndpoint':{'Port':10250}}}}"
                .formatted(name))
        .is(201);
    api.until(Api.NODES + "/" + name, node -> !node.body().path("spec").has("taints"));
    String ns = api.namespace();
    String event =
        "{'metadata':{'name':'e'},'involvedObject':{'namespace':'%s','kind':'Pod'},'reason':'r','count':3,'lastTimestamp':'2026-01-01T00:00:00Z'}";
    api.post("/api/v1/namespaces/" + ns + "/events", event.formatted(ns)).is(201);

    sameInBoth(api, Api.NODES + "/" + name, "v1", "Node");
    sameInBoth(api, "/api/v1/namespaces/" + ns + "/events/e", "v1", "Event");
    sameInBoth(
        api, "/apis/events.k8s.io/v1/namespaces/" + ns + "/events/e", "events.k8s.io/v1", "Event");
    api.delete(Api.NODES + "/" + name, "").is(200);
  }

  @Test
  void lists(Api api) throws IOException {
    String pods = Api.pods(api.namespace());
    String node = api.post(pods, Api.bound("a")).is(201).text("/spec/nodeName");
    api.post(pods, Api.bound("b")).is(201);

    var answer = api.get(pods + "?limit=1", "accept", PROTOBUF).is(200);

    var envelope = ProtobufReader.open(answer.bytes().getBytes());
    assertThat(envelope.kind()).isEqualTo("PodList");
    ObjectNode list = parse(V1.PodList.getDescriptor(), envelope.message());
    assertThat(list.at("/items")).hasSize(1);
    assertThat(list.at("/items/0/metadata/name").asText()).isEqualTo("a");
    assertThat(list.at("/items/0/spec/nodeName").asText()).isEqualTo(node);
    assertThat(list.at("/metadata/continue").asText()).isNotEmpty();
    assertThat(list.at("/metadata/resourceVersion").asText()).isNotEmpty();
    assertThat(list.at("/metadata/remainingItemCount").asInt()).isEqualTo(1);
  }

  /** Parses with the official descriptor; texts, numbers and messages are enough here. */
  private static ObjectNode parse(Descriptor type, byte[] message) throws IOException {
    return tree(DynamicMessage.parseFrom(type, message));
  }

  private static ObjectNode tree(Message message) {
    ObjectNode tree = Json.object();
    message
        .getAllFields()
        .forEach(
            (field, value) -> {
              if (value instanceof List<?> items) {
                var array = tree.putArray(field.getName());
                items.forEach(item -> array.add(item instanceof Message m ? tree(m) : null));
              } else if (value instanceof Message nested) {
                tree.set(field.getName(), tree(nested));
              } else if (value instanceof ByteString bytes) {
                tree.put(field.getName(), bytes.toByteArray());
              } else {
                tree.put(field.getName(), value.toString());
              }
            });
    return tree;
  }

  @Test
  void metadataAlone(Api api) throws IOException {
    String pods = Api.pods(api.namespace());
    api.post(pods, Api.bound("a")).is(201);

    var one =
        api.get(pods + "/a", "accept", PROTOBUF + META.formatted("PartialObjectMetadata")).is(200);
    ObjectNode object = decode(one.bytes(), "meta.k8s.io/v1", "PartialObjectMetadata");
    assertThat(object.at("/metadata/labels/app").asText()).isEqualTo("a");
    var list =
        api.get(pods, "accept", PROTOBUF + META.formatted("PartialObjectMetadataList")).is(200);
    var envelope = ProtobufReader.open(list.bytes().getBytes());
    assertThat(envelope.kind()).isEqualTo("PartialObjectMetadataList");
    ObjectNode items = parse(Meta.PartialObjectMetadataList.getDescriptor(), envelope.message());
    assertThat(items.at("/items/0/metadata/name").asText()).isEqualTo("a");
  }

  @Test
  void watches(Api api) throws IOException {
    String pods = Api.pods(api.namespace());
    String node = api.post(pods, Api.bound("a")).is(201).text("/spec/nodeName");
    var watch =
        api.watch(
            pods
                + "?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
            "accept",
            PROTOBUF + ";stream=watch,application/json;stream=watch");

    assertThat(watch.contentType()).isEqualTo(PROTOBUF + ";stream=watch");
    ObjectNode added = event(watch);
    ObjectNode bookmark = event(watch);
    api.delete(pods + "/a", "{'gracePeriodSeconds':0}").is(200);
    ObjectNode deleted = event(watch);

    assertThat(added.path("type").asText()).isEqualTo("ADDED");
    assertThat(object(added).at("/spec/nodeName").asText()).isEqualTo(node);
    assertThat(bookmark.path("type").asText()).isEqualTo("BOOKMARK");
    assertThat(object(bookmark).at("/metadata/annotations").toString())
        .isEqualTo("{\"k8s.io/initial-events-end\":\"true\"}");
    assertThat(object(bookmark).at("/metadata/resourceVersion").asText()).isNotEmpty();
    assertThat(deleted.path("type").asText())
        .isIn("DELETED", "MODIFIED"); // a real server marks it first
    assertThat(object(deleted).at("/metadata/name").asText()).isEqualTo("a");
    watch.close();
  }

  private static ObjectNode event(Api.Watch watch) throws IOException {
    return parse(Meta.WatchEvent.getDescriptor(), watch.nextBytes().getBytes());
  }

  private static ObjectNode object(ObjectNode event) throws IOException {
    byte[] raw = event.at("/object/raw").binaryValue();
    return decode(Buffer.buffer(raw), "v1", "Pod");
  }

  @Test
  void failures(Api api) throws IOException {
    var missing = api.get(Api.NODES + "/none", "accept", PROTOBUF).is(404);

    ObjectNode status = decode(missing.bytes(), "v1", "Status");
    assertThat(status.path("message").asText()).isEqualTo("nodes \"none\" not found");
    assertThat(status.path("code").asInt()).isEqualTo(404);
    assertThat(status.at("/details/kind").asText()).isEqualTo("nodes");
  }

  @Test
  void bodies(Api api) throws IOException {
    String pods = Api.pods(api.namespace());
    ObjectNode pod = Json.parse(RICH_POD.replace('\'', '"'));
    byte[] body =
        ProtobufWriter.envelope(
            "v1",
            "Pod",
            ProtobufWriter.message(Schemas.standard().find("v1", "Pod").orElseThrow(), pod));

    var created = api.send(HttpMethod.POST, pods, Buffer.buffer(body), PROTOBUF).is(201);
    var copy = api.post(pods, RICH_POD.replace("'rich'", "'copy'")).is(201);

    assertThat(created.body().path("spec")).isEqualTo(copy.body().path("spec"));
    assertThat(created.body().at("/metadata/labels")).isEqualTo(copy.body().at("/metadata/labels"));
    assertThat(created.body().at("/metadata/ownerReferences"))
        .isEqualTo(copy.body().at("/metadata/ownerReferences"));
    for (String name : new String[] {"rich", "copy"}) {
      api.merge(pods + "/" + name, "{'metadata':{'finalizers':null}}").is(200);
    }
    api.send(HttpMethod.POST, pods, Buffer.buffer("no protobuf"), PROTOBUF).is(400);
    api.send(HttpMethod.POST, pods, Buffer.buffer(body), "text/plain").is(415);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "text/html | 406: Not Acceptable",
        "application/vnd.kubernetes.protobuf;as=Table;v=v1;g=meta.k8s.io | only the following media types are accepted",
        "application/json;as=Foo;v=v1;g=meta.k8s.io | only the following media types are accepted"
      })
  void whatCannotBeGivenIsNotAcceptable(String accept, String message, Api api) {
    var refused = api.get(Api.NODES, "accept", accept).is(406);

    assertThat(refused.contentType()).isEqualTo("application/json");
    assertThat(refused.reason()).isEqualTo("NotAcceptable");
    assertThat(refused.text("/message")).startsWith(message);
  }
}
