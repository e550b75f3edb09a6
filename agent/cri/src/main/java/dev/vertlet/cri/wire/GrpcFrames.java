package dev.vertlet.cri.wire;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;

/** Splits a response into its messages, each with five bytes before it. */
final class GrpcFrames implements Handler<Buffer> {
  /** Largest message that a kubelet accepts, in bytes. */
  static final int LARGEST = 16 << 20;

  private static final int HEADER = 5;

  private final Handler<Buffer> messages;
  private Buffer pending = Buffer.buffer();

  /**
   * @param messages called with each message
   */
  GrpcFrames(Handler<Buffer> messages) {
    this.messages = messages;
  }

  /** Returns a message as it is sent. */
  static Buffer frame(Buffer message) {
    return Buffer.buffer(HEADER + message.length())
        .appendByte((byte) 0)
        .appendInt(message.length())
        .appendBuffer(message);
  }

  /**
   * Takes the next bytes.
   *
   * @throws GrpcException when a message is too large or compressed
   */
  @Override
  public void handle(Buffer data) {
    pending = pending.length() == 0 ? data : pending.appendBuffer(data);
    int position = 0;
    while (pending.length() - position >= HEADER) {
      long length = pending.getUnsignedInt(position + 1);
      if (pending.getByte(position) != 0) {
        throw new GrpcException(GrpcStatus.INTERNAL, "the runtime sent a compressed message");
      }
      if (length > LARGEST) {
        throw new GrpcException(
            GrpcStatus.RESOURCE_EXHAUSTED,
            "received message larger than max (" + length + " vs. " + LARGEST + ")");
      }
      int end = position + HEADER + (int) length;
      if (pending.length() < end) {
        break;
      }
      messages.handle(pending.slice(position + HEADER, end));
      position = end;
    }
    // a copy, as the rest may be a small part of a large buffer, and appending needs one
    pending = Buffer.buffer(pending.getBytes(position, pending.length()));
  }

  /** Whether the bytes so far end within a message. */
  boolean incomplete() {
    return pending.length() > 0;
  }
}
