package dev.vertlet.cri.stream;

import dev.vertlet.cri.stream.SpdyConnection.Stream;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.stream.ContainerIo;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.streams.ReadStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;

/** An exec or attach, in the fourth version of Kubernetes' protocol of commands. */
final class CommandSession {
  /** Newest version that is spoken over SPDY. */
  static final String PROTOCOL = "v4.channel.k8s.io";

  /** Most bytes of the final status. */
  private static final int LONGEST_STATUS = 64 * 1024;

  private final SpdyConnection connection;
  private final ContainerIo io;
  private final boolean tty;
  private final Buffer status = Buffer.buffer();
  private final Promise<Integer> result = Promise.promise();

  /**
   * @param tty whether the process has a terminal, which has one output and a size
   */
  CommandSession(SpdyConnection connection, ContainerIo io, boolean tty) {
    this.connection = connection;
    this.io = io;
    this.tty = tty;
  }

  /**
   * Runs the session. Called on the connection's loop.
   *
   * @return exit code, once all output was written; 0 for an attach. Fails when the process could
   *     not be reached, or the client has left
   */
  Future<Integer> run() {
    OutputSink out = new OutputSink(connection, io.stdout());
    OutputSink err = new OutputSink(connection, io.stderr());
    Stream errors = open("error", this::status);
    ReadStream<Buffer> stdin = io.stdin();
    Stream input = stdin == null ? null : open("stdin", data -> {});
    if (io.stdout() != null) {
      open("stdout", out::write);
    }
    if (io.stderr() != null && !tty) {
      open("stderr", err::write);
    }
    if (tty) {
      Stream resize = open("resize", data -> {});
      io.onResize(
          size ->
              connection.run(
                  () ->
                      resize.send(
                          new JsonObject()
                              .put("Width", size.width())
                              .put("Height", size.height())
                              .toBuffer())));
    }
    if (stdin != null && input != null) {
      InputPump.start(stdin, connection, input);
    }
    // the runtime sends the status when all output was sent
    errors
        .end()
        .onComplete(
            ended ->
                Future.join(out.written(), err.written())
                    .onComplete(written -> connection.run(this::finish)));
    io.gone().onComplete(left -> connection.run(connection::close));
    return result.future().onComplete(done -> connection.run(connection::close));
  }

  private Stream open(String type, Consumer<Buffer> data) {
    return connection.open(Map.of("streamtype", type), data);
  }

  private void status(Buffer data) {
    if (status.length() + data.length() <= LONGEST_STATUS) {
      status.appendBuffer(data);
    }
  }

  private void finish() {
    if (status.length() == 0) {
      result.tryFail(
          failure("StreamClosed", "the session was closed before the process had ended"));
      return;
    }
    try {
      finish(new JsonObject(status.toString(StandardCharsets.UTF_8)));
    } catch (DecodeException | ClassCastException | NumberFormatException e) {
      result.tryFail(
          failure(
              "ExecFailed",
              "the container runtime ended a session with a status that is none: " + status));
    }
  }

  private void finish(JsonObject said) {
    if ("Success".equals(said.getString("status"))) {
      result.tryComplete(0);
      return;
    }
    JsonArray causes =
        said.getJsonObject("details", new JsonObject()).getJsonArray("causes", new JsonArray());
    if ("NonZeroExitCode".equals(said.getString("reason"))) {
      for (Object cause : causes) {
        if (cause instanceof JsonObject code && "ExitCode".equals(code.getString("reason"))) {
          result.tryComplete(Integer.parseInt(code.getString("message")));
          return;
        }
      }
    }
    result.tryFail(failure("ExecFailed", said.getString("message", "the command failed")));
  }

  private static ProviderException failure(String reason, String message) {
    return new ProviderException(Kind.TEMPORARY, reason, message);
  }
}
