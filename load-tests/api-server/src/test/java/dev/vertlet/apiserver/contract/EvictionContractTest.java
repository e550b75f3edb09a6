package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EndpointExtension.class)
public class EvictionContractTest {
  private static final String EVICTION =
      "{'apiVersion':'policy/v1','kind':'Eviction','metadata':{'name':'%s'}%s}";

  private static String budgets(String ns) {
    return "/apis/policy/v1/namespaces/" + ns + "/poddisruptionbudgets";
  }

  private static void budget(Api api, String ns, String fragment) {
    api.post(
            budgets(ns),
            "{'metadata':{'name':'b'},'spec':{%s,'selector':{'matchExpressions':[{'key':'app','operator':'Exists'}]}}}"
                .formatted(fragment))
        .is(201);
  }

  private static void running(Api api, String ns, String name, String ready) {
    api.post(Api.pods(ns), Api.bound(name)).is(201);
    api.strategic(
            Api.pods(ns) + "/" + name + "/status",
            "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'%s'}]}}"
                .formatted(ready))
        .is(200);
  }

  private static Api.Answer evict(Api api, String ns, String name, String query, String more) {
    return api.post(
        Api.pods(ns) + "/" + name + "/eviction" + query, EVICTION.formatted(name, more));
  }

  private static Api.Answer until(Api api, String ns, int healthy, int expected, int allowed) {
    return api.until(
        budgets(ns) + "/b",
        budget ->
            budget.body().at("/status/currentHealthy").asInt() == healthy
                && budget.body().at("/status/expectedPods").asInt() == expected
                && budget.body().at("/status/disruptionsAllowed").asInt() == allowed
                && budget
                    .text("/status/observedGeneration")
                    .equals(budget.text("/metadata/generation")));
  }

  @Test
  void theStatusOfABudgetFollowsItsPods(Api api) {
    String ns = api.namespace();
    budget(api, ns, "'minAvailable':1");
    until(api, ns, 0, 0, 0);

    running(api, ns, "p", "True");
    var tight = until(api, ns, 1, 1, 0);
    assertThat(tight.text("/status/desiredHealthy")).isEqualTo("1");
    assertThat(tight.text("/status/conditions/0/type")).isEqualTo("DisruptionAllowed");
    assertThat(tight.text("/status/conditions/0/reason")).isEqualTo("InsufficientPods");
    assertThat(tight.text("/status/conditions/0/message")).isEmpty();
    running(api, ns, "q", "True");
    var loose = until(api, ns, 2, 2, 1);
    assertThat(loose.text("/status/conditions/0/status")).isEqualTo("True");
    assertThat(loose.text("/status/conditions/0/reason")).isEqualTo("SufficientPods");
  }

  @Test
  void aBudgetRefusesWhatWouldBreakIt(Api api) {
    String ns = api.namespace();
    budget(api, ns, "'minAvailable':1");
    running(api, ns, "p", "True");
    running(api, ns, "q", "True");
    until(api, ns, 2, 2, 1);

    evict(api, ns, "p", "?dryRun=All", "").is(201);
    assertThat(evict(api, ns, "p", "", "").is(201).text("/status")).isEqualTo("Success");
    var evicted = api.get(Api.pods(ns) + "/p").is(200);
    assertThat(evicted.text("/metadata/deletionGracePeriodSeconds")).isEqualTo("30");
    assertThat(evicted.body().at("/status/conditions").toString())
        .contains("\"DisruptionTarget\"")
        .contains("\"EvictionByEvictionAPI\"")
        .contains("\"Eviction API: evicting\"");
    until(api, ns, 1, 2, 0);
    var refused = evict(api, ns, "q", "", "").is(429);

    assertThat(refused.reason()).isEqualTo("TooManyRequests");
    assertThat(refused.text("/message"))
        .isEqualTo("Cannot evict pod as it would violate the pod's disruption budget.");
    assertThat(refused.text("/details/causes/0/reason")).isEqualTo("DisruptionBudget");
    assertThat(refused.text("/details/causes/0/message"))
        .isEqualTo("The disruption budget b needs 1 healthy pods and has 1 currently");
    assertThat(refused.body().at("/details").has("retryAfterSeconds")).isFalse();
    evict(api, ns, "p", "", "").is(201); // it is going already
  }

  @Test
  void whatRunsNothingMayAlwaysGo(Api api) {
    String ns = api.namespace();
    budget(api, ns, "'minAvailable':9");
    api.post(Api.pods(ns), Api.bound("pending")).is(201);
    running(api, ns, "unready", "False");
    until(api, ns, 0, 2, 0);

    evict(api, ns, "pending", "", ",'deleteOptions':{'gracePeriodSeconds':0}").is(201);
    evict(api, ns, "unready", "", "").is(429);
    api.merge(
            budgets(ns) + "/b",
            "{'spec':{'minAvailable':9,'unhealthyPodEvictionPolicy':'AlwaysAllow'}}")
        .is(200);
    until(api, ns, 0, 1, 0);
    evict(api, ns, "unready", "", "").is(201);
    api.get(Api.pods(ns) + "/pending").is(404);
  }

  @Test
  void preconditionsNamesAndExistenceAreChecked(Api api) {
    String ns = api.namespace();
    running(api, ns, "p", "True");

    evict(api, ns, "p", "", ",'deleteOptions':{'preconditions':{'uid':'x'}}").is(409);
    assertThat(evict(api, ns, "none", "", "").is(404).text("/message"))
        .isEqualTo("pods \"none\" not found");
    assertThat(
            api.post(Api.pods(ns) + "/p/eviction", EVICTION.formatted("q", ""))
                .is(400)
                .text("/message"))
        .isEqualTo("name in URL does not match name in Eviction object");
    assertThat(api.get(Api.pods(ns) + "/p").body().at("/metadata").has("deletionTimestamp"))
        .isFalse();
  }

  @Test
  void budgetsAreValidated(Api api) {
    String ns = api.namespace();

    api.post(
            budgets(ns),
            "{'metadata':{'name':'b'},'spec':{'minAvailable':1,'maxUnavailable':1,'selector':{}}}")
        .is(422);
    assertThat(
            api.post(budgets(ns), "{'metadata':{'name':'b'},'spec':{'minAvailable':-1}}")
                .is(422)
                .text("/details/causes/0/field"))
        .isEqualTo("spec.minAvailable");
    assertThat(
            api.post(budgets(ns), "{'metadata':{'name':'b'},'spec':{'minAvailable':'x'}}")
                .is(422)
                .text("/details/causes/0/field"))
        .isEqualTo("spec.minAvailable");
  }
}
