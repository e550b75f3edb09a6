package dev.vertlet.process;

import dev.vertlet.host.logs.LogSegments;
import dev.vertlet.host.logs.LogSession;
import dev.vertlet.host.provider.ProviderFailures;
import dev.vertlet.model.PodRef;
import dev.vertlet.process.shim.Message;
import dev.vertlet.process.shim.ShimClient;
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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Logs, commands, terminals and ports of this host's containers. */
final class ProcessStreams implements PodStreams {
  private final Vertx vertx;
  private final ShimClient client;
  private final PortForward ports;
  private final BiFunction<PodRef, String, @Nullable Instance> instances;
  private final Predicate<PodRef> sandboxes;

  /**
   * @param instances finds an instance by its pod and id
   * @param sandboxes whether a pod has a sandbox
   */
  ProcessStreams(
      Vertx vertx,
      ShimClient client,
      BiFunction<PodRef, String, @Nullable Instance> instances,
      Predicate<PodRef> sandboxes) {
    this.vertx = vertx;
    this.client = client;
    this.ports = new PortForward(vertx);
    this.instances = instances;
    this.sandboxes = sandboxes;
  }

  private @Nullable Instance running(ContainerTarget target) {
    Instance instance = instances.apply(target.pod(), target.containerId());
    return instance != null && instance.running() ? instance : null;
  }

  private static <T> Future<T> notRunning(ContainerTarget target) {
    return ProviderFailures.noContainer("container " + target.container() + " does not run");
  }

  @Override
  public Future<Void> check(StreamKind kind, ContainerTarget target) {
    if (kind == StreamKind.PORT_FORWARD) {
      return sandboxes.test(target.pod()) ? Future.succeededFuture() : noSandbox(target.pod());
    }
    return running(target) == null ? notRunning(target) : Future.succeededFuture();
  }

  private static <T> Future<T> noSandbox(PodRef pod) {
    return ProviderFailures.noContainer("pod " + pod.display() + " does not run");
  }

  @Override
  public Future<Void> logs(LogRequest request, WriteStream<Buffer> out, Future<Void> gone) {
    ContainerTarget target = request.target();
    Instance instance = instances.apply(target.pod(), target.containerId());
    return instance == null
        ? ProviderFailures.noContainer("container " + target.container() + " has no log here")
        : new LogSession(vertx, new LogSegments(instance.directory()), instance, request, out)
            .send(gone);
  }

  @Override
  public Future<Integer> exec(ExecRequest request, ContainerIo io) {
    Instance instance = running(request.target());
    return instance == null
        ? notRunning(request.target())
        : exec(instance, request.command(), request.tty(), io);
  }

  /** Runs a command in a running container. */
  Future<Integer> exec(Instance instance, List<String> command, boolean tty, ContainerIo io) {
    int flags = (io.stdin() == null ? 0 : Message.WITH_STDIN) | (tty ? Message.WITH_TERMINAL : 0);
    Buffer body = Buffer.buffer().appendByte((byte) flags);
    for (String word : command) {
      body.appendBytes(word.getBytes(StandardCharsets.UTF_8)).appendByte((byte) 0);
    }
    return new StreamSession(vertx, client, io, tty)
        .run(instance.stored().socket(), new Message(Message.EXECUTE, body))
        .map(end -> (int) end.number("code"));
  }

  @Override
  public Future<Void> attach(ContainerTarget target, boolean tty, ContainerIo io) {
    Instance instance = running(target);
    if (instance == null) {
      return notRunning(target);
    }
    int flags = io.stdin() == null ? 0 : Message.WITH_STDIN;
    Message first = new Message(Message.ATTACH, Buffer.buffer().appendByte((byte) flags));
    return new StreamSession(vertx, client, io, tty)
        .run(instance.stored().socket(), first)
        .mapEmpty();
  }

  @Override
  public Future<Void> portForward(PodRef pod, int port, Connection connection) {
    return sandboxes.test(pod) ? ports.forward(pod.display(), port, connection) : noSandbox(pod);
  }
}
