package dev.vertlet.streaming;

import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.TerminalSize;
import dev.vertlet.streaming.session.InboundStream;
import dev.vertlet.streaming.session.LoopTasks;
import dev.vertlet.streaming.session.OutboundStream;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.ReadStream;
import io.vertx.core.streams.WriteStream;
import org.jspecify.annotations.Nullable;

/** Streams of a client, independent of the wire protocol. */
record RemoteIo(
    LoopTasks tasks,
    @Nullable InboundStream in,
    @Nullable OutboundStream out,
    @Nullable OutboundStream err,
    Resizes resizes,
    Future<Void> gone)
    implements ContainerIo {
  @Override
  public @Nullable ReadStream<Buffer> stdin() {
    return in;
  }

  @Override
  public @Nullable WriteStream<Buffer> stdout() {
    return out;
  }

  @Override
  public @Nullable WriteStream<Buffer> stderr() {
    return err;
  }

  @Override
  public void onResize(Handler<TerminalSize> handler) {
    tasks.run(() -> resizes.handler(handler));
  }

  /** Handles the end of the command: stops reading and sends only queued data. */
  void close() {
    if (in != null) {
      in.discard();
    }
    end(out);
    end(err);
  }

  private static void end(@Nullable OutboundStream outlet) {
    if (outlet != null && !outlet.isEnded()) {
      outlet.end();
    }
  }
}
