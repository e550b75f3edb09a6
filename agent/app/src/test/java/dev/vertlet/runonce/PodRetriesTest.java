package dev.vertlet.runonce;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.Manifests;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.runonce.PodRetries.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** kubelet §8 and C45: how long one run waits for a pod. */
class PodRetriesTest {
  private static final ContainerStateView RUNS = new Running(Instant.EPOCH);
  private static final ContainerStateView WAITS = new Waiting("ContainerCreating", null);
  private static final PodView POD = pod();

  private final PodRetries tries = new PodRetries(POD);

  private static PodView pod() {
    String text =
        "{apiVersion: v1, kind: Pod, metadata: {name: web, uid: u}, spec: {containers: [{name: a,"
            + " image: x}, {name: b, image: x}]}}";
    try {
      return new Manifests("node", Manifests.FILE).pod(text.getBytes(UTF_8), "web").view();
    } catch (ManifestException e) {
      throw new AssertionError(e);
    }
  }

  private static PodStatusView status(
      PodPhase phase, @Nullable String reason, ContainerStateView... states) {
    List<ContainerStatusView> containers = new ArrayList<>();
    for (int i = 0; i < states.length; i++) {
      containers.add(container("ab".substring(i, i + 1), states[i]));
    }
    return new PodStatusView(
        phase,
        reason,
        reason == null ? null : "too little",
        null,
        List.of(),
        null,
        null,
        List.of(),
        List.of(),
        containers,
        List.of());
  }

  private static ContainerStatusView container(String name, ContainerStateView state) {
    return new ContainerStatusView(name, "x", "", null, 0, false, null, state, null);
  }

  @Test
  void runsWhenAllItsContainersRun() {
    assertThat(tries.next(status(PodPhase.PENDING, null, RUNS, WAITS)))
        .isInstanceOf(Verdict.Wait.class);
    assertThat(tries.next(status(PodPhase.RUNNING, null, RUNS, RUNS)))
        .isInstanceOf(Verdict.Runs.class);
  }

  @Test
  void aPodThatIsDoneAlreadyRan() {
    assertThat(tries.next(status(PodPhase.SUCCEEDED, null))).isInstanceOf(Verdict.Runs.class);
  }

  @Test
  void aPodThatFailedIsNotWaitedFor() {
    assertThat(tries.next(status(PodPhase.FAILED, "OutOfcpu")))
        .isEqualTo(new Verdict.Fails("pod \"web-node_default(u)\" failed: OutOfcpu: too little"));
    assertThat(tries.next(status(PodPhase.FAILED, null)))
        .isEqualTo(new Verdict.Fails("pod \"web-node_default(u)\" failed:"));
  }

  @Test
  @Tag("C45")
  void c45WaitsTenTimesEachTwiceAsLong() {
    List<Long> waits = new ArrayList<>();
    Verdict verdict = tries.next(null);
    while (verdict instanceof Verdict.Wait wait) {
      waits.add(wait.delay().toSeconds());
      verdict = tries.next(status(PodPhase.PENDING, null, WAITS, WAITS));
    }
    assertThat(waits).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L);
    assertThat(waits.stream().map(Duration::ofSeconds).reduce(Duration.ZERO, Duration::plus))
        .isEqualTo(Duration.ofSeconds(1023));
    assertThat(verdict)
        .isEqualTo(
            new Verdict.Fails(
                "timeout error: pod \"web-node_default(u)\" containers not running after 10"
                    + " retries"));
  }
}
