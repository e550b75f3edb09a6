package dev.vertlet.streaming;

import dev.vertlet.streaming.session.SpdyPeer;
import dev.vertlet.streaming.session.SpdySession;
import dev.vertlet.streaming.session.SpdyStream;
import dev.vertlet.streaming.session.StreamLimits;
import io.netty.handler.codec.spdy.SpdyStreamStatus;
import io.netty.util.concurrent.ScheduledFuture;
import io.vertx.core.buffer.Buffer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Forwards ports over SPDY, with a data and an error stream each. Confined to its loop. */
final class SpdyForwarding implements SpdyPeer {
  /** Streams of one connection that have been opened so far. */
  private static final class Pair {
    @Nullable SpdyStream data;
    @Nullable SpdyStream error;
    @Nullable ScheduledFuture<?> timeout;
  }

  private final StreamLimits limits;
  private final Connector connector;
  private final Map<String, Pair> pairs = new HashMap<>();
  private @Nullable SpdySession session;

  SpdyForwarding(StreamLimits limits, Connector connector) {
    this.limits = limits;
    this.connector = connector;
  }

  /** Sets the session whose streams are forwarded. */
  void begin(SpdySession session) {
    this.session = session;
    session.over().onComplete(gone -> pairs.values().forEach(SpdyForwarding::stopWaiting));
  }

  @Override
  public @Nullable String refusal(SpdyStream stream) {
    return ForwardedPorts.streamComplaint(stream.port, stream.type);
  }

  @Override
  public void opened(SpdyStream stream) {
    SpdySession own = session;
    if (own == null) {
      return; // no frame arrives before the session has started
    }
    boolean isData = stream.type.equals("data");
    String request = requestId(stream.request, isData, stream.id);
    Pair pair = pairs.computeIfAbsent(request, id -> waitFor(own, id));
    if (isData ? pair.data != null : pair.error != null) {
      String kind = isData ? "data" : "error";
      tell(
          pair.error,
          "error processing stream for request %s: %s stream already assigned"
              .formatted(request, kind));
      own.reset(stream, SpdyStreamStatus.CANCEL);
      return;
    }
    if (isData) {
      pair.data = stream;
    } else {
      pair.error = stream;
      stream.in.discard();
    }
    SpdyStream data = pair.data;
    SpdyStream error = pair.error;
    if (data != null && error != null) {
      pairs.remove(request);
      stopWaiting(pair);
      forward(own, data, error);
    } else {
      stream.gone().onComplete(gone -> left(request, pair));
    }
  }

  /**
   * Forgets a pair whose stream was reset, so that a client cannot accumulate pairs by opening and
   * resetting streams.
   */
  private void left(String request, Pair pair) {
    if (pairs.remove(request, pair)) {
      stopWaiting(pair);
    }
  }

  /**
   * Returns the request ID. Without one, the client opens the error stream first and the data
   * stream with the next number.
   */
  static String requestId(String given, boolean isData, int stream) {
    return given.isEmpty() ? String.valueOf(isData ? stream - 2 : stream) : given;
  }

  private Pair waitFor(SpdySession own, String request) {
    Pair pair = new Pair();
    pair.timeout =
        own.channel()
            .executor()
            .schedule(
                () -> giveUp(own, request, pair),
                limits.creation().toMillis(),
                TimeUnit.MILLISECONDS);
    return pair;
  }

  private static void stopWaiting(Pair pair) {
    if (pair.timeout != null) {
      pair.timeout.cancel(false);
    }
  }

  private void giveUp(SpdySession own, String request, Pair pair) {
    pairs.remove(request);
    tell(pair.error, "(request=" + request + ") timed out waiting for streams");
    close(own, pair.error);
    if (pair.data != null) {
      own.reset(pair.data, SpdyStreamStatus.CANCEL);
    }
  }

  private void forward(SpdySession own, SpdyStream data, SpdyStream error) {
    int port = Integer.parseInt(data.port);
    connector.connect(
        own,
        port,
        new Forwarded(data.in, data.out, data.gone()),
        failure -> over(own, data, error, failure));
  }

  private static void over(
      SpdySession own, SpdyStream data, SpdyStream error, @Nullable String failure) {
    data.in.discard();
    if (failure == null) {
      close(own, data);
    } else {
      tell(error, failure);
      own.reset(data, SpdyStreamStatus.CANCEL);
    }
    close(own, error);
  }

  private static void tell(@Nullable SpdyStream error, String text) {
    if (error != null && !error.out.isEnded()) {
      error.out.write(Buffer.buffer(text));
    }
  }

  /** Sends queued data and closes the stream without waiting for the client's half. */
  private static void close(SpdySession own, @Nullable SpdyStream stream) {
    if (stream != null) {
      if (!stream.out.isEnded()) {
        stream.out.end();
      }
      own.abandon(stream);
    }
  }
}
