package dev.vertlet.streaming;

import io.netty.handler.codec.spdy.SpdyHeaders;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** One stream that a client has opened, and how much may be sent on it. Confined to its loop. */
final class SpdyStream {
  private final Promise<Void> gone = Promise.promise();
  final int id;

  /** The headers that say what it is for; empty without. */
  final String type;

  final String port;
  final String request;
  final Inlet in;
  final Outlet out;

  /** Bytes the client has room for; less than none when it has never said that it counts. */
  long window;

  /** Bytes that were read and whose room the client does not know of yet. */
  int unreported;

  boolean sentLast;
  boolean receivedLast;

  /** Nobody waits for the client's last frame. */
  boolean abandoned;

  SpdyStream(int id, SpdyHeaders headers, Inlet in, Outlet out, long window) {
    this.id = id;
    this.type = header(headers, "streamType");
    this.port = header(headers, "port");
    this.request = header(headers, "requestID");
    this.in = in;
    this.out = out;
    this.window = window;
  }

  /** Names in any case. */
  private static String header(SpdyHeaders headers, String name) {
    CharSequence value = headers.get(name);
    return value == null ? "" : value.toString();
  }

  /** Completes when the client has reset the stream, or has gone. */
  Future<Void> gone() {
    return gone.future();
  }

  void leave() {
    gone.tryComplete();
  }
}
