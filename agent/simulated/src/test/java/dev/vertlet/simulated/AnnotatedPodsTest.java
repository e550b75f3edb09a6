package dev.vertlet.simulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kubelet.KubeletCore;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.ProviderGuard;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.simulated.rule.AnnotatedPods;
import dev.vertlet.simulated.rule.Annotations;
import dev.vertlet.testsupport.Seeds;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pods whose annotations say what nobody would, run by a kubelet core: none hangs in silence. */
@ExtendWith(VertxExtension.class)
class AnnotatedPodsTest {
  private static final String NODE = "node-1";

  private final Planner planner = new Planner(1, List.of());
  private Recorder recorder;

  @BeforeEach
  void record(Vertx vertx) {
    recorder = new Recorder(vertx);
  }

  /** What became of a pod. */
  private enum End {
    RAN,
    /** It fails, and status and event name the annotation. */
    REFUSED,
    /** An event says what its annotation says that it shall say. */
    FAILS_AS_TOLD,
    /** It was told to take its time. */
    WAITS_AS_TOLD
  }

  @Test
  void runOrSayWhyNot(Vertx vertx) {
    Queue<Throwable> escaped = new ConcurrentLinkedQueue<>();
    vertx.exceptionHandler(escaped::add);
    SimulatedRuntime runtime = Lab.onVertx(vertx, "10.0.0.0/14");
    KubeletCore core = Lab.core(ProviderGuard.of(runtime));
    List<PodView> pods = Seeds.range(40, 120).mapToObj(AnnotatedPods::pod).toList();
    Context context = vertx.getOrCreateContext();
    context.runOnContext(
        v -> core.start(recorder).onSuccess(w -> pods.forEach(pod -> core.create(pod))));

    Map<End, Integer> ends = new EnumMap<>(End.class);
    for (PodView pod : pods) {
      await(pod.name() + pod.annotations())
          .pollInterval(Duration.ofMillis(5))
          .until(() -> end(pod) != null);
      ends.merge(end(pod), 1, Integer::sum);
    }

    assertThat(ends).containsOnlyKeys(End.values());
    assertThat(escaped).isEmpty();
  }

  private @Nullable End end(PodView pod) {
    PodReport report = recorder.reports.get(pod.ref());
    if (report == null) {
      return null;
    }
    try {
      Annotations.check(pod);
    } catch (ProviderException e) {
      return refused(pod, report, e) ? End.REFUSED : null;
    }
    PodPhase phase = report.status().phase();
    if (phase == PodPhase.RUNNING || phase.terminal()) {
      return End.RAN;
    }
    if (messages(pod).anyMatch(message -> tells(pod, message))) {
      return End.FAILS_AS_TOLD;
    }
    Plan first = planner.plan(pod, "first", 0);
    boolean firstGoesOn = first.runFor() > 0 || first.end().exitCode() != 0;
    return firstGoesOn || slow(first) || slow(planner.plan(pod, "main", 0))
        ? End.WAITS_AS_TOLD
        : null;
  }

  private boolean refused(PodView pod, PodReport report, ProviderException why) {
    return report.status().phase() == PodPhase.FAILED
        && "InvalidAnnotation".equals(report.status().reason())
        && String.valueOf(report.status().message()).contains(why.getMessage())
        && messages(pod).anyMatch(message -> message.contains(why.getMessage()));
  }

  private Stream<String> messages(PodView pod) {
    return recorder.events.stream()
        .filter(event -> event.uid().equals(pod.uid()) && event.type().equals("Warning"))
        .map(event -> event.message());
  }

  private boolean tells(PodView pod, String message) {
    return Stream.of("first", "main")
        .map(container -> planner.plan(pod, container, 0).errors())
        .flatMap(errors -> Stream.of(errors.sandbox(), errors.pull(), errors.start()))
        .anyMatch(error -> error != null && message.contains(error));
  }

  private static boolean slow(Plan plan) {
    return plan.sandboxDelay() > 0 || plan.pullDelay() > 0 || plan.startDelay() > 0;
  }
}
