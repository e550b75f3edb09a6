package dev.vertlet.provider;

import dev.vertlet.model.GoDuration;
import dev.vertlet.problem.Pointers;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads a provider's own section of the configuration. For a value that is not allowed, every
 * reading method throws a {@link SettingsException} with its JSON pointer.
 */
public final class ProviderSettings {
  /** Settings of a provider without a section. */
  public static final ProviderSettings NONE = of(new JsonObject());

  private final JsonObject json;
  private final String pointer;

  private ProviderSettings(JsonObject json, String pointer) {
    this.json = json;
    this.pointer = pointer;
  }

  /** Wraps a section as the root: pointers begin at it. */
  public static ProviderSettings of(JsonObject json) {
    return new ProviderSettings(json.copy(), "");
  }

  /** Returns a copy of the whole section, for values that the other methods cannot read. */
  public JsonObject json() {
    return json.copy();
  }

  /** Rejects keys other than these, so that mistyped keys are found. */
  public ProviderSettings only(String... known) {
    Set<String> allowed = new TreeSet<>(Set.of(known));
    for (String key : json.fieldNames()) {
      if (!allowed.contains(key)) {
        throw new SettingsException(
            place(key), "", "unknown key; known are " + String.join(", ", allowed));
      }
    }
    return this;
  }

  public boolean has(String key) {
    return json.containsKey(key);
  }

  /** Reads a required text. */
  public String text(String key) {
    if (!has(key)) {
      throw new SettingsException(place(key), "", "is missing; must be a text");
    }
    return text(key, "");
  }

  public String text(String key, String fallback) {
    return read(key, fallback, String.class, "a text");
  }

  public boolean flag(String key, boolean fallback) {
    return read(key, fallback, Boolean.class, "true or false");
  }

  /** Reads a whole number from {@code min} to {@code max}, both included. */
  public long number(String key, long fallback, long min, long max) {
    String wanted = "a whole number from " + min + " to " + max;
    Number number = read(key, fallback, Number.class, wanted);
    boolean whole = number instanceof Integer || number instanceof Long;
    if (!whole || number.longValue() < min || number.longValue() > max) {
      throw refuse(key, "must be " + wanted);
    }
    return number.longValue();
  }

  /** Reads a duration such as {@code 1m30s} from {@code min} to {@code max}, both included. */
  public Duration duration(String key, Duration fallback, Duration min, Duration max) {
    String wanted =
        "a duration from \"%s\" to \"%s\""
            .formatted(GoDuration.format(min), GoDuration.format(max));
    if (!has(key)) {
      return fallback;
    }
    try {
      Duration duration = GoDuration.parse(read(key, "", String.class, wanted));
      if (duration.compareTo(min) >= 0 && duration.compareTo(max) <= 0) {
        return duration;
      }
    } catch (IllegalArgumentException e) {
      // reported below, with the allowed values
    }
    throw refuse(key, "must be " + wanted);
  }

  /** Reads a list of texts; empty if the key is missing. */
  public List<String> texts(String key) {
    JsonArray array = read(key, new JsonArray(), JsonArray.class, "a list of texts");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < array.size(); i++) {
      if (!(array.getValue(i) instanceof String text)) {
        throw refuse(key, "must be a list of texts");
      }
      texts.add(text);
    }
    return texts;
  }

  /** Reads a nested object; empty if the key is missing. */
  public ProviderSettings section(String key) {
    JsonObject inside = read(key, new JsonObject(), JsonObject.class, "an object");
    return new ProviderSettings(inside, place(key));
  }

  /**
   * Creates the exception for a value that the provider's own check rejects.
   *
   * @param allowed for example {@code must be the name of a pool}
   */
  public SettingsException refuse(String key, String allowed) {
    Object value = json.getValue(key);
    return new SettingsException(place(key), value == null ? "" : value, allowed);
  }

  private <T> T read(String key, T fallback, Class<T> type, String wanted) {
    if (!has(key)) {
      return fallback;
    }
    Object value = json.getValue(key);
    if (!type.isInstance(value)) {
      throw refuse(key, "must be " + wanted);
    }
    return type.cast(value);
  }

  private String place(String key) {
    return pointer + Pointers.of(key);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ProviderSettings that
        && json.equals(that.json)
        && pointer.equals(that.pointer);
  }

  @Override
  public int hashCode() {
    return 31 * json.hashCode() + pointer.hashCode();
  }

  @Override
  public String toString() {
    return json.encode();
  }
}
