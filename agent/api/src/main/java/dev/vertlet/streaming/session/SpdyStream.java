package dev.vertlet.streaming.session;

import io.netty.handler.codec.spdy.SpdyHeaders;
import io.vertx.core.Future;
import io.vertx.core.Promise;

/** One stream that a client opened, with its flow control windows. Confined to its loop. */
public final class SpdyStream {
  private final Promise<Void> gone = Promise.promise();
  public final int id;

  /** Value of the stream type header; empty when it is absent. */
  public final String type;

  public final String port;
  public final String request;
  public final InboundStream in;
  public final OutboundStream out;

  /** Bytes that the client can receive; negative while the client uses no flow control. */
  long window;

  /** Bytes that were read and are not announced to the client as freed. */
  int unreported;

  boolean sentLast;
  boolean receivedLast;

  /** Whether the client's last frame is not awaited. */
  boolean abandoned;

  SpdyStream(int id, SpdyHeaders headers, InboundStream in, OutboundStream out, long window) {
    this.id = id;
    this.type = header(headers, "streamType");
    this.port = header(headers, "port");
    this.request = header(headers, "requestID");
    this.in = in;
    this.out = out;
    this.window = window;
  }

  /** Returns a header by its name in any case. */
  private static String header(SpdyHeaders headers, String name) {
    CharSequence value = headers.get(name);
    return value == null ? "" : value.toString();
  }

  /** Completes when the client has reset the stream or left. */
  public Future<Void> gone() {
    return gone.future();
  }

  void leave() {
    gone.tryComplete();
  }
}
