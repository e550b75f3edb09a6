package dev.vertlet.streaming;

import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.streaming.session.SpdyPeer;
import dev.vertlet.streaming.session.SpdySession;
import dev.vertlet.streaming.session.SpdyStream;
import dev.vertlet.streaming.session.StreamLimits;
import io.netty.handler.codec.spdy.SpdyStreamStatus;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command over SPDY once the client has opened every requested stream and an error stream.
 * Data on any other stream is discarded. Confined to its loop.
 */
final class SpdyCommand implements SpdyPeer {
  private static final Set<String> KINDS = Set.of("stdin", "stdout", "stderr", "error", "resize");

  private final int version;
  private final StreamsAsked asked;
  private final StreamLimits limits;
  private final Function<ContainerIo, Future<Integer>> run;
  private final Set<String> missing = new HashSet<>(Set.of("error"));
  private final Map<String, SpdyStream> streams = new HashMap<>();
  private @Nullable SpdySession session;
  private @Nullable ScheduledFuture<?> patience;
  private boolean started;

  /**
   * @param version version of the negotiated protocol, 1 to 5
   */
  SpdyCommand(
      int version,
      StreamsAsked asked,
      StreamLimits limits,
      Function<ContainerIo, Future<Integer>> run) {
    this.version = version;
    this.asked = asked;
    this.limits = limits;
    this.run = run;
    expect(asked.stdin(), "stdin");
    expect(asked.stdout(), "stdout");
    expect(asked.stderr(), "stderr");
    expect(asked.resize() && version >= 3, "resize");
  }

  private void expect(boolean wanted, String kind) {
    if (wanted) {
      missing.add(kind);
    }
  }

  /** Sets the session whose streams this command uses. */
  void begin(SpdySession session) {
    this.session = session;
    patience =
        session
            .channel()
            .executor()
            .schedule(this::giveUp, limits.creation().toMillis(), TimeUnit.MILLISECONDS);
    session.over().onComplete(gone -> stopWaiting());
  }

  private void stopWaiting() {
    ScheduledFuture<?> waiting = patience;
    if (waiting != null) {
      patience = null;
      waiting.cancel(false);
    }
  }

  private void giveUp() {
    SpdySession waiting = session;
    if (started || waiting == null || !waiting.isOpen()) {
      return;
    }
    started = true;
    SpdyStream error = streams.get("error");
    if (error != null) {
      String text = "timed out waiting for client to create streams";
      error.out.write(ExitStatus.failed(VertxException.noStackTrace(text)).bytes(version >= 4));
      error.out.end();
    }
    waiting.finish();
  }

  @Override
  public @Nullable String refusal(SpdyStream stream) {
    String kind = stream.type;
    if (!KINDS.contains(kind)) {
      return "no command has a stream of this type";
    }
    return streams.containsKey(kind) ? "a second stream of type " + kind : null;
  }

  @Override
  public void opened(SpdyStream stream) {
    streams.put(stream.type, stream);
    if (started || !missing.remove(stream.type)) {
      stream.in.discard();
    }
    if (started) {
      return;
    }
    SpdySession own = session;
    if (missing.isEmpty() && own != null) {
      started = true;
      stopWaiting();
      start(own);
    }
  }

  private void start(SpdySession own) {
    Resizes resizes = new Resizes(own.handlers);
    SpdyStream resize = streams.get("resize");
    if (resize != null) {
      resize.in.handler(bytes -> resizes.add(((BufferInternal) bytes).getByteBuf()));
    }
    SpdyStream error = streams.get("error");
    SpdyStream in = streams.get("stdin");
    SpdyStream out = streams.get("stdout");
    SpdyStream err = streams.get("stderr");
    if (error == null) {
      return; // not reachable: the error stream is one of the required streams
    }
    error.in.discard();
    if (version == 1) {
      // clients of version 1 wait for this reset; they get no exit code
      own.reset(error, SpdyStreamStatus.CANCEL);
      if (in != null) {
        in.out.end();
      }
    }
    RemoteIo io =
        new RemoteIo(
            own.tasks(),
            in == null ? null : in.in,
            out == null ? null : out.out,
            err == null || !asked.stderr() ? null : err.out,
            resizes,
            own.over());
    new CommandRun(own, io, error.out, version >= 4).start(run);
  }
}
