package dev.vertlet.remote.stream;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.stream.Connection;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.PodStreams;
import dev.vertlet.remote.client.BackendClient;
import dev.vertlet.remote.client.Call;
import dev.vertlet.remote.client.Failures;
import dev.vertlet.remote.client.Paths;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.streams.WriteStream;
import java.time.Instant;

/** Logs, commands, terminals and ports of a back end. Calls are made on the shard's context. */
public final class RemoteStreams implements PodStreams {
  private static final int UPGRADE_REQUIRED = 426;

  private final Vertx vertx;
  private final BackendClient client;

  public RemoteStreams(Vertx vertx, BackendClient client) {
    this.vertx = vertx;
    this.client = client;
  }

  /** Asks for the session without an upgrade: a back end that would begin it answers 426. */
  @Override
  public Future<Void> check(StreamKind kind, ContainerTarget target) {
    Paths path =
        switch (kind) {
          case EXEC -> container(target, "exec");
          case ATTACH -> container(target, "attach");
          case PORT_FORWARD -> Paths.of("v1", "pods", target.pod().uid(), "portforward");
        };
    Call call = Call.get("check", path.toString());
    return client
        .answer(call)
        .compose(
            answer ->
                answer.status() == UPGRADE_REQUIRED || answer.ok()
                    ? Future.succeededFuture()
                    : Future.failedFuture(Failures.of(call, answer.status(), answer.body())));
  }

  private Paths container(ContainerTarget target, String action) {
    Paths path =
        Paths.of("v1", "pods", target.pod().uid(), "containers", target.container(), action);
    return target.containerId().isEmpty() ? path : path.query("containerId", target.containerId());
  }

  @Override
  public Future<Void> logs(LogRequest request, WriteStream<Buffer> out, Future<Void> gone) {
    Paths path =
        container(request.target(), "logs")
            .flag("follow", request.follow())
            .flag("previous", request.previous())
            .flag("timestamps", request.timestamps());
    Instant since = request.since();
    Long tail = request.tailLines();
    Long limit = request.limitBytes();
    if (since != null) {
      path.query("sinceTime", since.toString());
    }
    if (tail != null) {
      path.query("tailLines", tail.toString());
    }
    if (limit != null) {
      path.query("limitBytes", limit.toString());
    }
    switch (request.stream()) {
      case ALL -> {}
      case STDOUT -> path.query("stream", "Stdout");
      case STDERR -> path.query("stream", "Stderr");
    }
    Context context = vertx.getOrCreateContext();
    return client
        .open(Call.get("logs", path.toString()))
        .compose(opened -> copy(context, opened, out, gone));
  }

  /**
   * Copies an answer to a client, no faster than the client reads.
   *
   * @return completes when everything was written, or the client has left
   */
  public static Future<Void> copy(
      Context context, BackendClient.Opened opened, WriteStream<Buffer> out, Future<Void> gone) {
    Promise<Void> done = Promise.promise();
    HttpClientResponse response = opened.response();
    Valve.Outlet outlet = new Valve(context, response).outlet(out);
    response.handler(outlet::write);
    response.exceptionHandler(done::tryFail);
    response.endHandler(
        end -> outlet.written().onSuccess(done::tryComplete).onFailure(done::tryFail));
    gone.onComplete(
        left ->
            context.runOnContext(
                v -> {
                  if (done.tryComplete()) {
                    opened.close().run();
                  }
                }));
    response.resume();
    return done.future();
  }

  @Override
  public Future<Integer> exec(ExecRequest request, ContainerIo io) {
    Paths path = container(request.target(), "exec");
    request.command().forEach(word -> path.query("command", word));
    return session("exec", streams(path, io).flag("tty", request.tty()), io);
  }

  @Override
  public Future<Void> attach(ContainerTarget target, boolean tty, ContainerIo io) {
    Paths path = streams(container(target, "attach"), io).flag("tty", tty);
    return session("attach", path, io).mapEmpty();
  }

  private static Paths streams(Paths path, ContainerIo io) {
    return path.flag("stdin", io.stdin() != null)
        .flag("stdout", io.stdout() != null)
        .flag("stderr", io.stderr() != null);
  }

  private Future<Integer> session(String operation, Paths path, ContainerIo io) {
    Context context = vertx.getOrCreateContext();
    return client
        .socket(operation, path.toString())
        .compose(socket -> new CommandSession(context, socket, io).result());
  }

  @Override
  public Future<Void> portForward(PodRef pod, int port, Connection connection) {
    Paths path =
        Paths.of("v1", "pods", pod.uid(), "portforward").query("port", String.valueOf(port));
    Context context = vertx.getOrCreateContext();
    return client
        .socket("portforward", path.toString())
        .compose(socket -> new PortSession(context, socket, connection).result());
  }
}
