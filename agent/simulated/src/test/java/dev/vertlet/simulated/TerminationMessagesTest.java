package dev.vertlet.simulated;

import static dev.vertlet.simulated.Pods.pod;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kubelet.KubeletCore;
import dev.vertlet.model.container.ContainerExitView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What simulated containers leave when they end. */
@ExtendWith(VertxExtension.class)
class TerminationMessagesTest {
  private final Lab lab = Lab.with();

  @ParameterizedTest
  @CsvSource({"exit-code, 3", "exit-code, 0", "oom-after, 1s"})
  void aContainerLeavesItsMessageHoweverItEndsByItself(String setting, String value) {
    lab.run(
        pod("a")
            .annotate("run-for", "2s")
            .annotate(setting, value)
            .annotate("termination-message", "{container} of {namespace}/{pod} on {node}")
            .view());

    lab.time.advance(ofSeconds(3));

    assertThat(lab.lastEnd().message()).isEqualTo("main of default/a on node-1");
  }

  @ParameterizedTest
  @CsvSource({"0", "30"})
  void aContainerThatIsStoppedLeavesItAsWell(long grace) {
    PodView view = pod("a").annotate("termination-message", "bye").view();
    String id = lab.run(view).id();

    Lab.get(lab.runtime.stopContainer(view.ref(), id, ofSeconds(grace)));

    assertThat(lab.lastEnd().message()).isEqualTo("bye");
  }

  @Test
  void onlyTheLastBytesOfAMessageAreRead() {
    lab.run(
        pod("a")
            .annotate("run-for", "1s")
            .annotate("termination-message", "a" + "ä".repeat(2048))
            .view());

    lab.time.advance(ofSeconds(2));

    assertThat(lab.lastEnd().message()).isEqualTo("ä".repeat(2048));
  }

  @Test
  void aMessageOfThePodIsThatOfItsRegularContainers() {
    PodView view = pod("a").init("first").annotate("termination-message", "bye").view();
    Lab.get(lab.runtime.runSandbox(view, 0));
    lab.start(view, "first", 0);

    assertThat(lab.lastEnd().message()).isNull();
  }

  @Test
  void withoutASettingAContainerLeavesNone() {
    lab.run(pod("a").annotate("run-for", "1s").annotate("exit-code", "1").view());

    lab.time.advance(ofSeconds(2));

    assertThat(lab.lastEnd().message()).isNull();
  }

  /** The log of a simulated container is there however fast it was. */
  @Test
  void aContainerThatFailsInSilenceShowsTheEndOfItsLog(Vertx vertx) {
    SimulatedRuntime runtime = Lab.onVertx(vertx, "10.0.0.0/24");
    KubeletCore core = Lab.core(runtime);
    PodView view =
        pod("a")
            .container(
                Pods.container("main")
                    .withRestarts(RestartPolicy.NEVER, new ContainerExitView(List.of(), true)))
            .annotate("run-for", "1s")
            .annotate("exit-code", "1")
            .annotate("log-rate", "200/s")
            .view();
    Recorder recorder = new Recorder(vertx);
    vertx
        .getOrCreateContext()
        .runOnContext(v -> core.start(recorder).onSuccess(w -> core.create(view)));

    await()
        .pollInterval(Duration.ofMillis(20))
        .until(() -> end(recorder.reports.get(view.ref())) != null);

    String message = String.valueOf(end(recorder.reports.get(view.ref())));
    assertThat(message.getBytes(java.nio.charset.StandardCharsets.UTF_8).length)
        .isBetween(1500, 2048);
    assertThat(message.lines().count()).isBetween(40L, 80L);
    assertThat(message).contains("request ").endsWith("\n");
  }

  private static @Nullable String end(@Nullable PodReport report) {
    if (report == null || report.status().containerStatuses().isEmpty()) {
      return null;
    }
    ContainerStateView state = report.status().containerStatuses().get(0).state();
    return state instanceof Terminated end ? end.message() : null;
  }
}
