package dev.vertlet.kubelet.podworker;

import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.LogReads;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.RuntimeCalls;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.LogRequest;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.jspecify.annotations.Nullable;

/**
 * Reads termination messages from logs.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/kuberuntime_container.go">
 *     readLastStringFromContainerLogs, kubelet 1.36.3</a>
 */
final class MessageActions {
  private static final long LINES = 80;
  private static final int BYTES = 2048;

  /** The client of these reads never disconnects. */
  private static final Future<Void> NEVER = Promise.<Void>promise().future();

  private final RuntimeCalls calls;
  private final ContainerRuntime runtime;

  MessageActions(CoreEnv env, RuntimeCalls calls) {
    this.calls = calls;
    this.runtime = env.runtime();
  }

  void read(PodState pod, ContainerSlot slot) {
    slot.readingMessage();
    ContainerRecord ended = slot.current();
    if (ended == null) {
      return;
    }
    pod.logReads(pod.logReads().with(ended.id(), calls.now()));
    ContainerTarget target =
        new ContainerTarget(
            pod.view().ref(),
            pod.node(),
            slot.name(),
            ended.id(),
            new ContainerTarget.Facts(pod.view(), ended.state()));
    LogRequest request =
        new LogRequest(target, false, false, false, null, LINES, null, LogRequest.Stream.ALL);
    LogTail tail = new LogTail(BYTES);
    calls.look(
        pod,
        null,
        () -> runtime.streams().logs(request, tail, NEVER),
        (nothing, failure) -> {
          boolean awaited = pod.logReads().instances().contains(ended.id());
          pod.logReads(pod.logReads().without(ended.id()));
          if (awaited) {
            slot.says(ended.id(), message(tail, failure));
            pod.changed();
          }
        });
  }

  void giveUp(PodState pod) {
    pod.logReads(LogReads.NONE);
    pod.changed();
  }

  private static String message(LogTail tail, @Nullable Throwable failure) {
    if (failure == null) {
      return tail.text();
    }
    return ProviderException.kindOf(failure) == ProviderException.Kind.UNSUPPORTED
        ? ""
        : "Error on reading termination message from logs: " + RuntimeCalls.text(failure);
  }
}
