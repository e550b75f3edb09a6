package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the controllers of every control plane do to namespaces, owners and nodes. */
@ExtendWith(EndpointExtension.class)
public class ControllerContractTest {
  private static String configMaps(String ns) {
    return "/api/v1/namespaces/" + ns + "/configmaps";
  }

  private static String owned(String name, Api.Answer owner) {
    return "{'metadata':{'name':'%s','ownerReferences':[{'apiVersion':'v1','kind':'ConfigMap','name':'%s','uid':'%s','blockOwnerDeletion':true}]}}"
        .formatted(name, owner.text("/metadata/name"), owner.text("/metadata/uid"));
  }

  @Test
  void everyNamespaceHasItsFurniture(Api api) {
    String ns = api.namespace();

    api.until("/api/v1/namespaces/" + ns + "/serviceaccounts/default", found -> true);
    var root = api.until(configMaps(ns) + "/kube-root-ca.crt", found -> true);
    assertThat(root.body().path("data").has("ca.crt")).isTrue();
    api.delete(configMaps(ns) + "/kube-root-ca.crt", "").is(200);
    api.until(
        configMaps(ns) + "/kube-root-ca.crt",
        found -> !found.text("/metadata/uid").equals(root.text("/metadata/uid")));
    for (String system : List.of("default", "kube-system", "kube-public", "kube-node-lease")) {
      api.get("/api/v1/namespaces/" + system).is(200);
    }
    var service = api.get("/api/v1/namespaces/default/services/kubernetes").is(200);
    assertThat(service.text("/spec/clusterIP")).isEqualTo("10.0.0.1");
    assertThat(service.text("/spec/ports/0/port")).isEqualTo("443");
    assertThat(service.text("/metadata/labels/component")).isEqualTo("apiserver");
  }

  @Test
  void aDeletedNamespaceTakesItsContentAlong(Api api) {
    String ns = api.namespace();
    api.post(configMaps(ns), "{'metadata':{'name':'c','finalizers':['a/b']}}").is(201);
    api.post(configMaps(ns), "{'metadata':{'name':'d'}}").is(201);
    api.delete("/api/v1/namespaces/" + ns, "").is(200);

    var held =
        api.until(
            "/api/v1/namespaces/" + ns,
            found -> found.body().toString().contains("SomeFinalizersRemain"));

    assertThat(held.text("/status/phase")).isEqualTo("Terminating");
    List<String> conditions = new ArrayList<>();
    for (JsonNode condition : held.body().at("/status/conditions")) {
      conditions.add(
          "%s %s %s"
              .formatted(
                  condition.path("type").asText(),
                  condition.path("status").asText(),
                  condition.path("message").asText()));
    }
    assertThat(conditions)
        .containsExactly(
            "NamespaceDeletionDiscoveryFailure False All resources successfully discovered",
            "NamespaceDeletionGroupVersionParsingFailure False All legacy kube types successfully"
                + " parsed",
            "NamespaceDeletionContentFailure False All content successfully deleted, may be waiting"
                + " on finalization",
            "NamespaceContentRemaining True Some resources are remaining: configmaps. has 1"
                + " resource instances",
            "NamespaceFinalizersRemaining True Some content in the namespace has finalizers"
                + " remaining: a/b in 1 resource instances");
    api.get(configMaps(ns) + "/d").is(404);
    api.merge(configMaps(ns) + "/c", "{'metadata':{'finalizers':null}}").is(200);
    api.untilGone("/api/v1/namespaces/" + ns);
  }

  @Test
  void aNamespaceIsHeldAndReleasedThroughItsSubresource(Api api) {
    String ns = api.namespace();
    String path = "/api/v1/namespaces/" + ns;
    String body = "{'metadata':{'name':'%s'},'spec':{'finalizers':[%s]}}";
    String held = body.formatted(ns, "'kubernetes','a/b'");
    api.get(path + "/finalize").is(405);
    api.merge(path + "/finalize", "{'spec':{'finalizers':[]}}").is(405);
    // an ordinary update leaves it alone
    assertThat(api.put(path, held).is(200).body().at("/spec/finalizers").size()).isEqualTo(1);
    assertThat(api.put(path + "/finalize", held).is(200).text("/spec/finalizers/1"))
        .isEqualTo("a/b");

    api.delete(path, "").is(200);

    api.until(path, found -> found.body().at("/spec/finalizers").toString().equals("[\"a/b\"]"));
    api.put(path + "/finalize", body.formatted(ns, "")).is(200);
    api.untilGone(path);
  }

  @Test
  void aNamespaceThatNothingHoldsIsGoneWithTheSecondDelete(Api api) {
    String ns = api.namespace();
    String path = "/api/v1/namespaces/" + ns;
    String body = "{'metadata':{'name':'%s'},'spec':{'finalizers':[]}}";
    var released = api.put(path + "/finalize", body.formatted(ns)).is(200);

    assertThat(released.body().path("spec").has("finalizers")).isFalse();
    assertThat(api.delete(path, "").is(200).text("/status/phase")).isEqualTo("Terminating");
    api.get(path).is(200);
    assertThat(api.delete(path, "").is(200).text("/kind")).isEqualTo("Namespace");
    api.untilGone(path);
  }

  @Test
  void systemNamespacesStay(Api api) {
    assertThat(api.delete("/api/v1/namespaces/default", "").is(403).text("/message"))
        .isEqualTo("namespaces \"default\" is forbidden: this namespace may not be deleted");
  }

  @Test
  void dependentsGoWithTheirOwner(Api api) {
    String maps = configMaps(api.namespace());
    var owner = api.post(maps, "{'metadata':{'name':'owner'}}").is(201);
    api.post(maps, owned("d", owner)).is(201);

    api.delete(maps + "/owner", "{'propagationPolicy':'Background'}").is(200);

    api.untilGone(maps + "/d");
    api.post(maps, owned("late", owner)).is(201);
    api.untilGone(maps + "/late");
  }

  @Test
  void foregroundHoldsTheOwnerUntilItsDependentsAreGone(Api api) {
    String maps = configMaps(api.namespace());
    var owner = api.post(maps, "{'metadata':{'name':'owner'}}").is(201);
    api.post(maps, owned("d", owner)).is(201);
    api.merge(maps + "/d", "{'metadata':{'finalizers':['a/b']}}").is(200);

    var deleted = api.delete(maps + "/owner", "{'propagationPolicy':'Foreground'}").is(200);

    assertThat(deleted.text("/metadata/finalizers/0")).isEqualTo("foregroundDeletion");
    assertThat(deleted.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("0");
    api.until(maps + "/d", d -> d.body().path("metadata").has("deletionTimestamp"));
    api.get(maps + "/owner").is(200);
    api.merge(maps + "/d", "{'metadata':{'finalizers':null}}").is(200);
    api.untilGone(maps + "/owner");
    api.get(maps + "/d").is(404);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ""                        | {'propagationPolicy':'Orphan'}
          ""                        | {'orphanDependents':true}
          ?propagationPolicy=Orphan | ""
          ?orphanDependents=True    | ""
          """)
  void orphansStay(String query, String body, Api api) {
    String maps = configMaps(api.namespace());
    var owner = api.post(maps, "{'metadata':{'name':'owner'}}").is(201);
    var before = api.post(maps, owned("d", owner)).is(201);

    api.delete(maps + "/owner" + query, body).is(200);

    api.untilGone(maps + "/owner");
    var orphan = api.get(maps + "/d").is(200);
    assertThat(orphan.text("/metadata/uid")).isEqualTo(before.text("/metadata/uid"));
    assertThat(orphan.body().path("metadata").has("ownerReferences")).isFalse();
  }

  @Test
  void theFateOfDependentsIsSaidOnce(Api api) {
    String map = configMaps(api.namespace()) + "/any";

    var refused = api.delete(map, "{'propagationPolicy':'Orphan','orphanDependents':true}").is(422);

    assertThat(refused.text("/message"))
        .isEqualTo(
            "DeleteOptions.meta.k8s.io \"\" is invalid: propagationPolicy: Invalid value:"
                + " \"Orphan\": orphanDependents and deletionPropagation cannot be both set");
  }

  @Test
  void aLeaseGoesWithItsNode(Api api) {
    String name = Api.unique("node");
    var node = api.post(Api.NODES, "{'metadata':{'name':'%s'}}".formatted(name)).is(201);
    String leases = Api.leases("kube-node-lease");
    api.post(
            leases,
            "{'metadata':{'name':'%s','ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'%s','uid':'%s'}]},'spec':{'holderIdentity':'%s'}}"
                .formatted(name, name, node.text("/metadata/uid"), name))
        .is(201);

    api.delete(Api.NODES + "/" + name, "").is(200);

    api.untilGone(leases + "/" + name);
  }

  /**
   * {@code NoExecute} is not part of it: a real control plane withholds that taint while most nodes
   * are not ready.
   */
  @Test
  void taintsFollowConditionsAndCordon(Api api) {
    String name = Api.unique("node");
    String node = Api.NODES + "/" + name;
    api.post(
            Api.NODES,
            "{'metadata':{'name':'%s'},'spec':{'unschedulable':true},'status':{'conditions':[{'type':'Ready','status':'False'}]}}"
                .formatted(name))
        .is(201);

    api.until(
        node,
        found ->
            taints(found)
                .containsAll(
                    List.of(
                        "node.kubernetes.io/not-ready:NoSchedule",
                        "node.kubernetes.io/unschedulable:NoSchedule")));
    api.merge(node, "{'spec':{'unschedulable':null}}").is(200);
    api.strategic(node + "/status", "{'status':{'conditions':[{'type':'Ready','status':'True'}]}}")
        .is(200);
    api.until(node, found -> taints(found).isEmpty());
  }

  private static List<String> taints(Api.Answer node) {
    List<String> taints = new ArrayList<>();
    node.body()
        .at("/spec/taints")
        .forEach(
            taint -> taints.add(taint.path("key").asText() + ":" + taint.path("effect").asText()));
    return taints;
  }

  @Test
  void untoleratedTaintsEvict(Api api) {
    String ns = api.namespace();
    String name = Api.unique("node");
    api.post(
            Api.NODES,
            "{'metadata':{'name':'%s'},'status':{'conditions':[{'type':'Ready','status':'True'}]}}"
                .formatted(name))
        .is(201);
    api.post(Api.pods(ns), Api.bound("p", name)).is(201);
    api.until(Api.NODES + "/" + name, found -> taints(found).isEmpty());

    api.merge(
            Api.NODES + "/" + name,
            "{'spec':{'taints':[{'key':'out','value':'now','effect':'NoExecute'}]}}")
        .is(200);

    var evicted =
        api.until(
            Api.pods(ns) + "/p", found -> found.body().path("metadata").has("deletionTimestamp"));
    assertThat(evicted.body().at("/status/conditions").toString())
        .contains("\"DeletionByTaintManager\"")
        .contains("\"Taint manager: deleting due to NoExecute taint\"");
  }
}
