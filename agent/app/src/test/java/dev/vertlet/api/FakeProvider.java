package dev.vertlet.api;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import dev.vertlet.provider.stream.Connection;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Answers as a test says; remembers what it was asked. */
final class FakeProvider implements PodProvider, PodStreams {
  final List<LogRequest> logs = new CopyOnWriteArrayList<>();
  final List<ExecRequest> execs = new CopyOnWriteArrayList<>();
  Promise<Void> followed = Promise.promise();
  Promise<Void> gone = Promise.promise();
  List<PodReport> running = List.of();

  /** What every call fails with; null for none. */
  @Nullable Kind failing;

  /** Whose sessions they are; null for those below. */
  @Nullable PodStreams sessions;

  /** Whether logs and commands go on until the client has gone. */
  boolean endless;

  void forget() {
    logs.clear();
    execs.clear();
    followed = Promise.promise();
    gone = Promise.promise();
    running = List.of();
    failing = null;
    sessions = null;
    endless = false;
  }

  private <T> Future<T> fail(Kind kind) {
    return Future.failedFuture(new ProviderException(kind, "Failed", "the back end says " + kind));
  }

  @Override
  public PodStreams streams() {
    return this;
  }

  @Override
  public Future<Void> check(StreamKind kind, ContainerTarget target) {
    return failing == null ? Future.succeededFuture() : fail(failing);
  }

  @Override
  public Future<Void> logs(LogRequest request, WriteStream<Buffer> out, Future<Void> goneClient) {
    logs.add(request);
    if (sessions != null) {
      return sessions.logs(request, out, goneClient);
    }
    if (failing != null) {
      return fail(failing);
    }
    out.write(Buffer.buffer("log of " + request.target().pod().display() + "\n"));
    if (endless) {
      followed.tryComplete();
      return goneClient.onComplete(v -> gone.tryComplete());
    }
    return Future.succeededFuture();
  }

  @Override
  public Future<Integer> exec(ExecRequest request, ContainerIo io) {
    execs.add(request);
    if (sessions != null) {
      return sessions.exec(request, io);
    }
    if (failing != null) {
      return fail(failing);
    }
    if (endless) {
      return untilGone(io);
    }
    WriteStream<Buffer> out = io.stdout();
    WriteStream<Buffer> err = io.stderr();
    if (out != null) {
      out.write(Buffer.buffer("out"));
    }
    if (err != null) {
      err.write(Buffer.buffer("err"));
    }
    int code = request.command().contains("fail") ? 3 : 0;
    ReadStream<Buffer> in = io.stdin();
    if (in == null) {
      return Future.succeededFuture(code);
    }
    Promise<Integer> told = Promise.promise();
    in.handler(line -> told.tryComplete(code));
    return told.future();
  }

  @Override
  public Future<Void> attach(ContainerTarget target, boolean tty, ContainerIo io) {
    if (endless) {
      return untilGone(io).mapEmpty();
    }
    return sessions == null
        ? PodStreams.super.attach(target, tty, io)
        : sessions.attach(target, tty, io);
  }

  private Future<Integer> untilGone(ContainerIo io) {
    followed.tryComplete();
    return io.gone().onComplete(v -> gone.tryComplete()).map(137);
  }

  @Override
  public Future<Void> portForward(PodRef pod, int port, Connection connection) {
    if (sessions != null) {
      return sessions.portForward(pod, port, connection);
    }
    connection.outgoing().write(Buffer.buffer("port " + port));
    return connection.outgoing().end();
  }

  @Override
  public Future<String> checkpoint(ContainerTarget target, Duration limit, Future<Void> gone) {
    return sessions == null
        ? PodStreams.super.checkpoint(target, limit, gone)
        : sessions.checkpoint(target, limit, gone);
  }

  @Override
  public Future<Void> start(ProviderContext context) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> create(PodView pod) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> update(PodView pod) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    return Future.succeededFuture();
  }

  @Override
  public Future<Optional<PodReport>> get(PodRef pod) {
    return Future.succeededFuture(Optional.empty());
  }

  @Override
  public Future<List<PodReport>> list() {
    return failing == null ? Future.succeededFuture(running) : fail(failing);
  }
}
