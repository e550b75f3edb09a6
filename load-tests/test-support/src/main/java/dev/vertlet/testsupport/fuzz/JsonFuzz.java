package dev.vertlet.testsupport.fuzz;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Mutates JSON texts: mostly their values, sometimes their characters. */
public final class JsonFuzz {
  /** Prefix of a placeholder for text that {@link JsonObject} cannot hold. */
  private static final String RAW = "@raw-";

  /** Suffix of a key that is written as a duplicate in its object. */
  private static final String TWICE = "@twice";

  /** Characters with a meaning for a parser. */
  private static final String MARKS = "{}[]\",:\\/#-0\n\t '&*!|>%@";

  private static final List<String> RAWS =
      List.of(
          "1e400",
          "-1e400",
          "1e-400",
          "9".repeat(900),
          "9".repeat(2_000),
          "0." + "3".repeat(900),
          "1E+2147483647",
          "-0",
          "[".repeat(200) + "]".repeat(200),
          "[".repeat(3_000) + "]".repeat(3_000),
          "{\"a\":".repeat(300) + "1" + "}".repeat(300),
          "NaN",
          "01",
          "'text'",
          "\"\\ud800\"",
          "\"\\u0000\"");

  private static final List<Object> VALUES =
      List.of(
          true,
          false,
          0,
          1,
          -1,
          2,
          65_535,
          65_536,
          1.5,
          Integer.MAX_VALUE,
          Integer.MIN_VALUE,
          1L << 32,
          Long.MAX_VALUE,
          Long.MIN_VALUE);

  /** Values that are almost valid: durations, quantities, addresses, paths, patterns, names. */
  public static final List<String> TEXTS =
      List.of(
          "",
          " ",
          "0",
          "-1",
          "+1",
          "1.5",
          "1e3",
          "1e999999999",
          "-0",
          "NaN",
          "Infinity",
          "null",
          "true",
          "0x10",
          "9223372036854775807",
          "9223372036854775808",
          "9".repeat(400),
          "1s",
          "-1s",
          "0s",
          "1h1h",
          "1.5h",
          "1ns",
          "9223372036s",
          "99999999999h",
          "292y",
          "1s-2s",
          "2s-1s",
          "1s..2s",
          "uniform(1s,2s)",
          "exponential(1s)",
          "1m30",
          "1Ki",
          "1Ei",
          "99999999Ei",
          "1k",
          "-1Gi",
          "0.0000000001",
          "1e-30",
          "50%",
          "-5%",
          "101%",
          "1e9%",
          "%",
          "0.5",
          "0-70000",
          "9-1",
          "80,443",
          "80:",
          "*",
          "**",
          "?",
          "[",
          "[a",
          "(",
          "a{2147483647}",
          "(a+)+$",
          "\\",
          "/",
          "//",
          "..",
          "../../../etc/passwd",
          "/dev/null/x",
          "~",
          "file:///x",
          "http://",
          "http://[",
          "http://a b/",
          "https://example.com:99999/",
          "10.0.0.0/8",
          "10.0.0.0/33",
          "10.0.0.300",
          "::1",
          "::/0",
          "fe80::1%eth0",
          "{i}",
          "a{i}b{i}",
          "${",
          "${}",
          "${NOBODY}",
          "${env:HOME}",
          "$(HOME)",
          "a=b",
          "a=b,",
          "a in (b",
          "!a",
          "a,,b",
          "UPPER",
          "under_score",
          "-a",
          "a.",
          "example.com/a/b",
          "2026-01-01T00:00:00Z",
          "-999999999-01-01T00:00:00Z",
          "2026-13-45T99:00:00Z",
          "\u0000",
          "a\u0000b",
          "a\nb",
          "a\r\n\tb",
          "\u001b[31mred",
          "\u0085\u2028\u2029",
          "\u202egnp.exe",
          "\ufeff1",
          "\ud800",
          "\udc00x",
          "\ud83d\ude00",
          "e\u0301",
          "\u0130",
          "x".repeat(300),
          "x".repeat(70_000),
          "{\"a\":1}",
          "[1]",
          "{{.Name}}",
          "%s%n%d");

  private final Random random;

  public JsonFuzz(Random random) {
    this.random = random;
  }

  /** Returns one of the texts or a mutation of {@code like}. */
  public String text(String like) {
    if (like.isEmpty() || random.nextInt(3) > 0) {
      return TEXTS.get(random.nextInt(TEXTS.size()));
    }
    return characters(like);
  }

  /** Returns a mutated copy of the document. */
  public String mutant(JsonObject document) {
    JsonObject copy = document.copy();
    for (int edits = random.nextBoolean() ? 1 : 1 + random.nextInt(4); edits > 0; edits--) {
      edit(copy);
    }
    String text = written(copy);
    return random.nextInt(5) == 0 ? characters(text) : text;
  }

  private record Place(Object parent, @Nullable String key, int index) {
    @Nullable Object value() {
      return parent instanceof JsonObject object
          ? object.getValue(key)
          : ((JsonArray) parent).getValue(index);
    }

    void set(@Nullable Object value) {
      if (parent instanceof JsonObject object) {
        object.put(key, value);
      } else {
        ((JsonArray) parent).set(index, value);
      }
    }

    void remove() {
      if (parent instanceof JsonObject object) {
        object.remove(key);
      } else {
        ((JsonArray) parent).remove(index);
      }
    }
  }

  private static void collect(@Nullable Object value, List<Place> into) {
    if (value instanceof JsonObject object) {
      for (Map.Entry<String, Object> field : object) {
        into.add(new Place(object, field.getKey(), -1));
        collect(field.getValue(), into);
      }
    } else if (value instanceof JsonArray array) {
      for (int i = 0; i < array.size(); i++) {
        into.add(new Place(array, null, i));
        collect(array.getValue(i), into);
      }
    }
  }

  private void edit(JsonObject document) {
    List<Place> places = new ArrayList<>();
    collect(document, places);
    if (places.isEmpty()) {
      document.put(text("key"), value());
      return;
    }
    Place place = places.get(random.nextInt(places.size()));
    switch (random.nextInt(10)) {
      case 0 -> place.remove();
      case 1 -> place.set(null);
      case 2 -> place.set(new JsonArray().add(copy(place.value())));
      case 3 -> place.set(new JsonObject().put(text("key"), copy(place.value())));
      case 4 -> place.set(copy(places.get(random.nextInt(places.size())).value()));
      case 5 -> another(place);
      default -> place.set(place.value() instanceof String like ? textOrValue(like) : value());
    }
  }

  /** Duplicates a value: under its own key, under another key, or in its list. */
  private void another(Place place) {
    if (place.parent() instanceof JsonObject object) {
      String key = place.key() + (random.nextBoolean() ? TWICE : text("x"));
      object.put(key, random.nextBoolean() ? copy(place.value()) : value());
    } else {
      JsonArray array = (JsonArray) place.parent();
      for (int times = random.nextInt(5) == 0 ? 300 : 1; times > 0; times--) {
        array.add(copy(place.value()));
      }
    }
  }

  private @Nullable Object textOrValue(String like) {
    return random.nextInt(4) > 0 ? text(like) : value();
  }

  private @Nullable Object value() {
    return switch (random.nextInt(6)) {
      case 0 -> RAW + random.nextInt(RAWS.size()) + '@';
      case 1 -> text("");
      case 2 -> random.nextBoolean() ? new JsonObject() : new JsonArray();
      case 3 -> new JsonArray().addNull().add(text("")).add(new JsonObject());
      default -> VALUES.get(random.nextInt(VALUES.size()));
    };
  }

  private static @Nullable Object copy(@Nullable Object value) {
    if (value instanceof JsonObject object) {
      return object.copy();
    }
    return value instanceof JsonArray array ? array.copy() : value;
  }

  private static String written(JsonObject document) {
    String text = document.encode().replace(TWICE, "");
    for (int i = 0; text.contains(RAW) && i < RAWS.size(); i++) {
      text = text.replace('"' + RAW + i + '@' + '"', RAWS.get(i));
    }
    return text;
  }

  /** Changes, removes, repeats or adds some characters. */
  public String characters(String original) {
    StringBuilder text = new StringBuilder(original);
    for (int edits = 1 + random.nextInt(3); edits > 0 && !text.isEmpty(); edits--) {
      int at = random.nextInt(text.length());
      int to = Math.min(text.length(), at + 1 + random.nextInt(8));
      switch (random.nextInt(6)) {
        case 0 -> text.setCharAt(at, (char) (text.charAt(at) ^ 1 << random.nextInt(7)));
        case 1 -> text.setCharAt(at, (char) random.nextInt(Character.MAX_VALUE + 1));
        case 2 -> text.delete(at, to);
        case 3 -> text.insert(at, text.substring(at, to));
        case 4 -> text.insert(at, MARKS.charAt(random.nextInt(MARKS.length())));
        default -> text.setLength(at);
      }
    }
    return text.toString();
  }
}
