package dev.vertlet.process.shim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Text of a shim: one {@code key=value} a line. */
public record KeyValues(Map<String, String> values) {
  public KeyValues {
    values = Map.copyOf(values);
  }

  /** Reads a text; a line without a key belongs to the value before it. */
  public static KeyValues parse(String text) {
    Map<String, String> values = new HashMap<>();
    String last = "";
    for (String line : text.split("\n")) {
      int end = line.indexOf('=');
      boolean key = end > 0 && line.substring(0, end).chars().allMatch(Character::isLetterOrDigit);
      if (key) {
        last = line.substring(0, end);
        values.put(last, line.substring(end + 1));
      } else if (!last.isEmpty() && !line.isEmpty()) {
        values.merge(last, line, (begin, more) -> begin + "\n" + more);
      }
    }
    return new KeyValues(values);
  }

  /** Reads a file; null if there is none. */
  public static @Nullable KeyValues read(Path file) throws IOException {
    try {
      return parse(Files.readString(file));
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  String text(String key) {
    return values.getOrDefault(key, "");
  }

  /** A whole number, 0 if there is none. */
  public long number(String key) {
    try {
      return Long.parseLong(text(key));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** A time, null if there is none. */
  @Nullable Instant time(String key) {
    try {
      return Instant.parse(text(key));
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
