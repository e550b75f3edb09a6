package dev.vertlet.harness.servicelevel;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Parser of Prometheus' text format that keeps nothing but the sums of wanted series. An answer may
 * arrive in parts of any size, and its memory is one line and those sums. Not thread-safe.
 */
final class MetricsText {
  /** Limit of a line; API servers write less than 1 KiB. A longer one is no metric of theirs. */
  private static final int LONGEST_LINE = 64 << 10;

  private final Map<String, MetricFamily> wanted;
  private final Map<Series, Double> values = new HashMap<>();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private boolean tooLong;
  private long unreadable;

  /**
   * @param wanted metrics by name
   */
  MetricsText(Map<String, MetricFamily> wanted) {
    this.wanted = wanted;
  }

  /** Takes the next part. */
  void feed(Buffer part) {
    byte[] bytes = part.getBytes();
    int from = 0;
    for (int at = 0; at < bytes.length; at++) {
      if (bytes[at] == '\n') {
        append(bytes, from, at);
        endOfLine();
        from = at + 1;
      }
    }
    append(bytes, from, bytes.length);
  }

  private void append(byte[] bytes, int from, int to) {
    if (tooLong || line.size() + to - from > LONGEST_LINE) {
      tooLong = true;
    } else {
      line.write(bytes, from, to - from);
    }
  }

  private void endOfLine() {
    if (tooLong) {
      unreadable++;
    } else if (line.size() > 0) {
      read(line.toString(UTF_8));
    }
    line.reset();
    tooLong = false;
  }

  /** Number of lines of wanted metrics that could not be parsed, and of lines that are too long. */
  long unreadable() {
    return unreadable;
  }

  /** Sums of all wanted series, after the last part. */
  Map<Series, Double> values() {
    endOfLine();
    return Map.copyOf(values);
  }

  private void read(String text) {
    int end = nameEnd(text);
    MetricFamily family = wanted.get(text.substring(0, end));
    if (family == null) {
      return;
    }
    try {
      Map<String, String> labels = new HashMap<>();
      int after =
          end < text.length() && text.charAt(end) == '{' ? labels(text, end + 1, labels) : end;
      double value = number(text.substring(after).trim().split(" ", 2)[0]);
      List<String> kept = new ArrayList<>(family.labels().size());
      for (String label : family.labels()) {
        kept.add(labels.getOrDefault(label, ""));
      }
      if (!Double.isNaN(value)) {
        values.merge(new Series(family.name(), kept), value, Double::sum);
      }
    } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
      unreadable++;
    }
  }

  private static int nameEnd(String text) {
    int at = 0;
    while (at < text.length() && text.charAt(at) != '{' && text.charAt(at) != ' ') {
      at++;
    }
    return at;
  }

  /** Reads labels up to the closing brace; returns the position after it. */
  private static int labels(String text, int from, Map<String, String> into) {
    int at = from;
    while (text.charAt(at) != '}') {
      if (text.charAt(at) == ',' || text.charAt(at) == ' ') {
        at++;
        continue;
      }
      int equals = text.indexOf('=', at);
      String name = text.substring(at, equals).trim();
      at = equals + 1;
      while (text.charAt(at) == ' ') {
        at++;
      }
      if (text.charAt(at) != '"') {
        throw new IllegalArgumentException("a label's value must be quoted");
      }
      StringBuilder value = new StringBuilder();
      for (at++; text.charAt(at) != '"'; at++) {
        char c = text.charAt(at);
        if (c == '\\') {
          at++;
          value.append(text.charAt(at) == 'n' ? '\n' : text.charAt(at));
        } else {
          value.append(c);
        }
      }
      at++;
      into.put(name, value.toString());
    }
    return at + 1;
  }

  /** Parses a value or a bound: Go writes infinities in a way that Java does not read. */
  static double number(String text) {
    return switch (text) {
      case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }
}
