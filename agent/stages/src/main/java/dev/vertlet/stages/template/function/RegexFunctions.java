package dev.vertlet.stages.template.function;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.TemplateFunction;
import dev.vertlet.stages.template.value.TypedList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** sprig's functions of regular expressions, which have Go's syntax and take linear time. */
final class RegexFunctions {
  private RegexFunctions() {}

  static Map<String, Function> all() {
    Map<String, Function> all = new HashMap<>();
    all.put("regexMatch", Function.of("string, string", RegexFunctions::matches));
    all.put(
        "mustRegexMatch",
        Function.of("string, string", a -> matcher(a, "error parsing regexp").find()));
    both(all, "Find", "string, string", RegexFunctions::find);
    both(all, "FindAll", "string, string, int", RegexFunctions::findAll);
    both(all, "ReplaceAll", "string, string, string", a -> replace(a, false));
    both(all, "ReplaceAllLiteral", "string, string, string", a -> replace(a, true));
    both(all, "Split", "string, string, int", RegexFunctions::split);
    all.put("regexQuoteMeta", Function.of("string", a -> quote(a.string(0))));
    return all;
  }

  private static void both(
      Map<String, Function> all, String name, String parameters, TemplateFunction body) {
    Function function = Function.of(parameters, body);
    all.put("regex" + name, function);
    all.put("mustRegex" + name, function);
  }

  private static Matcher matcher(Arguments a, String prefix) {
    try {
      return Pattern.compile(a.string(0)).matcher(a.string(1));
    } catch (PatternSyntaxException e) {
      throw new FunctionException(
          prefix + ": " + e.getDescription() + ": `" + e.getPattern() + "`");
    }
  }

  private static Object matches(Arguments a) {
    try {
      return matcher(a, "").find();
    } catch (FunctionException e) {
      return false;
    }
  }

  private static Matcher compiled(Arguments a) {
    return matcher(a, "regexp: Compile(`" + a.string(0) + "`): error parsing regexp");
  }

  private static String find(Arguments a) {
    Matcher matcher = compiled(a);
    return matcher.find() ? matcher.group() : "";
  }

  /** Start and end of each match, as Go takes them: no empty one right behind another. */
  private static List<int[]> matches(Matcher matcher, long n) {
    List<int[]> matches = new ArrayList<>();
    int last = -1;
    while ((n < 0 || matches.size() < n) && matcher.find()) {
      if (matcher.end() > matcher.start() || matcher.start() != last) {
        matches.add(new int[] {matcher.start(), matcher.end()});
      }
      last = matcher.end();
    }
    return matches;
  }

  private static Object findAll(Arguments a) {
    List<String> found = new ArrayList<>();
    for (int[] match : matches(compiled(a), a.integer(2))) {
      found.add(a.string(1).substring(match[0], match[1]));
    }
    return new TypedList("string", found);
  }

  private static String replace(Arguments a, boolean literal) {
    String text = a.string(1);
    Matcher matcher = compiled(a);
    StringBuilder out = new StringBuilder();
    int copied = 0;
    int last = -1;
    while (matcher.find()) {
      if (matcher.end() == matcher.start() && matcher.start() == last) {
        continue;
      }
      last = matcher.end();
      out.append(text, copied, matcher.start());
      out.append(literal ? a.string(2) : expand(a.string(2), matcher));
      copied = matcher.end();
    }
    return out.append(text.substring(copied)).toString();
  }

  /** Replaces {@code $1}, {@code $name} and {@code ${name}}; the longest name counts. */
  private static String expand(String template, Matcher matcher) {
    StringBuilder out = new StringBuilder();
    int i = 0;
    while (i < template.length()) {
      char c = template.charAt(i++);
      if (c != '$' || i == template.length()) {
        out.append(c);
        continue;
      }
      if (template.charAt(i) == '$') {
        out.append('$');
        i++;
        continue;
      }
      boolean braces = template.charAt(i) == '{';
      int start = braces ? i + 1 : i;
      int end = start;
      while (end < template.length()
          && (Character.isLetterOrDigit(template.charAt(end)) || template.charAt(end) == '_')) {
        end++;
      }
      boolean closed = !braces || end < template.length() && template.charAt(end) == '}';
      if (end == start || !closed) {
        out.append(c);
        continue;
      }
      String group = group(template.substring(start, end), matcher);
      out.append(group == null ? "" : group);
      i = braces ? end + 1 : end;
    }
    return out.toString();
  }

  private static @Nullable String group(String name, Matcher matcher) {
    if (name.matches("[0-9]{1,8}")) {
      int number = Integer.parseInt(name);
      return number <= matcher.groupCount() ? matcher.group(number) : null;
    }
    Integer number = matcher.pattern().namedGroups().get(name);
    return number == null ? null : matcher.group(number);
  }

  private static Object split(Arguments a) {
    String text = a.string(1);
    long n = a.integer(2);
    List<String> parts = new ArrayList<>();
    Matcher matcher = compiled(a);
    if (n == 0) {
      return new TypedList("string", parts);
    }
    if (!a.string(0).isEmpty() && text.isEmpty()) {
      return new TypedList("string", List.of(""));
    }
    int from = 0;
    int end = 0;
    for (int[] match : matches(matcher, n)) {
      if (n > 0 && parts.size() == n - 1) {
        break;
      }
      end = match[0];
      if (match[1] != 0) {
        parts.add(text.substring(from, end));
      }
      from = match[1];
    }
    if (end != text.length()) {
      parts.add(text.substring(from));
    }
    return new TypedList("string", parts);
  }

  private static String quote(String text) {
    StringBuilder out = new StringBuilder();
    for (char c : text.toCharArray()) {
      if ("\\.+*?()|[]{}^$".indexOf(c) >= 0) {
        out.append('\\');
      }
      out.append(c);
    }
    return out.toString();
  }
}
