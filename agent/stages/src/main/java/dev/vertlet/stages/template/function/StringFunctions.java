package dev.vertlet.stages.template.function;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoFormat;
import dev.vertlet.stages.template.value.GoQuote;
import dev.vertlet.stages.template.value.TypedList;
import dev.vertlet.stages.template.value.TypedMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** sprig's functions of strings. */
final class StringFunctions {
  /** Characters of one result; the evaluator refuses longer ones, this one before they are made. */
  private static final int LARGEST = 8 * 1024 * 1024;

  private StringFunctions() {}

  static Map<String, Function> all() {
    Map<String, Function> all = new HashMap<>(Words.all());
    all.put("hello", Function.of("", a -> "Hello!"));
    all.put("trim", Function.of("string", a -> strip(a.string(0))));
    all.put("trimAll", Function.of("string, string", a -> trimAll(a.string(0), a.string(1))));
    all.put("trimall", Function.of("string, string", a -> trimAll(a.string(0), a.string(1))));
    all.put("trimSuffix", Function.of("string, string", StringFunctions::trimSuffix));
    all.put("trimPrefix", Function.of("string, string", StringFunctions::trimPrefix));
    all.put("repeat", Function.of("int, string", a -> repeat(a.string(1), a.integer(0))));
    all.put("substr", Function.of("int, int, string", StringFunctions::substring));
    all.put("trunc", Function.of("int, string", StringFunctions::truncate));
    all.put("contains", Function.of("string, string", a -> a.string(1).contains(a.string(0))));
    all.put("hasPrefix", Function.of("string, string", a -> a.string(1).startsWith(a.string(0))));
    all.put("hasSuffix", Function.of("string, string", a -> a.string(1).endsWith(a.string(0))));
    all.put("quote", Function.of("...any", StringFunctions::quote));
    all.put("squote", Function.of("...any", StringFunctions::singleQuote));
    all.put("cat", Function.of("...any", StringFunctions::concatenate));
    all.put("indent", Function.of("int, string", a -> indent(a.integer(0), a.string(1))));
    all.put("nindent", Function.of("int, string", a -> "\n" + indent(a.integer(0), a.string(1))));
    all.put("replace", Function.of("string, string, string", StringFunctions::replace));
    all.put(
        "plural",
        Function.of("string, string, int", a -> a.integer(2) == 1 ? a.string(0) : a.string(1)));
    all.put("join", Function.of("string, any", StringFunctions::join));
    all.put(
        "splitList",
        Function.of(
            "string, string", a -> new TypedList("string", split(a.string(0), a.string(1), -1))));
    all.put(
        "split", Function.of("string, string", a -> numbered(split(a.string(0), a.string(1), -1))));
    all.put(
        "splitn",
        Function.of(
            "string, int, string", a -> numbered(split(a.string(0), a.string(2), a.integer(1)))));
    all.put("toString", Function.of("any", a -> Casts.toText(a.any(0))));
    all.put("toStrings", Function.of("any", a -> new TypedList("string", Casts.toTexts(a.any(0)))));
    return all;
  }

  private static String strip(String text) {
    return trim(text, c -> Words.isSpace(c));
  }

  private static String trimAll(String set, String text) {
    return trim(text, c -> set.indexOf(c) >= 0);
  }

  private static String trim(String text, java.util.function.IntPredicate trimmed) {
    int start = 0;
    while (start < text.length() && trimmed.test(text.codePointAt(start))) {
      start += Character.charCount(text.codePointAt(start));
    }
    int end = text.length();
    while (end > start && trimmed.test(text.codePointBefore(end))) {
      end -= Character.charCount(text.codePointBefore(end));
    }
    return text.substring(start, end);
  }

  private static String trimSuffix(Arguments a) {
    String text = a.string(1);
    boolean has = text.endsWith(a.string(0));
    return has ? text.substring(0, text.length() - a.string(0).length()) : text;
  }

  private static String trimPrefix(Arguments a) {
    String text = a.string(1);
    return text.startsWith(a.string(0)) ? text.substring(a.string(0).length()) : text;
  }

  static String repeat(String text, long count) {
    if (count < 0) {
      throw new FunctionException("strings: negative Repeat count");
    }
    if (count > LARGEST || count * text.length() > LARGEST) {
      throw new FunctionException("result is too large");
    }
    return text.repeat((int) count);
  }

  private static String substring(Arguments a) {
    long start = a.integer(0);
    long end = a.integer(1);
    String text = a.string(2);
    int length = text.getBytes(UTF_8).length;
    if (start < 0) {
      return slice(text, 0, end, length);
    }
    return slice(text, start, end < 0 || end > length ? length : end, length);
  }

  private static String slice(String text, long start, long end, int length) {
    if (end < 0) {
      throw outOfRange(":" + end);
    }
    if (end > length) {
      throw outOfRange(":" + end + "] with length " + length);
    }
    if (start > end) {
      throw outOfRange(start + ":" + end);
    }
    return Texts.bytes(text, (int) start, (int) end);
  }

  private static FunctionException outOfRange(String range) {
    String closed = range.indexOf(']') < 0 ? range + "]" : range;
    return new FunctionException("runtime error: slice bounds out of range [" + closed);
  }

  private static String truncate(Arguments a) {
    long count = a.integer(0);
    String text = a.string(1);
    int length = GoQuote.utf8Length(text);
    if (count < 0 && length + count > 0) {
      return Texts.bytes(text, (int) (length + count), length);
    }
    return count >= 0 && length > count ? Texts.bytes(text, 0, (int) count) : text;
  }

  private static String quote(Arguments a) {
    return a.from(0).stream()
        .filter(Objects::nonNull)
        .map(value -> GoQuote.quote(Casts.toText(value)))
        .collect(Collectors.joining(" "));
  }

  private static String singleQuote(Arguments a) {
    return a.from(0).stream()
        .filter(Objects::nonNull)
        .map(value -> "'" + GoFormat.print(value) + "'")
        .collect(Collectors.joining(" "));
  }

  private static String concatenate(Arguments a) {
    return a.from(0).stream()
        .filter(Objects::nonNull)
        .map(GoFormat::print)
        .collect(Collectors.joining(" "));
  }

  private static String indent(long spaces, String text) {
    String pad = repeat(" ", spaces);
    long lines = text.chars().filter(c -> c == '\n').count() + 1;
    if (lines * pad.length() > LARGEST) {
      throw new FunctionException("result is too large");
    }
    return pad + text.replace("\n", "\n" + pad);
  }

  private static String replace(Arguments a) {
    String text = a.string(2);
    long grown = (long) (text.length() + 1) * (a.string(1).length() + 1);
    if (grown > LARGEST && text.replace(a.string(0), "").length() == text.length()) {
      return text;
    }
    if (grown > 4L * LARGEST) {
      throw new FunctionException("result is too large");
    }
    return text.replace(a.string(0), a.string(1));
  }

  private static String join(Arguments a) {
    return String.join(a.string(0), Casts.toTexts(a.any(1)));
  }

  /**
   * Parts between separators; without a separator each character. At most {@code n} unless &lt; 0.
   */
  static List<String> split(String separator, String text, long n) {
    List<String> parts = new ArrayList<>();
    if (n == 0) {
      return parts;
    }
    int from = 0;
    while (n < 0 || parts.size() < n - 1) {
      int end;
      if (separator.isEmpty()) {
        end = from < text.length() ? text.offsetByCodePoints(from, 1) : -1;
        if (end < 0 || end == text.length()) {
          break;
        }
      } else {
        end = text.indexOf(separator, from);
        if (end < 0) {
          break;
        }
      }
      parts.add(text.substring(from, end));
      from = end + separator.length();
    }
    if (!separator.isEmpty() || from < text.length()) {
      parts.add(text.substring(from));
    }
    return parts;
  }

  private static TypedMap numbered(List<String> parts) {
    Map<String, Object> map = new TreeMap<>();
    for (int i = 0; i < parts.size(); i++) {
      map.put("_" + i, parts.get(i));
    }
    return new TypedMap(map);
  }
}
