package dev.vertlet.simulated;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.simulated.rule.Annotations;
import dev.vertlet.simulated.rule.HookScript;
import dev.vertlet.simulated.rule.ProbeAnswers;
import dev.vertlet.simulated.rule.RuleKey;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The runtime's calls for one container, answered by rule. */
final class SimulatedContainers {
  /** Pods of this operating system have no users to report in a status. */
  private static final String WINDOWS = "windows";

  private final Clock clock;
  private final DeadlineQueue queue;
  private final PodTable pods;
  private final Planner planner;
  private final InstanceDriver driver;

  SimulatedContainers(
      Clock clock, DeadlineQueue queue, PodTable pods, Planner planner, InstanceDriver driver) {
    this.clock = clock;
    this.queue = queue;
    this.pods = pods;
    this.planner = planner;
    this.driver = driver;
  }

  /** Starts a container, once per attempt. It appears after its start delay. */
  Future<ContainerRecord> start(
      PodView view, ContainerView container, int attempt, String imageId) {
    SimulatedPod pod = pods.find(view.ref());
    if (pod == null) {
      return failed("SandboxNotFound", "pod " + view.ref().display() + " has no sandbox");
    }
    Instance known = pod.byName(container.name());
    if (known != null && known.record().attempt() == attempt) {
      return driver.started(known);
    }
    if (known != null && (!known.ended() || known.record().attempt() > attempt)) {
      return failed("RunContainerError", outOfTurn(known, attempt));
    }
    try {
      Annotations.check(view);
    } catch (ProviderException e) {
      return Future.failedFuture(e);
    }
    Plan plan = planner.plan(view, container.name(), attempt);
    ContainerRecord record = created(view, container, attempt, imageId);
    Instance instance = Instance.created(pod, record, plan, clock.millis());
    pod.add(instance);
    return driver.start(instance, plan.errors().start());
  }

  private static String outOfTurn(Instance known, int attempt) {
    return "container %s: cannot start attempt %d, attempt %d %s"
        .formatted(
            known.record().name(),
            attempt,
            known.record().attempt(),
            known.ended() ? "was the last one" : "has not ended");
  }

  private static ContainerRecord created(
      PodView view, ContainerView container, int attempt, String imageId) {
    return new ContainerRecord(
        Ids.container(view.uid(), container.name(), attempt),
        container.name(),
        attempt,
        container.image(),
        imageId,
        new ContainerStateView.Waiting("ContainerCreating", null),
        null,
        null,
        WINDOWS.equals(view.spec().placement().os()) ? null : container.user());
  }

  Future<Void> stop(PodRef ref, String containerId, Duration grace) {
    SimulatedPod pod = pods.find(ref);
    Instance instance = pod == null ? null : pod.byId(containerId);
    return instance == null || instance.ended()
        ? Future.succeededFuture()
        : driver.stop(instance, grace);
  }

  Future<Void> remove(PodRef ref, String containerId) {
    SimulatedPod pod = pods.find(ref);
    return pod == null || pod.forget(containerId)
        ? Future.succeededFuture()
        : failed("RemoveContainerError", "container " + containerId + " has not ended");
  }

  /** Answers by rule; a hanging probe never completes. */
  Future<ProbeResult> probe(ProbeRequest request) {
    Instance instance = running(request.pod().ref(), request.containerId());
    return instance == null
        ? ProbeAnswers.error("container " + request.container().name() + " does not run")
        : ProbeAnswers.of(instance.probe(request.kind(), clock.millis()), request);
  }

  /** Runs a hook by rule; without a rule it succeeds at once. */
  Future<Void> runHook(HookRequest request) {
    Instance instance = running(request.pod().ref(), request.containerId());
    if (instance == null) {
      String name = request.container().name();
      return failed("HookFailed", "container " + name + " does not run");
    }
    HookScript script = instance.hook(request.moment());
    if (script == null) {
      return Future.succeededFuture();
    }
    ContainerRecord record = instance.record();
    RuleKey salt =
        request.moment() == HookRequest.Moment.POST_START ? RuleKey.POST_START : RuleKey.PRE_STOP;
    long takes = planner.hook(request.pod(), record.name(), record.attempt(), salt, script.takes());
    return queue.call(
        Plan.after(clock.millis(), takes),
        () ->
            script.fails()
                ? failed("HookFailed", "command exited with 1")
                : Future.succeededFuture());
  }

  /** Resizes by rule; memory that a container uses cannot be taken from it. */
  Future<Void> resize(PodView view, ContainerView container, String containerId) {
    Instance instance = running(view.ref(), containerId);
    if (instance == null) {
      return failed("ResizeError", "container " + container.name() + " does not run");
    }
    int attempt = instance.record().attempt();
    String error = planner.plan(view, container.name(), attempt).errors().resize();
    String limit = container.resources().limits().get("memory");
    long takes = planner.resize(view, container.name(), attempt);
    return queue.call(
        Plan.after(clock.millis(), takes),
        () -> {
          String refusal = error == null ? instance.memoryRefusal(limit, clock.millis()) : error;
          return refusal == null ? Future.succeededFuture() : failed("ResizeError", refusal);
        });
  }

  private @Nullable Instance running(PodRef ref, String containerId) {
    SimulatedPod pod = pods.find(ref);
    Instance instance = pod == null ? null : pod.byId(containerId);
    return instance != null && instance.running() ? instance : null;
  }

  private static <T> Future<T> failed(String reason, String message) {
    return Future.failedFuture(
        new ProviderException(ProviderException.Kind.TEMPORARY, reason, message));
  }
}
