package dev.vertlet.streaming;

import org.jspecify.annotations.Nullable;

/** What the streams of a SPDY connection are for. Called on its loop. */
interface SpdyPeer {
  /** Null, or why the client may not have this stream. */
  @Nullable String refusal(SpdyStream stream);

  /** The client has the stream. */
  void opened(SpdyStream stream);
}
