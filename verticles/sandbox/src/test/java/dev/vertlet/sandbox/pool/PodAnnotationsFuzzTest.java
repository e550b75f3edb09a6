package dev.vertlet.sandbox.pool;

import static dev.vertlet.sandbox.Pods.NAMES;
import static dev.vertlet.sandbox.Pods.annotate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.loop.Env;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.sandbox.FakeResolver;
import dev.vertlet.sandbox.InplaceState;
import dev.vertlet.sandbox.PodApi;
import dev.vertlet.sandbox.Pods;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import dev.vertlet.sandbox.SandboxOperations;
import dev.vertlet.sandbox.pool.claim.Sandbox;
import dev.vertlet.testsupport.Seeds;
import dev.vertlet.testsupport.fuzz.JsonFuzz;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever somebody writes into the annotations of an update or of a claim. */
class PodAnnotationsFuzzTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:05:00Z");
  private static final JsonObject STATE =
      new JsonObject(
          """
          {"phase": "starting", "targetImage": "app:2", "targetImages": {"sandbox": "app:2"},
           "targetPodPhase": "running", "updateTimestamp": "2026-01-01T00:00:00Z",
           "lastContainerStatuses": {"sandbox": {"imageID": "r@sha256:1", "containerID": "c1"}},
           "stableContainerStatuses": {"sandbox": {"containerID": "c2", "restartCount": 1}},
           "later": {"than": ["this"]}}\
          """);
  private static final List<String> PHASES =
      List.of("idle", "starting", "running", "stopping", "completed", "failed", "");

  private final PoolSpec spec = PoolSimulation.spec(1);
  private final SandboxOperations operations = operations(spec);

  private static SandboxOperations operations(PoolSpec spec) {
    FakeLoop loop = new FakeLoop();
    PodApi unused =
        new SimulatedController(
            spec,
            loop,
            new SimulatedPods(loop, new Random(1)),
            new Random(1),
            PoolMutant.NONE,
            0,
            new SimpleMeterRegistry());
    return new SandboxOperations(
        unused, NAMES, loop, new Env(loop, () -> 0, new Random(1), new SimpleMeterRegistry()));
  }

  private static ObjectNode pod(Random random) {
    JsonFuzz fuzz = new JsonFuzz(random);
    String phase = PHASES.get(random.nextInt(PHASES.size()));
    ObjectNode pod = Pods.pod("p", phase, "app:2", '1', "c1");
    JsonObject state = STATE.copy().put("phase", PHASES.get(random.nextInt(PHASES.size())));
    annotate(pod, NAMES.state(), random.nextInt(9) == 0 ? fuzz.text("null") : fuzz.mutant(state));
    for (String times : List.of(NAMES.lastActive(), NAMES.idleTimeout(), NAMES.startupTimeout())) {
      annotate(pod, times, fuzz.text("2026-01-01T00:00:00Z"));
    }
    annotate(pod, NAMES.managedLabels(), fuzz.text("[\"a\",\"b\"]"));
    annotate(pod, NAMES.managedAnnotations(), fuzz.text("[\"a\",\"b\"]"));
    return pod;
  }

  @Test
  void anUpdateIsReadOrRefusedByName() {
    int seeds = Seeds.count(300, 1_500);
    int refused = 0;
    for (long seed = 0; seed < seeds; seed++) {
      ObjectNode pod = pod(Seeds.random(seed));
      try {
        InplaceState read = InplaceState.of(pod, NAMES).orElse(null);
        if (read != null) {
          ObjectNode again = annotate(pod.deepCopy(), NAMES.state(), read.encode());
          assertThat(InplaceState.of(again, NAMES).map(InplaceState::encode))
              .isEqualTo(Optional.of(read.encode()));
        }
      } catch (SandboxException e) {
        refused++;
        assertThat(e.reason()).isEqualTo(Reason.UNREADABLE_STATE);
        assertThat(e.getMessage()).contains("annotation " + NAMES.state() + ": ");
      } catch (Throwable e) {
        fail("seed %d: %s".formatted(seed, pod), e);
      }
    }
    assertThat(refused).isBetween(seeds / 10, seeds - seeds / 10);
  }

  @Test
  void aPoolKnowsWhatToDoAboutEachPod() {
    PodRules rules = new PodRules(spec, operations, null);
    for (long seed = 0; seed < Seeds.count(160, 800); seed++) {
      ObjectNode pod = pod(Seeds.random(seed));
      try {
        assertThat(rules.next(PodObject.of(pod).tree(), NOW)).isNotNull();
        assertThat(rules.isServing(pod) && rules.isOver(pod)).isFalse();
        assertThat(Sandbox.of("pool", pod, NAMES)).isNotNull();
        assertThat(operations.isCompleted(pod, new FakeResolver()).isComplete()).isTrue();
        String phase = operations.phase(pod);
        if (phase.equals("starting") || phase.equals("running")) {
          ReleaseOptions.of(pod, spec, "", Stop.RELEASED, NAMES, NOW).check(NAMES);
        }
      } catch (Throwable e) {
        fail("seed %d: %s".formatted(seed, pod), e);
      }
    }
  }
}
