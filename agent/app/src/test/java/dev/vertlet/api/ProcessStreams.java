package dev.vertlet.api;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.stream.Connection;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.PodStreams;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetClient;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Real processes behind the streaming SPI: what a provider whose containers are processes of its
 * host does for {@code kubectl exec} and {@code kubectl port-forward}. A process blocks whoever
 * reads and writes it, so worker threads do; each moves one piece at a time and waits for it, which
 * is all it takes to be no faster than the other side.
 */
final class ProcessStreams implements PodStreams {
  private static final int PIECE = 32 * 1024;

  private final Vertx vertx;
  private final NetClient network;

  ProcessStreams(Vertx vertx) {
    this.vertx = vertx;
    this.network = vertx.createNetClient();
  }

  @Override
  public Future<Integer> exec(ExecRequest request, ContainerIo io) {
    return vertx
        .executeBlocking(() -> new ProcessBuilder(request.command()).start(), false)
        .compose(process -> run(process, io));
  }

  private Future<Integer> run(Process process, ContainerIo io) {
    io.gone().onComplete(left -> process.destroyForcibly());
    feed(io.stdin(), process.getOutputStream());
    Promise<Void> out = Promise.promise();
    Promise<Void> err = Promise.promise();
    drain(process.getInputStream(), io.stdout(), out);
    drain(process.getErrorStream(), io.stderr(), err);
    // the exit code comes after all of the output
    return Future.join(out.future(), err.future())
        .transform(drained -> Future.fromCompletionStage(process.onExit()))
        .map(Process::exitValue);
  }

  /** One buffer at a time: the next is fetched when the process has taken the last. */
  private void feed(@Nullable ReadStream<Buffer> from, OutputStream to) {
    if (from == null) {
      close(to);
      return;
    }
    from.pause();
    from.handler(buffer -> write(buffer, to).onSuccess(written -> from.fetch(1)));
    from.endHandler(end -> close(to));
    from.exceptionHandler(gone -> close(to));
    from.fetch(1);
  }

  private Future<Void> write(Buffer buffer, OutputStream to) {
    return vertx
        .executeBlocking(
            () -> {
              to.write(buffer.getBytes());
              to.flush();
              return to;
            },
            false)
        .mapEmpty();
  }

  private void close(OutputStream to) {
    vertx.executeBlocking(
        () -> {
          to.close();
          return to;
        },
        false);
  }

  /** What nobody asked for is read all the same, or the process would wait for a reader. */
  private void drain(InputStream from, @Nullable WriteStream<Buffer> to, Promise<Void> done) {
    vertx
        .executeBlocking(() -> next(from), false)
        .compose(
            piece ->
                to == null || piece.length() == 0
                    ? Future.succeededFuture(piece)
                    : to.write(piece).map(piece))
        .onFailure(done::fail)
        .onSuccess(
            piece -> {
              if (piece.length() > 0) {
                drain(from, to, done);
              } else {
                done.complete();
              }
            });
  }

  /** What the process has written, as soon as there is anything; empty at the end. */
  private static Buffer next(InputStream from) throws IOException {
    byte[] piece = new byte[PIECE];
    int length = from.read(piece);
    return length < 0 ? Buffer.buffer() : Buffer.buffer(Arrays.copyOf(piece, length));
  }

  @Override
  public Future<Void> portForward(PodRef pod, int port, Connection connection) {
    return network
        .connect(port, "127.0.0.1")
        .compose(
            socket -> {
              connection.gone().onComplete(left -> socket.close());
              return Future.join(
                      connection.incoming().pipeTo(socket), socket.pipeTo(connection.outgoing()))
                  .mapEmpty();
            });
  }
}
