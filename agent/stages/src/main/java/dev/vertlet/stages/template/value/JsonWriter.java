package dev.vertlet.stages.template.value;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Writes values as Go's encoding/json does: keys in order, characters of HTML escaped. */
public final class JsonWriter {
  private final StringBuilder out = new StringBuilder();
  private final boolean html;
  private final boolean pretty;
  private int depth;

  private JsonWriter(boolean html, boolean pretty) {
    this.html = html;
    this.pretty = pretty;
  }

  /**
   * A value as JSON.
   *
   * @param html whether {@code <}, {@code >} and {@code &} are escaped
   * @param pretty whether each element has a line, indented by two spaces a level
   * @throws FunctionException if JSON has no such value
   */
  public static String write(@Nullable Object value, boolean html, boolean pretty) {
    JsonWriter writer = new JsonWriter(html, pretty);
    writer.value(value);
    return writer.out.toString();
  }

  /** A float64 as JSON: without exponent from 1e-6 to below 1e21. */
  public static String number(double value) {
    double size = Math.abs(value);
    boolean plain = size == 0 || size >= 1e-6 && size < 1e21;
    String text = GoNumbers.format(value, plain ? 'f' : 'e', -1);
    // JSON of Go has e-7, not e-07
    return plain ? text : text.replaceFirst("e-0([0-9])$", "e-$1");
  }

  private void value(@Nullable Object value) {
    if (value == null) {
      out.append("null");
      return;
    }
    switch (GoTypes.kind(value)) {
      case INVALID -> throw new IllegalStateException("only null has no kind");
      case BOOL, INT, UINT -> out.append(value);
      case FLOAT -> real((Double) value);
      case STRING -> {
        if (value instanceof JsonNumber number) {
          out.append(number.text().isEmpty() ? "0" : number.text());
        } else {
          string((String) value);
        }
      }
      case STRUCT -> string(value.toString());
      case SLICE -> list((List<?>) value);
      case MAP -> map((Map<?, ?>) value);
    }
  }

  private void real(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw new FunctionException("json: unsupported value: " + GoNumbers.format(value, 'g', -1));
    }
    out.append(number(value));
  }

  private void list(List<?> list) {
    enter('[');
    Iterator<?> elements = list.iterator();
    while (elements.hasNext()) {
      line(list.isEmpty());
      value(elements.next());
      if (elements.hasNext()) {
        out.append(',');
      }
    }
    leave(']', list.isEmpty());
  }

  private void map(Map<?, ?> map) {
    enter('{');
    Iterator<? extends Map.Entry<?, ?>> entries = new TreeMap<>(map).entrySet().iterator();
    while (entries.hasNext()) {
      Map.Entry<?, ?> entry = entries.next();
      line(false);
      string((String) entry.getKey());
      out.append(pretty ? ": " : ":");
      value(entry.getValue());
      if (entries.hasNext()) {
        out.append(',');
      }
    }
    leave('}', map.isEmpty());
  }

  private void enter(char open) {
    if (++depth > 1000) {
      throw new FunctionException("json: value is nested too deeply");
    }
    out.append(open);
  }

  private void leave(char close, boolean empty) {
    depth--;
    line(empty);
    out.append(close);
  }

  private void line(boolean empty) {
    if (pretty && !empty) {
      out.append('\n').append("  ".repeat(depth));
    }
  }

  private void string(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        default -> {
          boolean special = html && (c == '<' || c == '>' || c == '&');
          if (c < ' ' || special || c == '\u2028' || c == '\u2029') {
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
