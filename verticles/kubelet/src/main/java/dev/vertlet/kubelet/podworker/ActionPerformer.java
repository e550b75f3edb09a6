package dev.vertlet.kubelet.podworker;

import dev.vertlet.kubelet.hook.HookActions;
import dev.vertlet.kubelet.image.ImageActions;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.PodAction;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.pod.PodFailure;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.RuntimeCalls;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.kubelet.probe.ProbeActions;
import dev.vertlet.kubelet.resize.ResizeActions;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.SandboxRecord;
import io.vertx.core.Future;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Performs a plan's actions on pods, and passes those on containers, images, hooks, probes, resizes
 * and messages to their own performers.
 */
final class ActionPerformer {
  /** Pause while the network is not ready (kubelet's backOffOnTransientErrorPeriod). */
  private static final long NETWORK_PAUSE = 1_000;

  private final ContainerRuntime runtime;
  private final RuntimeCalls calls;
  private final RandomGenerator random;
  private final PodEvents events;
  private final NetworkState network;
  private final SandboxConfigs sandboxes;
  private final PodVolumes volumes;
  private final ContainerActions containers;
  private final ImageActions images;
  private final HookActions hooks;
  private final ProbeActions probes;
  private final ResizeActions resizes;
  private final MessageActions messages;

  /**
   * @param pulled takes the name of a node after an image pull on it
   */
  ActionPerformer(
      CoreEnv env,
      RuntimeCalls calls,
      ContainerEnvironments environments,
      NetworkState network,
      Consumer<String> pulled) {
    this.runtime = env.runtime();
    this.calls = calls;
    this.random = env.random();
    this.events = env.events();
    this.network = network;
    this.sandboxes = new SandboxConfigs(environments, events);
    this.volumes = new PodVolumes(env, calls, environments);
    this.containers = new ContainerActions(env, calls, environments);
    this.images = new ImageActions(env, calls, pulled);
    this.hooks = containers.hooks();
    this.probes = new ProbeActions(env, calls);
    this.messages = new MessageActions(env, calls);
    this.resizes = new ResizeActions(env, calls);
  }

  void perform(PodState pod, PodAction action) {
    if (action instanceof PodAction.RunSandbox run) {
      runSandbox(pod, run.attempt());
    } else if (action instanceof PodAction.AwaitNetwork) {
      awaitNetwork(pod);
    } else if (action instanceof PodAction.RemoveSandbox) {
      removeSandbox(pod);
    } else if (action instanceof PodAction.CompletePod) {
      pod.end(calls.now());
    } else if (action instanceof PodAction.ReadMessage read) {
      messages.read(pod, read.slot());
    } else if (action instanceof PodAction.GiveUpMessages) {
      messages.giveUp(pod);
    } else if (action instanceof PodAction.RestartAll) {
      pod.restartAll();
    } else if (action instanceof PodAction.ResetContainers) {
      pod.resetContainers();
    } else if (action instanceof PodAction.FailPod fail) {
      events.normal(pod, fail.reason(), fail.message());
      pod.fail(PodFailure.of(fail.reason(), fail.message()));
      pod.end(calls.now());
    } else if (action instanceof PodAction.PostStart hook) {
      hooks.postStart(pod, hook.slot());
    } else if (action instanceof PodAction.EndHook hook) {
      hooks.end(pod, hook.slot());
    } else if (action instanceof PodAction.Probe probe) {
      probes.probe(pod, probe.slot(), probe.probe());
    } else if (action instanceof PodAction.GiveUpProbe late) {
      probes.giveUp(pod, late.slot(), late.probe());
    } else if (action instanceof PodAction.UpdateResources update) {
      resizes.update(pod, update.slot(), update.next());
    } else if (action instanceof PodAction.GiveUpUpdate) {
      resizes.giveUp(pod);
    } else if (action instanceof PodAction.CompleteResize) {
      resizes.complete(pod);
    } else if (!containers.perform(pod, action)) {
      images.perform(pod, action);
    }
  }

  private void runSandbox(PodState pod, int attempt) {
    if (!volumes.mounted(pod)) {
      return;
    }
    pod.sandbox(pod.sandbox().requested());
    PodView view = pod.view();
    calls.make(
        pod,
        RuntimeOperation.RUN_SANDBOX,
        () -> makeSandbox(pod, view, attempt),
        (sandbox, failure) -> {
          if (sandbox != null) {
            pod.sandbox(pod.sandbox().made(sandbox));
          } else if (failure == null || calls.refused(pod, failure)) {
            pod.sandbox(pod.sandbox().failed(0));
          } else {
            pod.sandbox(pod.sandbox().failed(calls.retryAt()));
            events.warning(
                pod,
                PodEvents.FAILED_CREATE_SANDBOX,
                "Failed to create pod sandbox: " + RuntimeCalls.text(failure));
          }
        });
  }

  private Future<SandboxRecord> makeSandbox(PodState pod, PodView view, int attempt) {
    return runtime.usesEnvironment()
        ? runtime.runSandbox(view, attempt, sandboxes.of(pod, view))
        : runtime.runSandbox(view, attempt);
  }

  private void awaitNetwork(PodState pod) {
    pod.networkAwaited(calls.now() + calls.stretched(NETWORK_PAUSE));
    events.warning(pod, PodEvents.NETWORK_NOT_READY, "network is not ready: " + network.problem());
  }

  private void removeSandbox(PodState pod) {
    pod.removing(calls.now());
    calls.call(
        pod,
        RuntimeOperation.REMOVE_SANDBOX,
        () -> runtime.removeSandbox(pod.view().ref()),
        (nothing, failure) -> {
          pod.removing(0);
          if (failure == null || RuntimeCalls.unknownToRuntime(failure)) {
            if (pod.life() == PodState.Life.RESTORING) {
              Adoption.recall(pod, calls.instant(), calls.backOff(pod), random);
            }
            pod.finish(calls.instant());
          } else {
            calls.killFailed(pod, failure);
          }
        });
  }
}
