package dev.vertlet.process;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * One message on a shim's control socket.
 *
 * @param type see the constants
 */
record Message(char type, Buffer body) {
  /** Length of type and size. */
  static final int HEADER = 5;

  // first messages of a client
  static final char WATCH = 'W';
  static final char ATTACH = 'A';
  static final char EXECUTE = 'X';

  // later messages of a client
  static final char INPUT = '0';
  static final char INPUT_END = 'C';
  static final char RESIZE = 'R';
  static final char STOP = 'K';

  // messages of the shim
  static final char OUTPUT = '1';
  static final char ERROR_OUTPUT = '2';
  static final char ACCEPTED = 'O';
  static final char REFUSED = 'F';
  static final char END = 'E';

  /** Flags of {@link #ATTACH} and {@link #EXECUTE}. */
  static final int WITH_STDIN = 1;

  static final int WITH_TERMINAL = 2;

  static Message of(char type) {
    return new Message(type, Buffer.buffer());
  }

  Buffer encode() {
    return Buffer.buffer(HEADER + body.length())
        .appendByte((byte) type)
        .appendInt(body.length())
        .appendBuffer(body);
  }

  String text() {
    return body.toString(StandardCharsets.UTF_8);
  }
}
