package dev.vertlet.sandbox.pool;

import static dev.vertlet.sandbox.Pods.NAMES;
import static dev.vertlet.sandbox.Pods.annotate;
import static dev.vertlet.sandbox.Pods.label;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.sandbox.Pods;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.UpdateOptions;
import dev.vertlet.sandbox.pool.claim.ClaimRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written of a pod when somebody gets it, and when it comes back. */
class ClaimAndReleaseTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Map<String, String> NONE = Map.of();

  private final PoolSpec spec = PoolSimulation.spec(1);

  private PoolSpec pool(@Nullable ObjectNode template, String idleImage) {
    return new PoolSpec(
        "default",
        "pool",
        "",
        1,
        template,
        idleImage,
        Duration.ofSeconds(1),
        Duration.ofSeconds(1),
        Duration.ZERO,
        true);
  }

  private static ObjectNode held(String phase) {
    ObjectNode pod = Pods.pod("p", phase, "tool:1", '2', "c2");
    return annotate(label(pod, NAMES.id(), "s-1"), NAMES.id(), "s-1");
  }

  private UpdateOptions release(ObjectNode pod, Stop stop) {
    return ReleaseOptions.of(pod, pool(null, "pause"), "s-1", stop, NAMES, NOW);
  }

  private void refused(ClaimRequest claim, String why) {
    assertThatThrownBy(() -> ClaimOptions.check(claim, spec, NAMES))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aClaimSaysWhoseThePodIsAndForHowLong() {
    ClaimRequest claim =
        new ClaimRequest(
            "s-1",
            Map.of("", "tool:1", "side", "log:1"),
            Map.of("team", "a"),
            Map.of("note", "b"),
            null,
            Duration.ofSeconds(30),
            Duration.ofMinutes(5));
    ClaimOptions.check(claim, spec, NAMES);

    UpdateOptions options =
        ClaimOptions.of(claim, Pods.pod("p", "idle", "pause", '1', "c1"), NAMES, NOW);

    assertThat(options.containerImages()).isEqualTo(Map.of("sandbox", "tool:1", "side", "log:1"));
    assertThat(options.labels())
        .containsEntry("team", "a")
        .containsEntry(NAMES.id(), "s-1")
        .containsKey(NAMES.managedBy());
    assertThat(options.annotations())
        .containsEntry("note", "b")
        .containsEntry(NAMES.claimedAt(), "2026-01-01T00:00:00Z")
        .containsEntry(NAMES.startupTimeout(), "30")
        .containsEntry(NAMES.idleTimeout(), "300")
        .containsEntry(NAMES.managedLabels(), "[\"team\"]")
        .containsEntry(NAMES.managedAnnotations(), "[\"note\"]");
    assertThat(options.removeAnnotations()).containsExactly(NAMES.scaleDownProtected());
    assertThat(options.expectedCurrentSandboxPhase()).isEqualTo("idle");
    assertThat(options.disableRetry()).isTrue();
  }

  @Test
  void aClaimThatNoPodFitsIsRefused() {
    refused(ClaimRequest.of("", "tool:1"), "id must not be empty");
    refused(ClaimRequest.of("a b", "tool:1"), "id \"a b\"");
    Map<String, String> tool = Map.of("", "tool:1");
    refused(new ClaimRequest("s", NONE, NONE, NONE, null, null, null), "image is required");
    refused(
        new ClaimRequest("s", tool, Map.of("app", "x"), NONE, null, null, null),
        "belongs to the pods of the pool");
    refused(
        new ClaimRequest("s", tool, NONE, Map.of(NAMES.state(), "x"), null, null, null),
        "must not begin with");
    refused(ClaimRequest.of("s", "a b"), "\"a b\" is no reference of an image");
    refused(ClaimRequest.of("s", " "), "target image is required");
    refused(
        new ClaimRequest("s", Map.of("side", "a b"), NONE, NONE, null, null, null),
        "container \"side\": \"a b\" is no reference");
    refused(
        new ClaimRequest("s", tool, Map.of("team", "no label!"), NONE, null, null, null),
        "labels: team: \"no label!\"");
    refused(
        new ClaimRequest("s", tool, NONE, Map.of("no key!", "x"), null, null, null),
        "annotations: \"no key!\"");
    Duration past = Duration.ofSeconds(-1);
    refused(new ClaimRequest("s", tool, NONE, NONE, past, null, null), "wait must not");
    refused(new ClaimRequest("s", tool, NONE, NONE, null, past, null), "startupTimeout must not");
    refused(new ClaimRequest("s", tool, NONE, NONE, null, null, past), "idleTimeout must not");
    ClaimOptions.check(
        new ClaimRequest("s", tool, Map.of("app", "x"), NONE, null, null, null),
        pool(null, "pause"),
        NAMES);
  }

  @Test
  void aReleaseTakesAwayWhatTheClaimBroughtAndSaysHowItEnded() {
    ObjectNode pod = held("running");
    annotate(pod, NAMES.managedLabels(), "[\"team\", \"\", \"" + NAMES.phase() + "\"]");
    annotate(pod, NAMES.managedAnnotations(), "[\"note\", \"" + NAMES.state() + "\"]");

    UpdateOptions options = release(pod, new Stop("Failed", "OOMKilled", "died", "137"));

    assertThat(options.containerImages()).isEqualTo(Map.of("sandbox", "pause"));
    assertThat(options.removeLabels()).containsExactly("team", NAMES.managedBy());
    assertThat(options.removeAnnotations())
        .contains("note", NAMES.idleTimeout(), NAMES.startupTimeout(), NAMES.lastActive())
        .doesNotContain(NAMES.state(), NAMES.id(), NAMES.claimedAt());
    assertThat(options.annotations())
        .isEqualTo(
            Map.of(
                NAMES.stopReason(),
                "Failed",
                NAMES.terminatedAt(),
                "2026-01-01T00:00:00Z",
                NAMES.failureReason(),
                "OOMKilled",
                NAMES.failureMessage(),
                "died",
                NAMES.exitCode(),
                "137",
                NAMES.runningImages(),
                "{\"sandbox\":\"tool:1\"}",
                NAMES.containerId(),
                "c2"));
    assertThat(options.updatePodPhase()).isEqualTo("stopping");
    assertThat(options.targetPodPhase()).isEqualTo("idle");
    assertThat(options.expectedCurrentSandboxPhase()).isEqualTo("running");
  }

  @Test
  void whatNeverRanWasCanceled() {
    assertThat(release(held("starting"), Stop.RELEASED).annotations())
        .containsEntry(NAMES.stopReason(), "Canceled")
        .doesNotContainKey(NAMES.failureReason());
    assertThat(release(held("starting"), Stop.STARTUP_TIMEOUT).annotations())
        .containsEntry(NAMES.stopReason(), "Released")
        .containsEntry(NAMES.failureReason(), "StartupTimeout");
    assertThat(release(held("running"), Stop.RELEASED).annotations())
        .containsEntry(NAMES.stopReason(), "Released");
  }

  @Test
  void whatIsOnItsWayBackOrSomebodyElsesIsLeftAlone() {
    assertThat(release(held("stopping"), Stop.RELEASED)).isSameAs(UpdateOptions.NONE);
    assertThat(release(held("idle"), Stop.RELEASED)).isSameAs(UpdateOptions.NONE);
    assertThat(release(label(held("running"), NAMES.id(), "s-2"), Stop.RELEASED))
        .isSameAs(UpdateOptions.NONE);
    ObjectNode failed = held("failed");
    assertThatThrownBy(() -> release(failed, Stop.RELEASED))
        .isInstanceOf(SandboxException.class)
        .hasMessageContaining("\"failed\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "1", "[1, {}]", "null"})
  void whatSomebodyElseWroteAsListOfKeysIsNoHindrance(String text) {
    ObjectNode pod = annotate(held("running"), NAMES.managedLabels(), text);
    ((ObjectNode) pod.path("status")).remove("containerStatuses");

    UpdateOptions options = release(pod, Stop.RELEASED);

    assertThat(options.removeLabels()).contains(NAMES.managedBy());
    assertThat(options.annotations()).doesNotContainKey(NAMES.containerId());
  }

  @Test
  void theFirstContainerHasThePoolsImageAndTheOthersTheTemplates() {
    ObjectNode pod = Pods.with(held("running"), "side", "log:1", '3', "c3");
    ObjectNode template =
        Pods.with(Pods.pod("t", "", "own:1", '1', "c"), "side", "quiet:1", '1', "c");

    assertThat(ReleaseOptions.idleImages(pod, pool(template, "")))
        .isEqualTo(Map.of("sandbox", "own:1", "side", "quiet:1"));
    assertThat(ReleaseOptions.idleImages(pod, pool(template, "pause")))
        .isEqualTo(Map.of("sandbox", "pause", "side", "quiet:1"));
    assertThat(ReleaseOptions.idleImages(pod, pool(null, "pause")))
        .isEqualTo(Map.of("sandbox", "pause"));
    ObjectNode bare = held("running");
    Pods.spec(bare).putArray("containers");
    assertThat(ReleaseOptions.of(bare, spec, "s-1", Stop.RELEASED, NAMES, NOW).containerImages())
        .isEmpty();
  }

  @Test
  void aNewPodIsIdleFromItsFirstMoment() {
    ObjectNode template = Objects.requireNonNull(spec.template());
    PodTemplate plain = new PodTemplate(spec, template, NAMES);

    ObjectNode pod = plain.pod("pool-1");

    assertThat(pod.at("/metadata/name").asText()).isEqualTo("pool-1");
    assertThat(pod.at("/metadata/labels/app").asText()).isEqualTo("sandbox");
    assertThat(pod.path("metadata").path("labels").path(NAMES.phase()).asText()).isEqualTo("idle");
    assertThat(pod.at("/metadata/finalizers/0").asText()).isEqualTo(NAMES.finalizer());
    assertThat(pod.at("/spec/containers/0/image").asText()).isEqualTo("pause:3.10");
    assertThat(template.path("metadata").has("finalizers")).as("is a copy").isFalse();
    PodTemplate other = new PodTemplate(pool(template, "quiet:1"), template, NAMES);
    assertThat(other.pod("x").at("/spec/containers/0/image").asText()).isEqualTo("quiet:1");
    assertThat(other.hash()).isNotEqualTo(plain.hash()).hasSize(8);
    ObjectNode nothing = Pods.JSON.createObjectNode();
    assertThat(new PodTemplate(pool(nothing, "quiet:1"), nothing, NAMES).pod("x").path("spec"))
        .isEmpty();
  }

  @Test
  void theBookKnowsTheNewestOfEachPodAndWhoseItIs() {
    PoolPods pods = new PoolPods(NAMES);
    ObjectNode first = held("running");
    assertThat(pods.put(PodObject.of(first))).isTrue();
    assertThat(pods.put(PodObject.of(first))).as("no news").isFalse();
    assertThat(pods.ofSandbox("s-1")).isPresent();
    ObjectNode twin = held("running");
    ((ObjectNode) twin.path("metadata")).put("uid", "twin").put("name", "q");
    pods.put(PodObject.of(twin));
    assertThat(pods.ofSandbox("s-1").orElseThrow().uid()).isEqualTo("uid-p");
    assertThat(pods.isDuplicate(PodObject.of(twin))).as("nobody was told of one").isFalse();

    assertThat(pods.returned("s-1", "twin").orElseThrow().uid()).isEqualTo("uid-p");

    assertThat(pods.isDuplicate(PodObject.of(first))).isTrue();
    assertThat(pods.isDuplicate(PodObject.of(twin))).isFalse();
    assertThat(pods.returned("s-1", "twin")).isEmpty();
    ObjectNode back = label(first.deepCopy(), NAMES.id(), "");
    ((ObjectNode) back.path("metadata")).put("resourceVersion", "2");
    pods.put(PodObject.of(back));
    assertThat(pods.ofSandbox("s-1").orElseThrow().uid()).isEqualTo("twin");
    assertThat(pods.remove("twin")).isPresent();
    assertThat(pods.ofSandbox("s-1")).isEmpty();
    assertThat(pods.put(PodObject.of(twin))).as("late news of one that is gone").isFalse();
    assertThat(pods.remove("twin")).isEmpty();
    assertThat(pods.all()).hasSize(1);
    for (int i = 0; i < 5000; i++) {
      pods.remove("u" + i);
    }
    assertThat(pods.put(PodObject.of(twin))).as("nobody remembers for ever").isTrue();
  }

  @Test
  void idsAreForgottenAfterAWhileAndWhenThereAreTooMany() {
    RecentIds ids = new RecentIds();
    ids.add("a", NOW);
    assertThat(ids.contains("a", NOW.plusSeconds(599))).isTrue();
    assertThat(ids.contains("a", NOW.plusSeconds(600))).isFalse();
    ids.remove("a");
    assertThat(ids.contains("a", NOW)).isFalse();
    List.of("b", "c").forEach(id -> ids.add(id, NOW));
    for (int i = 0; i < 9_999; i++) {
      ids.add("n" + i, NOW);
    }
    assertThat(ids.contains("b", NOW)).isFalse();
    assertThat(ids.contains("c", NOW)).isTrue();
  }
}
