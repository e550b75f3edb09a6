package dev.vertlet.simulated.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.LogRequest.Stream;
import dev.vertlet.simulated.FakeTime;
import dev.vertlet.simulated.Lab;
import dev.vertlet.simulated.Plan;
import dev.vertlet.simulated.Planner;
import dev.vertlet.simulated.Pods;
import dev.vertlet.simulated.stream.LogText;
import dev.vertlet.testsupport.Seeds;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Whatever a pod's annotations say: it is done, or refused in words that name the annotation; and a
 * pod that runs already is not lost by it.
 */
class AnnotationsFuzzTest {
  private static final HandlerView COMMAND = new HandlerView.Exec(List.of("true"));

  /** Goes into a status, an event and the log. */
  private static final int LONGEST = 1_000;

  @Test
  void areObeyedOrRefused() {
    int seeds = Seeds.count(300, 1_500);
    int refused = 0;
    for (long seed = 0; seed < seeds; seed++) {
      PodView pod = AnnotatedPods.pod(seed);
      try {
        Annotations.check(pod);
        obeyed(pod);
      } catch (ProviderException e) {
        refused++;
        assertThat(e.kind()).isEqualTo(ProviderException.Kind.INVALID);
        String message = String.valueOf(e.getMessage());
        assertThat(message).as("seed %d", seed).hasSizeLessThan(LONGEST);
        assertThat(pod.annotations().keySet())
            .as("seed %d: %s", seed, message)
            .anyMatch(key -> message.startsWith("annotation " + key + "=\""));
      } catch (Throwable e) {
        fail("seed %d: %s".formatted(seed, pod.annotations()), e);
      }
    }
    assertThat(refused).isBetween(seeds / 4, seeds - seeds / 10);
  }

  @Test
  void doNotHarmWhatRuns() {
    for (long seed = 0; seed < Seeds.count(100, 500); seed++) {
      PodView pod = AnnotatedPods.pod(seed);
      try {
        lookInto(pod, new Planner(42, List.of()));
      } catch (Throwable e) {
        fail("seed %d: %s".formatted(seed, pod.annotations()), e);
      }
    }
  }

  /** Its whole life, and all that is asked of it meanwhile. */
  private static void obeyed(PodView pod) {
    Lab lab = Lab.with();
    Future<?> sandbox = lab.runtime.runSandbox(pod, 0);
    lab.time.advance(Duration.ofMinutes(5));
    if (!sandbox.succeeded()) {
      lab.runtime.removeSandbox(pod.ref());
      return;
    }
    ContainerView main = Pods.container("main");
    lab.runtime.pull(pod, main);
    Future<ContainerRecord> start = lab.runtime.startContainer(pod, main, 0, "image-id");
    lab.time.advance(Duration.ofMinutes(5));
    lab.runtime.usage(pod.nodeName()).result();
    lab.runtime.stats(pod.nodeName()).result();
    if (start.succeeded()) {
      String id = start.result().id();
      for (ProbeKind kind : ProbeKind.values()) {
        ProbeView probe = new ProbeView(COMMAND, 0, 1, 10, 1, 3, null);
        lab.runtime.probe(new ProbeRequest(pod, "10.0.0.9", main, id, kind, probe));
      }
      for (HookRequest.Moment moment : HookRequest.Moment.values()) {
        lab.runtime.runHook(new HookRequest(pod, "10.0.0.9", main, id, moment, COMMAND));
      }
      lab.runtime.updateResources(pod, main, id);
      lab.time.advance(Duration.ofDays(400));
      lab.runtime.stats(pod.nodeName()).result();
      lab.runtime.stopContainer(pod.ref(), id, Duration.ofSeconds(1));
      lab.time.advance(Duration.ofMinutes(5));
    }
    lookInto(pod, new Planner(42, List.of()));
    lab.runtime.removeSandbox(pod.ref());
  }

  private static void lookInto(PodView pod, Planner planner) {
    for (String container : List.of("main", "first")) {
      Plan plan = planner.plan(pod, container, 1);
      assertThat(plan.startDelay()).isNotNegative();
      planner.resize(pod, container, 1);
      ContainerOutput talk = planner.talk(pod, container);
      ContainerTarget target =
          new ContainerTarget(pod.ref(), pod.nodeName(), container, "simulated://1");
      LogText log =
          new LogText(
              talk, 42, target, new ContainerStateView.Running(FakeTime.START), Long.MAX_VALUE);
      long count = log.count(LogText.nanos(FakeTime.START.plusSeconds(60)));
      assertThat(count).isPositive();
      log.line(log.next(count / 2, Stream.ALL));
    }
    assertThat(planner.ports(pod)).isNotNull();
    assertThat(Map.copyOf(pod.annotations())).isEqualTo(pod.annotations());
  }
}
