package dev.vertlet.cri.stream;

import dev.vertlet.cri.container.CachedContainer;
import dev.vertlet.cri.container.CachedPod;
import dev.vertlet.cri.sandbox.SandboxState;
import dev.vertlet.cri.wire.GrpcException;
import dev.vertlet.cri.wire.GrpcStatus;
import dev.vertlet.cri.wire.RuntimeService;
import dev.vertlet.cri.wire.StreamMessages;
import dev.vertlet.cri.wire.StreamMessages.AttachRequest;
import dev.vertlet.cri.wire.StreamMessages.PortForwardRequest;
import dev.vertlet.host.logs.LogSession;
import dev.vertlet.host.logs.RotatedLog;
import dev.vertlet.host.provider.ProviderFailures;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.stream.Connection;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Logs, commands, terminals and ports of containers. */
public final class CriStreams implements PodStreams {
  private final Vertx vertx;
  private final RuntimeService runtime;
  private final StreamingClient client;
  private final Function<String, @Nullable CachedPod> pods;

  /**
   * @param pods finds a pod by its UID
   */
  public CriStreams(
      Vertx vertx, RuntimeService runtime, Function<String, @Nullable CachedPod> pods) {
    this.vertx = vertx;
    this.runtime = runtime;
    this.client = new StreamingClient(vertx);
    this.pods = pods;
  }

  private @Nullable CachedContainer find(ContainerTarget target) {
    CachedPod pod = pods.apply(target.pod().uid());
    return pod == null ? null : pod.container(target.containerId());
  }

  private @Nullable CachedContainer running(ContainerTarget target) {
    CachedContainer container = find(target);
    return container != null && container.record().running() ? container : null;
  }

  private @Nullable SandboxState sandbox(PodRef ref) {
    CachedPod pod = pods.apply(ref.uid());
    return pod == null ? null : pod.sandbox();
  }

  private static <T> Future<T> notRunning(ContainerTarget target) {
    return ProviderFailures.noContainer("container " + target.container() + " does not run");
  }

  private static <T> Future<T> noSandbox(PodRef pod) {
    return ProviderFailures.noContainer("pod " + pod.display() + " does not run");
  }

  private static <T> Future<T> refused(Throwable failure) {
    boolean unknown = GrpcException.is(failure, GrpcStatus.NOT_FOUND);
    return Future.failedFuture(
        failure instanceof GrpcException
            ? new ProviderException(
                unknown ? Kind.NOT_FOUND : Kind.TEMPORARY,
                "StreamFailed",
                String.valueOf(failure.getMessage()))
            : failure);
  }

  @Override
  public Future<Void> check(StreamKind kind, ContainerTarget target) {
    if (kind == StreamKind.PORT_FORWARD) {
      return sandbox(target.pod()) == null ? noSandbox(target.pod()) : Future.succeededFuture();
    }
    return running(target) == null ? notRunning(target) : Future.succeededFuture();
  }

  @Override
  public Future<Void> logs(LogRequest request, WriteStream<Buffer> out, Future<Void> gone) {
    ContainerTarget target = request.target();
    CachedContainer container = find(target);
    return container == null
        ? ProviderFailures.noContainer("container " + target.container() + " has no log here")
        : new LogSession(vertx, new RotatedLog(container.log()), writer(target), request, out)
            .send(gone);
  }

  private LogSession.Writer writer(ContainerTarget target) {
    return new LogSession.Writer() {
      @Override
      public boolean ended() {
        CachedContainer now = find(target);
        return now == null || now.ended();
      }

      @Override
      public boolean forgotten() {
        return find(target) == null;
      }
    };
  }

  @Override
  public Future<Integer> exec(ExecRequest request, ContainerIo io) {
    CachedContainer container = running(request.target());
    if (container == null) {
      return notRunning(request.target());
    }
    boolean tty = request.tty();
    return runtime
        .exec(
            new StreamMessages.ExecRequest(
                container.id(),
                request.command(),
                tty,
                io.stdin() != null,
                io.stdout() != null,
                io.stderr() != null && !tty))
        .compose(answer -> client.open(answer.url(), CommandSession.PROTOCOL))
        .compose(connection -> new CommandSession(connection, io, tty).run())
        .recover(CriStreams::refused);
  }

  @Override
  public Future<Void> attach(ContainerTarget target, boolean tty, ContainerIo io) {
    CachedContainer container = running(target);
    if (container == null) {
      return notRunning(target);
    }
    return runtime
        .attach(
            new AttachRequest(
                container.id(),
                io.stdin() != null,
                tty,
                io.stdout() != null,
                io.stderr() != null && !tty))
        .compose(answer -> client.open(answer.url(), CommandSession.PROTOCOL))
        .compose(connection -> new CommandSession(connection, io, tty).run())
        .recover(CriStreams::refused)
        .mapEmpty();
  }

  @Override
  public Future<Void> portForward(PodRef pod, int port, Connection connection) {
    SandboxState sandbox = sandbox(pod);
    if (sandbox == null) {
      return noSandbox(pod);
    }
    return runtime
        .portForward(new PortForwardRequest(sandbox.id(), List.of(port)))
        .compose(answer -> client.open(answer.url(), PortSession.PROTOCOL))
        .compose(opened -> new PortSession(opened, port, connection).run())
        .recover(CriStreams::refused);
  }

  /** Ends all sessions. */
  public Future<Void> close() {
    return client.close();
  }
}
