package dev.vertlet.kube;

import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.parsetools.RecordParser;

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

  /** One JSON document per line. */
  final class Lines implements FrameSplitter {
    private final int maxBytes;
    private final Handler<Buffer> frame;
    private final RecordParser parser;

    Lines(int maxBytes, Handler<Buffer> frame) {
      this.maxBytes = maxBytes;
      this.frame = frame;
      this.parser = RecordParser.newDelimited("\n", this::line).maxRecordSize(maxBytes);
      parser.exceptionHandler(
          e -> {
            throw tooLong(maxBytes);
          });
    }

    @Override
    public void feed(Buffer bytes) {
      parser.handle(bytes);
    }

    /** The parser limits only what it buffers; a long line that arrives in one piece gets here. */
    private void line(Buffer line) {
      if (line.length() > maxBytes) {
        throw tooLong(maxBytes);
      }
      if (line.length() > 0) {
        frame.handle(line);
      }
    }
  }

  /** A 4-byte big-endian length before each {@code metav1.WatchEvent}. */
  final class Prefixed implements FrameSplitter {
    private static final int PREFIX = 4;

    private final int maxBytes;
    private final Handler<Buffer> frame;

    /** Rest of earlier bytes: the beginning of a frame, or empty. */
    private Buffer rest = Buffer.buffer();

    Prefixed(int maxBytes, Handler<Buffer> frame) {
      this.maxBytes = maxBytes;
      this.frame = frame;
    }

    @Override
    public void feed(Buffer bytes) {
      Buffer all = bytes;
      if (rest.length() > 0) {
        all = rest.appendBuffer(bytes);
      }
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
      keep(all, bytes, position);
    }

    /** Copies the rest: the bytes belong to the connection. */
    private void keep(Buffer all, Buffer bytes, int position) {
      if (position == all.length()) {
        rest = Buffer.buffer();
      } else if (position > 0 || all == bytes) {
        rest = all.getBuffer(position, all.length());
      }
    }
  }

  private static FrameTooLongException tooLong(int maxBytes) {
    return new FrameTooLongException("an event is longer than maxEventBytes = " + maxBytes);
  }
}
