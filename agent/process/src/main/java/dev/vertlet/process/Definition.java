package dev.vertlet.process;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A container's definition in the form that the shim reads: {@code key=value} entries, each ended
 * by a NUL byte. May hold secrets: it is handed to the shim and never stored.
 */
public final class Definition {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

  /**
   * Adds an entry.
   *
   * @throws IllegalArgumentException for a value with a NUL byte, which no program can be given
   */
  public Definition with(String key, Object value) {
    String text = value.toString();
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a value of " + key + " has a NUL byte");
    }
    bytes.writeBytes((key + "=" + text).getBytes(StandardCharsets.UTF_8));
    bytes.write(0);
    return this;
  }

  Definition with(String key, boolean value) {
    return value ? with(key, "1") : this;
  }

  public Definition withAll(String key, List<?> values) {
    values.forEach(value -> with(key, value));
    return this;
  }

  byte[] bytes() {
    return bytes.toByteArray();
  }
}
