package dev.vertlet.sandbox.pool;

import static dev.vertlet.sandbox.Pods.NAMES;
import static dev.vertlet.sandbox.Pods.annotate;
import static dev.vertlet.sandbox.Pods.label;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.loop.Env;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.sandbox.PodApi;
import dev.vertlet.sandbox.Pods;
import dev.vertlet.sandbox.SandboxOperations;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The pool gives up a start after a minute, ends what is unused for 90 s and replaces what failed.
 */
class PodRulesTest {
  private static final Instant BEGUN = Instant.parse("2026-01-01T00:00:00Z");

  private final PoolSpec spec = PoolSimulation.spec(1);
  private final PodTemplate template =
      new PodTemplate(spec, Objects.requireNonNull(spec.template()), NAMES);
  private final PodRules rules = rules(spec, true);

  private PodRules rules(PoolSpec pool, boolean made) {
    FakeLoop loop = new FakeLoop();
    PodApi unused =
        new SimulatedController(
            pool,
            loop,
            new SimulatedPods(loop, new Random(1)),
            new Random(1),
            PoolMutant.NONE,
            0,
            new SimpleMeterRegistry());
    SandboxOperations operations =
        new SandboxOperations(
            unused, NAMES, loop, new Env(loop, () -> 0, new Random(1), new SimpleMeterRegistry()));
    return new PodRules(pool, operations, made ? template : null);
  }

  private ObjectNode pod(String phase) {
    return label(
        Pods.pod("p", phase, "pause:3.10", '1', "c1"), NAMES.templateHash(), template.hash());
  }

  private ObjectNode pod(String phase, String state) {
    return annotate(
        pod(phase),
        NAMES.state(),
        "{\"phase\":\"%s\",\"targetPodPhase\":\"running\",\"updateTimestamp\":\"%s\"}"
            .formatted(state, BEGUN));
  }

  private PodStep next(ObjectNode pod, long seconds) {
    return rules.next(pod, BEGUN.plusSeconds(seconds));
  }

  @Test
  void anIdlePodThatIsReadyIsOffered() {
    assertThat(next(pod("idle"), 0)).isEqualTo(PodStep.OFFER);
    ObjectNode unready = pod("idle");
    Pods.status(unready).putArray("conditions").addObject().put("type", "PodScheduled");
    assertThat(next(unready, 0)).isEqualTo(PodStep.NOTHING);
    assertThat(next(annotate(pod("idle"), NAMES.scaleDownProtected(), BEGUN.toString()), 0))
        .isEqualTo(PodStep.NOTHING);
  }

  @Test
  void oneOfAnotherTemplateIsMadeAnewWhileItIsIdle() {
    assertThat(next(label(pod("idle"), NAMES.templateHash(), "other"), 0)).isEqualTo(PodStep.RENEW);
    assertThat(next(label(pod("running", "completed"), NAMES.templateHash(), "other"), 0))
        .isEqualTo(PodStep.NOTHING);
    assertThat(rules(spec, false).next(label(pod("idle"), NAMES.templateHash(), "other"), BEGUN))
        .as("without a template there is no other one")
        .isEqualTo(PodStep.OFFER);
  }

  @ParameterizedTest
  @CsvSource({
    "starting, 60, LOOK",
    "starting, 61, GIVE_UP",
    "stopping, 60, LOOK",
    "stopping, 61, REMOVE"
  })
  void whatIsUnderWayHasItsTime(String phase, long seconds, PodStep step) {
    assertThat(next(pod(phase, phase), seconds)).isEqualTo(step);
  }

  @Test
  void aClaimMayHaveTimesOfItsOwn() {
    ObjectNode patient = annotate(pod("starting", "starting"), NAMES.startupTimeout(), "120");
    assertThat(next(patient, 120)).isEqualTo(PodStep.LOOK);
    assertThat(next(patient, 121)).isEqualTo(PodStep.GIVE_UP);
    ObjectNode odd = annotate(pod("starting", "starting"), NAMES.startupTimeout(), "soon");
    assertThat(next(odd, 61)).as("the pool's").isEqualTo(PodStep.GIVE_UP);
  }

  @Test
  void whatNobodyUsesEnds() {
    ObjectNode used = annotate(pod("running", "completed"), NAMES.lastActive(), BEGUN.toString());
    assertThat(next(used, 90)).isEqualTo(PodStep.NOTHING);
    assertThat(next(used, 91)).isEqualTo(PodStep.END_UNUSED);
    assertThat(next(annotate(used.deepCopy(), NAMES.idleTimeout(), "0"), 999))
        .as("never")
        .isEqualTo(PodStep.NOTHING);
    assertThat(next(pod("running", "completed"), 999))
        .as("nobody can tell")
        .isEqualTo(PodStep.NOTHING);
  }

  @Test
  void whatDiedEnds() {
    ObjectNode pod = pod("running");
    annotate(
        pod,
        NAMES.state(),
        "{\"phase\":\"completed\",\"targetPodPhase\":\"running\",\"stableContainerStatuses\":"
            + "{\"sandbox\":{\"containerID\":\"c0\",\"restartCount\":0}}}");

    assertThat(next(pod, 0)).isEqualTo(PodStep.END_RESTARTED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Failed", "Succeeded"})
  void aPodThatIsOverIsReplaced(String phase) {
    for (String label : new String[] {"idle", "starting", "running", "stopping"}) {
      ObjectNode pod = pod(label);
      Pods.status(pod).put("phase", phase);
      assertThat(next(pod, 0)).isEqualTo(PodStep.REMOVE);
    }
    assertThat(next(pod("failed"), 0)).isEqualTo(PodStep.REMOVE);
  }

  @Test
  void unlessThePoolKeepsThem() {
    PoolSpec keeps =
        new PoolSpec(
            spec.namespace(),
            spec.name(),
            spec.selector(),
            spec.size(),
            spec.template(),
            spec.idleImage(),
            spec.claimTimeout(),
            spec.startupTimeout(),
            Duration.ZERO,
            false);

    assertThat(rules(keeps, true).next(pod("failed"), BEGUN)).isEqualTo(PodStep.NOTHING);
  }

  @Test
  void whatIsBeingDeletedIsLetGoOnce() {
    ObjectNode pod = pod("running", "completed");
    ObjectNode metadata = (ObjectNode) pod.path("metadata");
    metadata.put("deletionTimestamp", BEGUN.toString());
    assertThat(next(pod, 0)).isEqualTo(PodStep.NOTHING);
    metadata.putArray("finalizers").add(NAMES.finalizer());
    assertThat(next(pod, 0)).isEqualTo(PodStep.LET_GO);
  }

  @Test
  void aStateThatIsUnreadableEndsWhatNobodyHas() {
    assertThat(next(annotate(pod("starting"), NAMES.state(), "{"), 0)).isEqualTo(PodStep.REMOVE);
    assertThat(next(annotate(pod("stopping"), NAMES.state(), "{"), 0)).isEqualTo(PodStep.REMOVE);
    assertThat(next(annotate(pod("running"), NAMES.state(), "{"), 0)).isEqualTo(PodStep.NOTHING);
  }

  @Test
  void whatIsInNoPhaseIsLeftAlone() {
    assertThat(next(pod(""), 999)).isEqualTo(PodStep.NOTHING);
    assertThat(next(pod("odd"), 999)).isEqualTo(PodStep.NOTHING);
  }
}
