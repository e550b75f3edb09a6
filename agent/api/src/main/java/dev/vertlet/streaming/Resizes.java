package dev.vertlet.streaming;

import dev.vertlet.provider.stream.TerminalSize;
import io.netty.buffer.ByteBuf;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the sizes of a client's terminal: consecutive JSON objects with {@code Width} and {@code
 * Height}. Decoding stops at the first invalid object. Confined to its loop.
 */
final class Resizes {
  private static final int LONGEST = 1024;
  private static final int MOST = 65535;

  private final Executor handlers;
  private final StringBuilder text = new StringBuilder();
  private @Nullable Handler<TerminalSize> handler;
  private @Nullable TerminalSize size;
  private boolean broken;

  Resizes(Executor handlers) {
    this.handlers = handlers;
  }

  void handler(Handler<TerminalSize> handler) {
    this.handler = handler;
    tell();
  }

  /** Adds a part of the text, which may end inside an object. */
  void add(ByteBuf bytes) {
    while (!broken && bytes.isReadable()) {
      char next = (char) bytes.readUnsignedByte();
      if (text.length() == LONGEST) {
        broken = true;
      } else if (text.length() > 0 || !Character.isWhitespace(next)) {
        text.append(next);
        if (next == '}') {
          take();
        }
      }
    }
  }

  private void take() {
    try {
      JsonObject json =
          new JsonObject(Buffer.buffer(text.toString().getBytes(StandardCharsets.ISO_8859_1)));
      size = new TerminalSize(number(json, "width"), number(json, "height"));
      text.setLength(0);
      tell();
    } catch (DecodeException | IllegalArgumentException e) {
      broken = true;
    }
  }

  /** Returns a number by its name in any case, as Go does; 0 when it is absent. */
  private static int number(JsonObject json, String name) {
    for (Map.Entry<String, Object> entry : json) {
      if (entry.getKey().toLowerCase(Locale.ROOT).equals(name)) {
        Object value = entry.getValue();
        if (value instanceof Integer && (int) value >= 0 && (int) value <= MOST) {
          return (int) value;
        }
        throw new IllegalArgumentException(name + " " + value + " must be 0 to " + MOST);
      }
    }
    return 0;
  }

  private void tell() {
    Handler<TerminalSize> listener = handler;
    TerminalSize last = size;
    if (listener != null && last != null) {
      handlers.execute(() -> listener.handle(last));
    }
  }
}
