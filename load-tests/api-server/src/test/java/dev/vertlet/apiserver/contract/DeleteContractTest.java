package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EndpointExtension.class)
public class DeleteContractTest {
  private static final String NOW = "{'gracePeriodSeconds':0}";

  @Test
  void aBoundPodGetsItsGracePeriod(Api api) {
    String pods = Api.pods(api.namespace());
    var created = api.post(pods, Api.bound("p")).is(201);

    var deleted = api.delete(pods + "/p", "{'kind':'DeleteOptions','apiVersion':'v1'}").is(200);

    assertThat(deleted.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("30");
    assertThat(
            Duration.between(
                Instant.parse(created.text("/metadata/creationTimestamp")),
                Instant.parse(deleted.text("/metadata/deletionTimestamp"))))
        .isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
    assertThat(deleted.text("/metadata/generation")).isEqualTo("2");
    var again = api.delete(pods + "/p", "{}").is(200);
    assertThat(again.version()).isEqualTo(deleted.version());
    var longer = api.delete(pods + "/p", "{'gracePeriodSeconds':60}").is(200);
    assertThat(longer.version()).isEqualTo(deleted.version());
    var shorter = api.delete(pods + "/p", "{'gracePeriodSeconds':5}").is(200);
    assertThat(shorter.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("5");
    assertThat(shorter.text("/metadata/generation")).isEqualTo("2");
    var gone = api.delete(pods + "/p", NOW).is(200);
    assertThat(gone.text("/kind")).isEqualTo("Pod");
    api.get(pods + "/p").is(404);
  }

  @Test
  void whatNoNodeRunsGoesAtOnce(Api api) {
    String pods = Api.pods(api.namespace());
    api.post(pods, Api.unbound("unbound")).is(201);
    api.post(pods, Api.bound("finished")).is(201);
    api.strategic(pods + "/finished/status", "{'status':{'phase':'Succeeded'}}").is(200);

    api.delete(pods + "/unbound", "").is(200);
    api.delete(pods + "/finished", "").is(200);

    api.get(pods + "/unbound").is(404);
    api.get(pods + "/finished").is(404);
  }

  @Test
  void preconditionsMustHold(Api api) {
    String pods = Api.pods(api.namespace());
    var pod = api.post(pods, Api.bound("p")).is(201);

    var uid = api.delete(pods + "/p", "{'preconditions':{'uid':'x'}}").is(409);
    assertThat(uid.text("/message"))
        .isEqualTo(
            "Operation cannot be fulfilled on Pod \"p\": the UID in the precondition (x) does not match the UID in record (%s). The object might have been deleted and then recreated"
                .formatted(pod.text("/metadata/uid")));
    var version = api.delete(pods + "/p", "{'preconditions':{'resourceVersion':'1'}}").is(409);
    assertThat(version.reason()).isEqualTo("Conflict");
    api.delete(
            pods + "/p",
            "{'gracePeriodSeconds':0,'preconditions':{'uid':'%s'}}"
                .formatted(pod.text("/metadata/uid")))
        .is(200);
    api.get(pods + "/p").is(404);
  }

  @Test
  void finalizersHoldAPod(Api api) {
    String pods = Api.pods(api.namespace());
    api.post(pods, Api.bound("p")).is(201);
    api.merge(pods + "/p", "{'metadata':{'finalizers':['a/b']}}").is(200);

    var held = api.delete(pods + "/p", NOW).is(200);
    assertThat(held.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("0");
    var more = api.merge(pods + "/p", "{'metadata':{'finalizers':['a/b','c/d']}}").is(422);
    assertThat(more.text("/message"))
        .isEqualTo(
            "Pod \"p\" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{\"c/d\"}");
    var released = api.merge(pods + "/p", "{'metadata':{'finalizers':null}}").is(200);
    assertThat(released.version()).isEqualTo(held.version());
    api.get(pods + "/p").is(404);
  }

  @Test
  void finalizersHoldANode(Api api) {
    String name = Api.unique("node");
    String node = Api.NODES + "/" + name;
    api.post(Api.NODES, "{'metadata':{'name':'%s','finalizers':['a/b']}}".formatted(name)).is(201);

    var held = api.delete(node, "").is(200);
    assertThat(held.text("/kind")).isEqualTo("Node");
    assertThat(held.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("0");
    api.strategic(node, "{'metadata':{'finalizers':null}}").is(200);
    api.get(node).is(404);
  }

  @Test
  void otherThingsAnswerWithAStatus(Api api) {
    String ns = api.namespace();
    var lease =
        api.post(Api.leases(ns), "{'metadata':{'name':'l'},'spec':{'holderIdentity':'a'}}").is(201);

    var deleted = api.delete(Api.leases(ns) + "/l", "").is(200);

    assertThat(deleted.text("/kind")).isEqualTo("Status");
    assertThat(deleted.text("/status")).isEqualTo("Success");
    assertThat(deleted.text("/details/uid")).isEqualTo(lease.text("/metadata/uid"));
    assertThat(deleted.text("/details/kind")).isEqualTo("leases");
    var again = api.delete(Api.leases(ns) + "/l", "").is(404);
    assertThat(again.text("/message")).isEqualTo("leases.coordination.k8s.io \"l\" not found");
  }

  @Test
  void deletesWhatASelectorFinds(Api api) {
    String pods = Api.pods(api.namespace());
    api.post(pods, Api.unbound("a")).is(201);
    api.post(pods, Api.unbound("b")).is(201);

    var deleted = api.delete(pods + "?labelSelector=app%3Da", "").is(200);

    assertThat(deleted.text("/kind")).isEqualTo("PodList");
    assertThat(deleted.body().path("items")).hasSize(1);
    api.get(pods + "/a").is(404);
    api.get(pods + "/b").is(200);
  }

  @Test
  void evictionDeletesGracefully(Api api) {
    String ns = api.namespace();
    String pods = Api.pods(ns);
    api.post(pods, Api.bound("p")).is(201);

    api.post(
            pods + "/p/eviction",
            "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'p','namespace':'%s'},'deleteOptions':{'gracePeriodSeconds':7}}"
                .formatted(ns))
        .is(201);

    assertThat(api.get(pods + "/p").text("/metadata/deletionGracePeriodSeconds")).isEqualTo("7");
  }

  @Test
  void aTerminatingNamespaceTakesNothingNew(Api api) {
    String ns = api.namespace();
    api.post(Api.pods(ns), Api.bound("p")).is(201);

    var deleted = api.delete("/api/v1/namespaces/" + ns, "").is(200);
    assertThat(deleted.text("/status/phase")).isEqualTo("Terminating");
    var refused = api.post(Api.pods(ns), Api.bound("q")).is(403);
    assertThat(refused.text("/message"))
        .isEqualTo(
            "pods \"q\" is forbidden: unable to create new content in namespace %s because it is being terminated"
                .formatted(ns));
  }

  @Test
  void badOptionsAreRefused(Api api) {
    var answer = api.delete(Api.NODES + "/none", "{'propagationPolicy':'Foo'}").is(422);

    assertThat(answer.text("/details/kind")).isEqualTo("DeleteOptions");
  }

  @Test
  void aSelectorDeletesWithGraceToo(Api api) {
    String pods = Api.pods(api.namespace());
    String node = api.post(pods, Api.bound("a")).is(201).text("/spec/nodeName");
    api.post(pods, Api.bound("b")).is(201);

    api.delete(pods + "?fieldSelector=spec.nodeName%3D" + node, "{'gracePeriodSeconds':9}").is(200);

    assertThat(api.get(pods + "/a").is(200).text("/metadata/deletionGracePeriodSeconds"))
        .isEqualTo("9");
    assertThat(api.get(pods + "/b").is(200).body().path("metadata").has("deletionTimestamp"))
        .isFalse();
  }
}
