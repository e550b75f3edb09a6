package dev.vertlet.trace.record;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.Timestamps;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times that objects of the API have. */
final class Stamps {
  private Stamps() {}

  /** Returns null for an absent or malformed time. */
  static @Nullable Instant of(JsonNode time) {
    return time.isTextual() ? parse(time.textValue()) : null;
  }

  static @Nullable Instant parse(String time) {
    try {
      Instant parsed = Timestamps.parse(time);
      // Go's zero time stands for none
      return parsed.getEpochSecond() <= 0 ? null : parsed;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
