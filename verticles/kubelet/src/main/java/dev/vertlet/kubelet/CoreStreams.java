package dev.vertlet.kubelet;

import dev.vertlet.kubelet.InstanceLookup.Found;
import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.kubelet.pod.PodStates;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.failure.ProviderCall;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.stream.Connection;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Finds the container instance that a request names, and passes its streams to the runtime. Called
 * on the core's context.
 */
final class CoreStreams implements PodStreams {
  private final PodStates pods;
  private final ContainerRuntime runtime;

  /**
   * @param pods by UID
   */
  CoreStreams(PodStates pods, ContainerRuntime runtime) {
    this.pods = pods;
    this.runtime = runtime;
  }

  // an exception of a lookup becomes a failed Future, as an exception of the runtime does

  @Override
  public Future<Void> logs(LogRequest request, WriteStream<Buffer> out, Future<Void> gone) {
    return ProviderCall.ask(() -> runtime.streams().logs(found(request), out, gone));
  }

  private LogRequest found(LogRequest request) {
    ContainerTarget target = request.target();
    PodRef ref = target.pod();
    PodState pod = pod(ref, "pod \"" + ref.name() + "\" does not exist");
    Found log =
        InstanceLookup.log(
            ref.name(), pod.view().spec(), pod.status(), target.container(), request.previous());
    return request.of(instance(pod, target, log));
  }

  @Override
  public Future<Integer> exec(ExecRequest request, ContainerIo io) {
    return ProviderCall.ask(
        () -> {
          ContainerTarget found = running(request.target(), notFound(request.target()));
          return runtime
              .streams()
              .exec(new ExecRequest(found, request.command(), request.tty()), io);
        });
  }

  @Override
  public Future<Void> attach(ContainerTarget target, boolean tty, ContainerIo io) {
    return ProviderCall.ask(
        () -> runtime.streams().attach(running(target, notInPod(target)), tty, io));
  }

  @Override
  public Future<Void> portForward(PodRef ref, int port, Connection connection) {
    return ProviderCall.ask(
        () -> {
          sandboxed(ref);
          return runtime.streams().portForward(ref, port, connection);
        });
  }

  @Override
  public Future<String> checkpoint(ContainerTarget target, Duration limit, Future<Void> gone) {
    return ProviderCall.ask(
        () ->
            runtime
                .streams()
                .checkpoint(
                    running(target, "container " + target.container() + " not found"),
                    limit,
                    gone));
  }

  @Override
  public Future<Void> check(StreamKind kind, ContainerTarget target) {
    return ProviderCall.ask(
        () ->
            runtime
                .streams()
                .check(
                    kind,
                    switch (kind) {
                      case EXEC -> running(target, notFound(target));
                      case ATTACH -> running(target, notInPod(target));
                      case PORT_FORWARD -> sandboxed(target);
                    }));
  }

  private static String notFound(ContainerTarget target) {
    return "container not found (\"" + target.container() + "\")";
  }

  private static String notInPod(ContainerTarget target) {
    return "container " + target.container() + " not found in pod " + fullName(target.pod());
  }

  private ContainerTarget sandboxed(ContainerTarget target) {
    sandboxed(target.pod());
    return target;
  }

  private void sandboxed(PodRef ref) {
    PodState pod = pods.get(ref.uid());
    if (pod == null || !pod.sandbox().exists()) {
      throw new ProviderException(
          pod == null ? Kind.NOT_FOUND : Kind.TEMPORARY,
          "PodNotFound",
          "pod not found (\"" + fullName(ref) + "\")");
    }
  }

  private ContainerTarget running(ContainerTarget target, String message) {
    PodState pod = pod(target.pod(), "pod does not exist");
    ContainerSlot slot = pod.containers().find(target.container());
    @Nullable ContainerRecord newest = slot == null ? null : slot.current();
    return instance(
        pod,
        target,
        InstanceLookup.running(pod.view().spec(), target.container(), newest, message));
  }

  private static ContainerTarget instance(PodState pod, ContainerTarget target, Found found) {
    PodView view = pod.view();
    return target.instance(found.id(), new ContainerTarget.Facts(view, found.state()));
  }

  private PodState pod(PodRef ref, String message) {
    PodState pod = pods.get(ref.uid());
    if (pod == null) {
      throw new ProviderException(Kind.NOT_FOUND, "PodNotFound", message);
    }
    return pod;
  }

  /** The form of a pod's name in a kubelet's messages. */
  private static String fullName(PodRef pod) {
    return pod.name() + "_" + pod.namespace();
  }
}
