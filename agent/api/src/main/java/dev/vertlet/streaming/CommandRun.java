package dev.vertlet.streaming;

import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.streaming.session.OutboundStream;
import dev.vertlet.streaming.session.StreamSession;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.function.Function;

/** Runs a command with a client's streams and reports its result on the error stream. */
final class CommandRun {
  private final StreamSession session;
  private final RemoteIo io;
  private final OutboundStream error;
  private final boolean structured;

  /**
   * @param structured whether the error stream carries a {@code Status} instead of a text
   */
  CommandRun(StreamSession session, RemoteIo io, OutboundStream error, boolean structured) {
    this.session = session;
    this.io = io;
    this.error = error;
    this.structured = structured;
  }

  /** Starts the command. Call it on the session's loop, where {@code run} is called, too. */
  void start(Function<ContainerIo, Future<Integer>> run) {
    session.handlers.execute(
        () -> called(run).onComplete(result -> session.tasks().run(() -> finish(result))));
  }

  private Future<Integer> called(Function<ContainerIo, Future<Integer>> run) {
    try {
      return run.apply(io);
    } catch (RuntimeException e) {
      return Future.failedFuture(e);
    }
  }

  private void finish(AsyncResult<Integer> result) {
    finish(
        result.succeeded()
            ? ExitStatus.exited(result.result())
            : ExitStatus.failed(result.cause()));
  }

  void finish(ExitStatus status) {
    if (!session.isOpen()) {
      return; // the client has gone
    }
    io.close();
    var bytes = status.bytes(structured);
    if (bytes.length() > 0) {
      error.write(bytes);
    }
    error.end();
    session.finish();
  }
}
