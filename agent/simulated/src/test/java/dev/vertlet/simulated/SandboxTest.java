package dev.vertlet.simulated;

import static dev.vertlet.simulated.Lab.get;
import static dev.vertlet.simulated.Pods.pod;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.failure.ProviderException;
import io.vertx.core.Future;
import org.junit.jupiter.api.Test;

/** Sandboxes that take their time, and ends for want of memory. */
class SandboxTest {
  private final Lab lab = Lab.with();

  @Test
  void takesItsTime() {
    PodView view = pod("a").annotate("sandbox-delay", "3s").view();

    Future<SandboxRecord> made = lab.runtime.runSandbox(view, 0);
    Future<SandboxRecord> again = lab.runtime.runSandbox(view, 0);
    lab.time.advance(ofSeconds(2));
    assertThat(made.isComplete()).isFalse();
    assertThat(get(lab.runtime.list())).isEmpty();
    lab.time.advance(ofSeconds(1));

    assertThat(get(made).ips()).hasSize(1);
    assertThat(get(again)).isEqualTo(get(made));
    assertThat(get(lab.runtime.list())).hasSize(1);
    assertThat(lab.time.pending()).isZero();
  }

  @Test
  void failsAfterItsTime() {
    PodView view =
        pod("a").annotate("sandbox-delay", "3s").annotate("sandbox-error", "no network").view();

    Future<SandboxRecord> made = lab.runtime.runSandbox(view, 0);
    lab.time.advance(ofSeconds(3));

    assertThat(made.cause()).hasMessage("no network");
    assertThat(ProviderException.reasonOf(made.cause(), "")).isEqualTo("CreatePodSandboxError");
    assertThat(get(lab.runtime.list())).isEmpty();
    assertThat(lab.runtime.runSandbox(pod("b").annotate("sandbox-error", "no").view(), 0).failed())
        .isTrue();
  }

  @Test
  void isNotMadeForAPodThatIsGone() {
    PodView view = pod("a").annotate("sandbox-delay", "3s").view();

    Future<SandboxRecord> made = lab.runtime.runSandbox(view, 0);
    get(lab.runtime.removeSandbox(view.ref()));
    lab.time.advance(ofMinutes(1));

    assertThat(made.cause()).hasMessageContaining("removed before it was made");
    assertThat(get(lab.runtime.list())).isEmpty();
    assertThat(lab.time.pending()).isZero();
  }

  @Test
  void isNotMadeOnANodeThatIsAnothersOrByARuntimeThatStopped() {
    PodView here = pod("a").annotate("sandbox-delay", "never").view();
    PodView there = pod("b").on("node-2").annotate("sandbox-delay", "never").view();

    Future<SandboxRecord> first = lab.runtime.runSandbox(here, 0);
    Future<SandboxRecord> second = lab.runtime.runSandbox(there, 0);
    get(lab.runtime.release("node-1"));
    assertThat(first.cause()).hasMessageContaining("another agent may serve the node");
    assertThat(second.isComplete()).isFalse();
    get(lab.runtime.stop());

    assertThat(second.cause()).hasMessageContaining("stopped");
  }

  @Test
  void theNextAttemptTakesThePlaceOfOneThatHangs() {
    PodView view = pod("a").annotate("sandbox-delay", "3s").view();

    Future<SandboxRecord> hung = lab.runtime.runSandbox(view, 0);
    Future<SandboxRecord> next = lab.runtime.runSandbox(view, 1);
    lab.time.advance(ofSeconds(3));

    assertThat(hung.failed()).isTrue();
    assertThat(get(next).attempt()).isEqualTo(1);
  }

  @Test
  void aContainerThatTakesTooMuchMemoryIsKilled() {
    lab.run(pod("a").annotate("oom-after", "5s").annotate("run-for", "1m").view());

    lab.time.advance(ofSeconds(5));

    assertThat(lab.lastEnd().exitCode()).isEqualTo(137);
    assertThat(lab.lastEnd().reason()).isEqualTo("OOMKilled");
    assertThat(lab.lastEnd().finishedAt()).isEqualTo(FakeTime.START.plusSeconds(5));
  }
}
