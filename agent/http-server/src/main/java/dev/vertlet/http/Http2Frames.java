package dev.vertlet.http;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameTypes;

/**
 * Parses the frame headers of an HTTP/2 connection from any fragments, to count the bytes of
 * incomplete headers and of bodies (RFC 9113, 4.1). Uses no I/O.
 */
final class Http2Frames {
  /** Receives what the parser finds. */
  interface Listener {
    /** Handles a part of a request header. */
    void head(int bytes);

    /** Handles the end of a request header. */
    void headEnded();

    /** Handles a part of a body. */
    void body(int stream, int bytes);
  }

  private static final int END_HEADERS = 0x4;
  private static final int LENGTH_BYTES = 3;
  private static final int TYPE_AT = 3;
  private static final int FLAGS_AT = 4;
  private static final int STREAM_AT = 5;

  private final Listener listener;
  private final byte[] header = new byte[Http2CodecUtil.FRAME_HEADER_LENGTH];

  /** Remaining bytes of the client's preface, which precedes the first frame. */
  private int preface = Http2CodecUtil.connectionPrefaceBuf().readableBytes();

  private int headerBytes;
  private int payloadLeft;

  Http2Frames(Listener listener) {
    this.listener = listener;
  }

  /** Parses bytes without moving the buffer's index. */
  void read(ByteBuf bytes) {
    int at = bytes.readerIndex();
    int end = bytes.writerIndex();
    int skipped = Math.min(preface, end - at);
    preface -= skipped;
    at += skipped;
    while (at < end) {
      at += payloadLeft > 0 ? payload(end - at) : header(bytes, at, end - at);
    }
  }

  private int header(ByteBuf bytes, int at, int there) {
    int taken = Math.min(header.length - headerBytes, there);
    bytes.getBytes(at, header, headerBytes, taken);
    headerBytes += taken;
    if (headerBytes == header.length) {
      payloadLeft = number(0, LENGTH_BYTES);
      if (payloadLeft == 0) {
        frameEnded();
      }
    }
    return taken;
  }

  private int payload(int there) {
    int taken = Math.min(payloadLeft, there);
    payloadLeft -= taken;
    if (isHead()) {
      listener.head(taken);
    } else if (header[TYPE_AT] == Http2FrameTypes.DATA) {
      listener.body(number(STREAM_AT, Integer.BYTES) & Integer.MAX_VALUE, taken);
    }
    if (payloadLeft == 0) {
      frameEnded();
    }
    return taken;
  }

  private boolean isHead() {
    return header[TYPE_AT] == Http2FrameTypes.HEADERS
        || header[TYPE_AT] == Http2FrameTypes.CONTINUATION;
  }

  private void frameEnded() {
    headerBytes = 0;
    if (isHead() && (header[FLAGS_AT] & END_HEADERS) != 0) {
      listener.headEnded();
    }
  }

  private int number(int at, int length) {
    int value = 0;
    for (int i = at; i < at + length; i++) {
      value = value << Byte.SIZE | header[i] & 0xff;
    }
    return value;
  }
}
