package dev.vertlet.streaming.session;

import org.jspecify.annotations.Nullable;

/** Uses the streams of a SPDY connection. Called on its loop. */
public interface SpdyPeer {
  /** Returns why the client may not open this stream; null when it may. */
  @Nullable String refusal(SpdyStream stream);

  /** Handles a newly opened stream. */
  void opened(SpdyStream stream);
}
