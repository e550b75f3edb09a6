package dev.vertlet.stages.template.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes values as sigs.k8s.io/yaml does: sorted keys, lists not indented, quotes only where a
 * parser of YAML 1.1 would read something else than the string.
 */
public final class YamlWriter {
  /** Plain and quoted texts break at the first space behind this column. */
  private static final int WIDTH = 80;

  private static final Set<String> WORDS =
      Set.of(
          "y", "yes", "true", "on", "n", "no", "false", "off", "", "~", "null", ".nan", ".inf",
          "+.inf", "-.inf");

  private static final Pattern DATE =
      Pattern.compile(
          "[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
              + "(?:(?:[Tt]|[ \\t]+)[0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(?:\\.[0-9]*)?"
              + "(?:[ \\t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)?");

  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(?:\\.[0-9]+|[0-9]+(?:\\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?");

  private static final Pattern SEXAGESIMAL =
      Pattern.compile("[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\\.[0-9_]*)?");

  private final StringBuilder out = new StringBuilder();
  private int depth;

  private YamlWriter() {}

  /**
   * A value as YAML, with a line feed at its end.
   *
   * @throws FunctionException if the value has no YAML
   */
  public static String write(@Nullable Object value) {
    YamlWriter writer = new YamlWriter();
    writer.value(value, 0);
    writer.out.append('\n');
    return writer.out.toString();
  }

  private void value(@Nullable Object value, int indent) {
    if (++depth > 1000) {
      throw new FunctionException("yaml: value is nested too deeply");
    }
    if (value instanceof Map<?, ?> map && !map.isEmpty()) {
      map(map, indent);
    } else if (value instanceof List<?> list && !list.isEmpty()) {
      list(list, indent);
    } else {
      scalar(value, indent);
    }
    depth--;
  }

  private void map(Map<?, ?> map, int indent) {
    List<String> keys = new ArrayList<>();
    map.keySet().forEach(key -> keys.add((String) key));
    sort(keys);
    boolean first = true;
    for (String key : keys) {
      if (!first) {
        line(indent);
      }
      first = false;
      text(key, indent, true);
      out.append(':');
      Object value = map.get(key);
      if (value instanceof Map<?, ?> inner && !inner.isEmpty()) {
        line(indent + 2);
        value(value, indent + 2);
      } else if (value instanceof List<?> inner && !inner.isEmpty()) {
        line(indent);
        value(value, indent);
      } else {
        out.append(' ');
        value(value, indent + 2);
      }
    }
  }

  private void list(List<?> list, int indent) {
    boolean first = true;
    for (Object element : list) {
      if (!first) {
        line(indent);
      }
      first = false;
      out.append("- ");
      value(element, indent + 2);
    }
  }

  private void line(int indent) {
    out.append('\n').append(" ".repeat(indent));
  }

  private void scalar(@Nullable Object value, int indent) {
    if (value instanceof List || value instanceof Map) {
      out.append(value instanceof List ? "[]" : "{}");
    } else if (value instanceof String || value instanceof ObjectValue) {
      text(value.toString(), indent, false);
    } else if (value instanceof Double || value instanceof JsonNumber) {
      number(JsonWriter.write(value, false, false));
    } else {
      out.append(JsonWriter.write(value, false, false));
    }
  }

  /** JSON's numbers are integers where they look so, else float64. */
  private void number(String json) {
    boolean integer = GoNumbers.parseInteger(json, 10) != null;
    Double real = GoNumbers.parseFloat(json);
    out.append(integer || real == null ? json : GoNumbers.format(real, 'g', -1));
  }

  private void text(String text, int indent, boolean key) {
    if (text.codePoints().anyMatch(c -> c >= 0x7f && c < 0xa0 && c != 0x85 || c >> 1 == 0x7fff)) {
      throw new FunctionException("yaml: control characters are not allowed");
    }
    Shape shape = Shape.of(text);
    boolean plain = !isOtherValue(text);
    if (text.indexOf('\n') >= 0) {
      if (key || !shape.block()) {
        doubleQuoted(text, indent, !key);
      } else {
        literal(text, indent);
      }
    } else if (!plain) {
      doubleQuoted(text, indent, !key);
    } else if (shape.plain()) {
      folded(text, indent, !key);
    } else if (shape.singleQuoted()) {
      folded("'" + text.replace("'", "''") + "'", indent, !key);
    } else {
      doubleQuoted(text, indent, !key);
    }
  }

  /** Whether a parser takes the plain text for something else than a string. */
  private static boolean isOtherValue(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    boolean oneCase =
        text.equals(lower)
            || text.equals(text.toUpperCase(Locale.ROOT))
            || text.length() > 1 && text.substring(1).equals(lower.substring(1))
            || text.equals(".NaN")
            || lower.endsWith(".inf") && text.endsWith("Inf");
    if (WORDS.contains(lower) && oneCase) {
      return true;
    }
    if (text.isEmpty() || "+-.0123456789".indexOf(text.charAt(0)) < 0) {
      return false;
    }
    String number = text.replace("_", "");
    return DATE.matcher(text).matches()
        || SEXAGESIMAL.matcher(text).matches()
        || GoNumbers.parseInteger(number, 0) != null
        || GoNumbers.parseUnsigned(number)
        || FLOAT.matcher(number).matches() && GoNumbers.parseFloat(number) != null;
  }

  private void folded(String text, int indent, boolean breaks) {
    boolean afterSpace = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean inside = i > 0 && i < text.length() - 1 && text.charAt(i + 1) != ' ';
      if (c == ' ' && breaks && !afterSpace && inside && column() > WIDTH) {
        line(Math.max(indent, 2));
      } else {
        out.append(c);
      }
      afterSpace = c == ' ';
    }
  }

  private int column() {
    int start = out.lastIndexOf("\n") + 1;
    return out.codePointCount(start, out.length());
  }

  private void literal(String text, int indent) {
    out.append('|');
    if (text.charAt(0) == ' ' || text.charAt(0) == '\n') {
      out.append('2');
    }
    if (!text.endsWith("\n")) {
      out.append('-');
    } else if (text.length() == 1 || text.charAt(text.length() - 2) == '\n') {
      out.append('+');
    }
    String[] lines = text.split("\n", -1);
    int count = text.endsWith("\n") ? lines.length - 1 : lines.length;
    for (int i = 0; i < count; i++) {
      out.append('\n');
      if (!lines[i].isEmpty()) {
        out.append(" ".repeat(Math.max(indent, 2))).append(lines[i]);
      }
    }
  }

  private void doubleQuoted(String text, int indent, boolean breaks) {
    out.append('"');
    boolean afterSpace = false;
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      if (c == ' ' && breaks && !afterSpace && column() > WIDTH && i > 1 && i < text.length()) {
        line(Math.max(indent, 2));
        if (text.charAt(i) == ' ') {
          out.append('\\');
        }
      } else if (Shape.isPrintable(c) && c != '"' && c != '\\' && c != '\n') {
        out.appendCodePoint(c);
      } else {
        escape(c);
      }
      afterSpace = c == ' ';
    }
    out.append('"');
  }

  private void escape(int c) {
    String codes = "\0\u0007\b\t\n\u000b\f\r\u001b\"\\\u0085\u00a0\u2028\u2029";
    int code = codes.indexOf(c);
    if (code >= 0) {
      out.append('\\').append("0abtnvfre\"\\N_LP".charAt(code));
    } else {
      String form = c <= 0xff ? "\\x%02X" : c <= 0xffff ? "\\u%04X" : "\\U%08X";
      out.append(String.format(Locale.ROOT, form, c));
    }
  }

  /**
   * Sorts by insertion: Go's order of keys has circles (a100, a1b, a02), which Java's own sort
   * answers with an exception. Keys are in alphabetical order before, so few have to move.
   */
  private static void sort(List<String> keys) {
    keys.sort(null);
    for (int i = 1; i < keys.size(); i++) {
      String key = keys.remove(i);
      int at = i;
      while (at > 0 && compare(key, keys.get(at - 1)) < 0) {
        at--;
      }
      keys.add(at, key);
    }
  }

  /** Order of keys: letters behind other characters, numbers by their value. */
  private static int compare(String left, String right) {
    int[] a = left.codePoints().toArray();
    int[] b = right.codePoints().toArray();
    for (int i = 0; i < a.length && i < b.length; i++) {
      if (a[i] == b[i]) {
        continue;
      }
      boolean leftLetter = Character.isLetter(a[i]);
      boolean rightLetter = Character.isLetter(b[i]);
      if (leftLetter != rightLetter) {
        return rightLetter ? -1 : 1;
      }
      if (leftLetter) {
        return Integer.compare(a[i], b[i]);
      }
      return compareNumbers(a, b, i);
    }
    return Integer.compare(a.length, b.length);
  }

  private static int compareNumbers(int[] a, int[] b, int at) {
    // a zero inside of a number is one of its digits
    int before = at - 1;
    while (before >= 0 && a[before] == '0') {
      before--;
    }
    boolean inside = (a[at] == '0' || b[at] == '0') && before >= 0 && Character.isDigit(a[before]);
    int leftEnd = at;
    long left = inside ? 1 : 0;
    while (leftEnd < a.length && Character.isDigit(a[leftEnd])) {
      left = left * 10 + a[leftEnd++] - '0';
    }
    int rightEnd = at;
    long right = inside ? 1 : 0;
    while (rightEnd < b.length && Character.isDigit(b[rightEnd])) {
      right = right * 10 + b[rightEnd++] - '0';
    }
    if (left != right) {
      return Long.compare(left, right);
    }
    return leftEnd != rightEnd ? Integer.compare(leftEnd, rightEnd) : Integer.compare(a[at], b[at]);
  }

  /** In which forms a text may be written. */
  private record Shape(boolean plain, boolean singleQuoted, boolean block) {
    static Shape of(String text) {
      if (text.isEmpty()) {
        return new Shape(true, true, false);
      }
      boolean indicator = text.startsWith("---") || text.startsWith("...");
      boolean special = false;
      boolean breakSpace = false;
      boolean spaceBreak = false;
      int before = ' ';
      for (int i = 0; i < text.length(); ) {
        int c = text.codePointAt(i);
        int next = i + Character.charCount(c);
        boolean blankNext = next >= text.length() || " \t".indexOf(text.charAt(next)) >= 0;
        if (i == 0) {
          indicator |= "#,[]{}&*!|>'\"%@`".indexOf(c) >= 0 || "?:-".indexOf(c) >= 0 && blankNext;
        } else {
          boolean blankBefore = before == ' ' || before == '\t' || before == '\n';
          indicator |= c == ':' && blankNext || c == '#' && blankBefore;
          breakSpace |= c == ' ' && before == '\n';
          spaceBreak |= c == '\n' && before == ' ';
        }
        special |= !isPrintable(c);
        before = c;
        i = next;
      }
      String edges = text.charAt(0) + "" + text.charAt(text.length() - 1);
      boolean edge = edges.indexOf(' ') >= 0 || edges.indexOf('\n') >= 0;
      boolean odd = special || spaceBreak;
      return new Shape(
          !indicator && !edge && !odd && !breakSpace && text.indexOf('\n') < 0,
          !odd && !breakSpace,
          !odd && !text.endsWith(" "));
    }

    static boolean isPrintable(int c) {
      return c == '\n'
          || c >= ' ' && c <= 0x7e
          || c >= 0xa0 && c <= 0xd7ff
          || c >= 0xe000 && c <= 0xfffd && c != 0xfeff;
    }
  }
}
