package dev.vertlet.apiserver.disruption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.control.TestCluster;
import dev.vertlet.apiserver.registry.DeleteOptions;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DisruptionTest {
  private final TestCluster cluster = new TestCluster();

  @BeforeEach
  void start() {
    new DisruptionController(cluster.cluster()).start();
  }

  private void budget(String fragment) {
    cluster.create(
        "poddisruptionbudgets",
        "{'metadata':{'name':'b'},'spec':{%s,'selector':{'matchLabels':{'app':'x'}}}}"
            .formatted(fragment));
    cluster.settle();
  }

  private void running(String name, boolean ready) {
    if (cluster.find("pods", name).isEmpty()) {
      cluster.pod(name, "'nodeName':'n',");
    }
    cluster.editStatus(
        "pods",
        name,
        status -> {
          status.put("phase", "Running");
          status
              .putArray("conditions")
              .addObject()
              .put("type", "Ready")
              .put("status", ready ? "True" : "False");
        });
    cluster.settle();
  }

  private String status() {
    JsonNode status = cluster.get("poddisruptionbudgets", "b").path("status");
    return "healthy %d of %d, expected %d, allowed %d"
        .formatted(
            status.path("currentHealthy").asInt(),
            status.path("desiredHealthy").asInt(),
            status.path("expectedPods").asInt(),
            status.path("disruptionsAllowed").asInt());
  }

  private void evict(String pod, String options, boolean dryRun) {
    cluster
        .subresources()
        .evict(
            "default",
            pod,
            Json.parse("{'deleteOptions':%s}".formatted(options).replace('\'', '"')),
            dryRun);
  }

  @ParameterizedTest
  @CsvSource({
    "minAvailable,2,5,5,2,3",
    "minAvailable,50%,5,5,3,2",
    "maxUnavailable,1,5,5,4,1",
    "maxUnavailable,30%,5,5,3,2",
    "maxUnavailable,30%,5,2,3,0",
    "maxUnavailable,9,5,5,0,5",
    "minAvailable,0,0,0,0,0"
  })
  void budgetsScale(
      String field, String value, int expected, int healthy, int desired, int allowed) {
    var spec = Json.object();
    if (value.endsWith("%")) {
      spec.put(field, value);
    } else {
      spec.put(field, Integer.parseInt(value));
    }

    Budget budget = Budget.of(spec, healthy, expected);

    assertThat(budget.desiredHealthy()).isEqualTo(desired);
    assertThat(budget.disruptionsAllowed()).isEqualTo(allowed);
  }

  @Test
  void theStatusFollowsThePods() {
    running("p", true);
    budget("'minAvailable':1");
    assertThat(status()).isEqualTo("healthy 1 of 1, expected 1, allowed 0");

    running("q", true);
    assertThat(status()).isEqualTo("healthy 2 of 1, expected 2, allowed 1");
    JsonNode condition = cluster.get("poddisruptionbudgets", "b").at("/status/conditions/0");
    assertThat(condition.path("reason").asText()).isEqualTo("SufficientPods");
    running("p", false);
    assertThat(status()).isEqualTo("healthy 1 of 1, expected 2, allowed 0");
    cluster.delete("pods", "p", DeleteOptions.NOW);
    cluster.settle();
    assertThat(status()).isEqualTo("healthy 1 of 1, expected 1, allowed 0");
    cluster.edit("poddisruptionbudgets", "b", b -> Json.child(b, "spec").put("minAvailable", 0));
    cluster.settle();
    assertThat(status()).isEqualTo("healthy 1 of 0, expected 1, allowed 1");
    assertThat(cluster.get("poddisruptionbudgets", "b").at("/status/observedGeneration").asInt())
        .isEqualTo(2);
    cluster.edit("pods", "q", q -> q.withObject("/metadata/labels").put("app", "y"));
    cluster.settle();
    assertThat(status()).isEqualTo("healthy 0 of 0, expected 0, allowed 0");
  }

  @Test
  void evictionsAreGrantedOneByOne() {
    running("p", true);
    running("q", true);
    budget("'maxUnavailable':1");

    evict("p", "{}", false);
    assertThatThrownBy(() -> evict("q", "{}", false))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.code()).isEqualTo(429);
              assertThat(e.toStatus().at("/details/causes/0/reason").asText())
                  .isEqualTo("DisruptionBudget");
            });

    assertThat(cluster.get("pods", "p").at("/metadata/deletionGracePeriodSeconds").asInt())
        .isEqualTo(30);
    assertThat(cluster.get("pods", "q").at("/metadata").has("deletionTimestamp")).isFalse();
    cluster.settle();
    assertThat(status()).isEqualTo("healthy 1 of 1, expected 2, allowed 0");
    assertThat(cluster.get("poddisruptionbudgets", "b").at("/status").has("disruptedPods"))
        .isFalse();
  }

  @Test
  void aGrantThatIsNotUsedTimesOut() {
    running("p", true);
    running("q", true);
    budget("'maxUnavailable':1");
    cluster.editStatus(
        "poddisruptionbudgets",
        "b",
        status -> status.putObject("disruptedPods").put("p", cluster.cluster().timestamp()));
    cluster.settle();
    assertThat(status()).isEqualTo("healthy 1 of 1, expected 2, allowed 0");

    cluster.advance(Duration.ofMinutes(3));

    assertThat(status()).isEqualTo("healthy 2 of 1, expected 2, allowed 1");
  }

  @Test
  void aBudgetThatWasNotLookedAtYetAsksForPatience() {
    running("p", true);
    cluster.create(
        "poddisruptionbudgets",
        "{'metadata':{'name':'b'},'spec':{'minAvailable':0,'selector':{}}}");

    assertThatThrownBy(() -> evict("p", "{}", false))
        .isInstanceOfSatisfying(
            ApiException.class,
            e -> {
              assertThat(e.code()).isEqualTo(429);
              assertThat(e.retryAfterSeconds()).hasValue(10);
              assertThat(e.toStatus().at("/details/causes/0/message").asText())
                  .isEqualTo("The disruption budget b is still being processed by the server.");
            });
  }

  @Test
  void unhealthyPodsMayGoWhenThePolicySaysSo() {
    running("p", false);
    running("q", true);
    budget("'minAvailable':2");
    assertThatThrownBy(() -> evict("p", "{}", false)).isInstanceOf(ApiException.class);

    cluster.edit(
        "poddisruptionbudgets",
        "b",
        b -> Json.child(b, "spec").put("unhealthyPodEvictionPolicy", "AlwaysAllow"));
    cluster.settle();

    evict("p", "{}", false);
    assertThat(cluster.get("pods", "p").at("/metadata").has("deletionTimestamp")).isTrue();
  }

  @Test
  void twoBudgetsForOnePodAreAnError() {
    running("p", true);
    budget("'minAvailable':0");
    cluster.create(
        "poddisruptionbudgets",
        "{'metadata':{'name':'c'},'spec':{'minAvailable':0,'selector':{}}}");
    cluster.settle();

    assertThatThrownBy(() -> evict("p", "{}", false))
        .hasMessageContaining("more than one PodDisruptionBudget");
  }

  @Test
  void dryRunsAndPreconditionsLeaveNoTrace() {
    running("p", true);
    budget("'minAvailable':0");
    long revision = cluster.revision();

    assertThatCode(() -> evict("p", "{}", true)).doesNotThrowAnyException();
    assertThatCode(() -> evict("p", "{'dryRun':['All']}", false)).doesNotThrowAnyException();
    assertThatThrownBy(() -> evict("p", "{'preconditions':{'uid':'x'}}", false))
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.code()).isEqualTo(409));

    assertThat(cluster.revision()).isEqualTo(revision);
  }
}
