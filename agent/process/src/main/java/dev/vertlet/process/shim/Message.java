package dev.vertlet.process.shim;

import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/**
 * One message on a shim's control socket.
 *
 * @param type see the constants
 */
public record Message(char type, Buffer body) {
  /** Length of type and size. */
  static final int HEADER = 5;

  // first messages of a client
  public static final char WATCH = 'W';
  public static final char ATTACH = 'A';
  public static final char EXECUTE = 'X';

  // later messages of a client
  public static final char INPUT = '0';
  public static final char INPUT_END = 'C';
  static final char RESIZE = 'R';
  static final char STOP = 'K';

  // messages of the shim
  public static final char OUTPUT = '1';
  public static final char ERROR_OUTPUT = '2';
  public static final char ACCEPTED = 'O';
  public static final char REFUSED = 'F';
  public static final char END = 'E';

  /** Flags of {@link #ATTACH} and {@link #EXECUTE}. */
  public static final int WITH_STDIN = 1;

  public static final int WITH_TERMINAL = 2;

  public static Message of(char type) {
    return new Message(type, Buffer.buffer());
  }

  public Buffer encode() {
    return Buffer.buffer(HEADER + body.length())
        .appendByte((byte) type)
        .appendInt(body.length())
        .appendBuffer(body);
  }

  public String text() {
    return body.toString(StandardCharsets.UTF_8);
  }
}
