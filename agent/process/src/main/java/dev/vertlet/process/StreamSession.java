package dev.vertlet.process;

import dev.vertlet.process.shim.KeyValues;
import dev.vertlet.process.shim.Message;
import dev.vertlet.process.shim.ShimClient;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.stream.ContainerIo;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetSocket;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A client at a control socket: an attach, or a command. A slow client slows the shim down, and a
 * slow process the client.
 */
final class StreamSession {
  /** Largest input in one message, in bytes. */
  private static final int CHUNK = 32 * 1024;

  private final Context context;
  private final ShimClient client;
  private final ContainerIo io;
  private final boolean terminal;
  private final Promise<KeyValues> end = Promise.promise();
  private Future<Void> lastWrite = Future.succeededFuture();
  private boolean ended;

  @SuppressWarnings("NullAway.Init") // set before any message arrives
  private NetSocket socket;

  StreamSession(Vertx vertx, ShimClient client, ContainerIo io, boolean terminal) {
    this.context = vertx.getOrCreateContext();
    this.client = client;
    this.io = io;
    this.terminal = terminal;
  }

  /**
   * Runs the session.
   *
   * @param first {@link Message#ATTACH} or {@link Message#EXECUTE}
   * @return the end of the process, once its output is written; fails if it could not be started,
   *     or the client has left
   */
  Future<KeyValues> run(Path control, Message first) {
    client
        .open(control, first, this::take, v -> closed())
        .onSuccess(
            opened -> {
              socket = opened;
              io.gone()
                  .onComplete(
                      left -> {
                        opened.close();
                        opened.resume(); // what a full client has not taken would hide the end
                      });
            })
        .onFailure(
            failure ->
                end.tryFail(
                    new ProviderException(
                        Kind.NOT_FOUND, "ContainerNotRunning", "the container does not run")));
    return end.future();
  }

  private void closed() {
    if (!ended) {
      end.tryFail(
          new ProviderException(
              Kind.TEMPORARY,
              "StreamClosed",
              "the session was closed before the process had ended"));
    }
  }

  private void take(Message message) {
    switch (message.type()) {
      case Message.ACCEPTED -> begin();
      case Message.OUTPUT -> write(io.stdout(), message.body());
      case Message.ERROR_OUTPUT -> write(io.stderr(), message.body());
      case Message.REFUSED ->
          end.tryFail(
              new ProviderException(
                  Kind.TEMPORARY, "ExecFailed", "exec failed: " + message.text()));
      case Message.END -> {
        ended = true;
        KeyValues values = KeyValues.parse(message.text());
        lastWrite.onComplete(written -> end.tryComplete(values));
        socket.close();
      }
      default -> {
        // a later shim may tell more
      }
    }
  }

  private void begin() {
    ReadStream<Buffer> stdin = io.stdin();
    if (stdin != null) {
      stdin.exceptionHandler(failure -> socket.close());
      stdin.endHandler(ended -> socket.write(Message.of(Message.INPUT_END).encode()));
      stdin.handler(data -> input(stdin, data));
    }
    if (terminal) {
      io.onResize(size -> socket.write(ShimClient.resize(size.width(), size.height()).encode()));
    }
  }

  private void input(ReadStream<Buffer> stdin, Buffer data) {
    for (int at = 0; at < data.length(); at += CHUNK) {
      Buffer part = data.slice(at, Math.min(data.length(), at + CHUNK));
      socket.write(new Message(Message.INPUT, part).encode());
    }
    if (socket.writeQueueFull()) {
      stdin.pause();
      socket.drainHandler(drained -> stdin.resume());
      if (!socket.writeQueueFull()) {
        stdin.resume();
      }
    }
  }

  private void write(@Nullable WriteStream<Buffer> to, Buffer data) {
    if (to == null) {
      return;
    }
    Future<Void> written = to.write(data);
    lastWrite = written;
    written.onFailure(failure -> context.runOnContext(v -> socket.close()));
    if (to.writeQueueFull()) {
      socket.pause();
      // a drain between the check and the handler is made up for by the write's completion
      to.drainHandler(drained -> socket.resume());
      written.onComplete(result -> socket.resume());
    }
  }
}
