package dev.vertlet.kube;

import io.netty.buffer.ByteBuf;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.internal.buffer.BufferInternal;

/** Splits the bytes of a watch stream into frames, one per event. */
public sealed interface FrameSplitter {
  /**
   * Appends bytes and calls the handler for each complete frame.
   *
   * @throws FrameTooLongException when a frame is longer than allowed
   */
  void feed(Buffer bytes);

  /**
   * Creates a splitter.
   *
   * @param contentType of the response: JSON is split at line ends, protobuf by length prefixes
   * @param frame receives frames, which are valid during the call only
   */
  static FrameSplitter of(String contentType, int maxBytes, Handler<Buffer> frame) {
    return contentType.contains("protobuf")
        ? new Prefixed(maxBytes, frame)
        : new Lines(maxBytes, frame);
  }

  /** A frame exceeds the limit; the stream cannot be read any further. */
  final class FrameTooLongException extends RuntimeException {
    FrameTooLongException(String message) {
      super(message);
    }
  }

  /**
   * Copies the bytes behind the last complete frame: {@code bytes} belongs to the connection.
   *
   * @param all what was kept before, and the bytes
   * @param position of the first byte that is kept
   */
  private static Buffer rest(Buffer all, Buffer bytes, int position) {
    if (position == all.length()) {
      return Buffer.buffer();
    }
    return position > 0 || all == bytes ? all.getBuffer(position, all.length()) : all;
  }

  /** One JSON document per line. */
  final class Lines implements FrameSplitter {
    private final int maxBytes;
    private final Handler<Buffer> frame;

    /** The beginning of a line, or empty. */
    private Buffer rest = Buffer.buffer();

    Lines(int maxBytes, Handler<Buffer> frame) {
      this.maxBytes = maxBytes;
      this.frame = frame;
    }

    @Override
    public void feed(Buffer bytes) {
      int searched = rest.length();
      Buffer all = searched > 0 ? rest.appendBuffer(bytes) : bytes;
      // Netty compares eight bytes at a time, a RecordParser one
      ByteBuf content = ((BufferInternal) all).getByteBuf();
      int position = 0;
      int end = content.indexOf(searched, all.length(), (byte) '\n');
      while (end >= 0) {
        check(end - position);
        if (end > position) {
          frame.handle(all.slice(position, end));
        }
        position = end + 1;
        end = content.indexOf(position, all.length(), (byte) '\n');
      }
      check(all.length() - position);
      rest = rest(all, bytes, position);
    }

    private void check(int length) {
      if (length > maxBytes) {
        throw tooLong(maxBytes);
      }
    }
  }

  /** A 4-byte big-endian length before each {@code metav1.WatchEvent}. */
  final class Prefixed implements FrameSplitter {
    private static final int PREFIX = 4;

    private final int maxBytes;
    private final Handler<Buffer> frame;

    /** The beginning of a frame, or empty. */
    private Buffer rest = Buffer.buffer();

    Prefixed(int maxBytes, Handler<Buffer> frame) {
      this.maxBytes = maxBytes;
      this.frame = frame;
    }

    @Override
    public void feed(Buffer bytes) {
      Buffer all = rest.length() > 0 ? rest.appendBuffer(bytes) : bytes;
      int position = 0;
      while (all.length() - position >= PREFIX) {
        int length = all.getInt(position);
        if (length < 0 || length > maxBytes) {
          throw tooLong(maxBytes);
        }
        if (all.length() - position - PREFIX < length) {
          break;
        }
        position += PREFIX;
        Buffer event = all.slice(position, position + length);
        position += length;
        frame.handle(event);
      }
      rest = rest(all, bytes, position);
    }
  }

  private static FrameTooLongException tooLong(int maxBytes) {
    return new FrameTooLongException("an event is longer than maxEventBytes = " + maxBytes);
  }
}
