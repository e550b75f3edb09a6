package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Function;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** sprig's functions of words and letters. */
final class Words {
  private static final Pattern ACRONYM = Pattern.compile("(\\p{Lu})(\\p{Lu}\\p{Ll})");
  private static final Pattern HUMP = Pattern.compile("(\\p{Ll})(\\p{Lu})");
  private static final Pattern NUMBERED = Pattern.compile("(?<=\\p{Lu})([0-9]+\\p{Ll})");
  private static final Pattern AFTER_NUMBER = Pattern.compile("([0-9])(\\p{Lu})");

  private Words() {}

  static Map<String, Function> all() {
    Map<String, Function> all = new HashMap<>();
    all.put("upper", Function.of("string", a -> upper(a.string(0))));
    all.put("lower", Function.of("string", a -> a.string(0).toLowerCase(Locale.ROOT)));
    all.put("title", Function.of("string", a -> title(a.string(0))));
    all.put("untitle", Function.of("string", a -> untitle(a.string(0))));
    all.put("swapcase", Function.of("string", a -> swapCase(a.string(0))));
    all.put("nospace", Function.of("string", a -> withoutSpaces(a.string(0))));
    all.put("initials", Function.of("string", a -> initials(a.string(0))));
    all.put("snakecase", Function.of("string", a -> connect(a.string(0), '_')));
    all.put("kebabcase", Function.of("string", a -> connect(a.string(0), '-')));
    all.put("camelcase", Function.of("string", a -> camelCase(a.string(0))));
    all.put("wrap", Function.of("int, string", a -> wrap(a.string(1), a.integer(0), "\n", false)));
    all.put("wrapWith", Function.of("int, string, string", Words::wrapWith));
    all.put("abbrev", Function.of("int, string", a -> abbreviate(a.string(1), 0, a.integer(0))));
    all.put(
        "abbrevboth",
        Function.of(
            "int, int, string", a -> abbreviateBoth(a.string(2), a.integer(0), a.integer(1))));
    return all;
  }

  /** What Go's unicode package takes for space. */
  static boolean isSpace(int c) {
    return c >= '\t' && c <= '\r' || c == 0x85 || Character.isSpaceChar(c);
  }

  private static String upper(String text) {
    // letter by letter, as Go: ß stays
    StringBuilder out = new StringBuilder();
    text.codePoints().map(Character::toUpperCase).forEach(out::appendCodePoint);
    return out.toString();
  }

  private static String title(String text) {
    StringBuilder out = new StringBuilder();
    int before = ' ';
    for (int c : text.codePoints().toArray()) {
      boolean starts =
          before < 0x80 ? !Character.isLetterOrDigit(before) && before != '_' : isSpace(before);
      out.appendCodePoint(starts ? Character.toTitleCase(c) : c);
      before = c;
    }
    return out.toString();
  }

  private static String untitle(String text) {
    StringBuilder out = new StringBuilder();
    boolean starts = true;
    for (int c : text.codePoints().toArray()) {
      out.appendCodePoint(starts ? Character.toLowerCase(c) : c);
      starts = isSpace(c);
    }
    return out.toString();
  }

  private static String swapCase(String text) {
    StringBuilder out = new StringBuilder();
    boolean starts = true;
    for (int c : text.codePoints().toArray()) {
      if (Character.isUpperCase(c) || Character.isTitleCase(c)) {
        out.appendCodePoint(Character.toLowerCase(c));
      } else if (Character.isLowerCase(c)) {
        out.appendCodePoint(starts ? Character.toTitleCase(c) : Character.toUpperCase(c));
      } else {
        out.appendCodePoint(c);
      }
      starts = isSpace(c);
    }
    return out.toString();
  }

  private static String withoutSpaces(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints().filter(c -> !isSpace(c)).forEach(out::appendCodePoint);
    return out.toString();
  }

  private static String initials(String text) {
    StringBuilder out = new StringBuilder();
    boolean starts = true;
    for (int c : text.codePoints().toArray()) {
      if (starts && !isSpace(c)) {
        out.appendCodePoint(c);
      }
      starts = isSpace(c);
    }
    return out.toString();
  }

  /** Words of a name in camel case in lower case with connectors; a number belongs to its word. */
  private static String connect(String text, char connector) {
    String words = NUMBERED.matcher(text).replaceAll(connector + "$1");
    words = ACRONYM.matcher(words).replaceAll("$1" + connector + "$2");
    words = HUMP.matcher(words).replaceAll("$1" + connector + "$2");
    words = AFTER_NUMBER.matcher(words).replaceAll("$1" + connector + "$2");
    return words.replaceAll("[-_\\s]", String.valueOf(connector)).toLowerCase(Locale.ROOT);
  }

  /** Leading connectors stay, one between two words goes, of several all but one stay. */
  private static String camelCase(String text) {
    StringBuilder out = new StringBuilder();
    int[] runes = text.codePoints().toArray();
    int start = 0;
    while (start < runes.length && isConnector(runes[start])) {
      out.appendCodePoint(runes[start++]);
    }
    boolean starts = true;
    boolean lowering = false;
    for (int i = start; i < runes.length; i++) {
      int c = runes[i];
      if (isConnector(c)) {
        boolean last = i == runes.length - 1;
        if (last || isConnector(runes[i + 1])) {
          out.appendCodePoint(c);
        }
        starts = true;
      } else if (starts) {
        out.appendCodePoint(Character.toUpperCase(c));
        lowering = Character.isUpperCase(c);
        starts = false;
      } else {
        lowering &= Character.isUpperCase(c);
        out.appendCodePoint(lowering ? Character.toLowerCase(c) : c);
      }
    }
    return out.toString();
  }

  private static boolean isConnector(int c) {
    return c == '-' || c == '_' || isSpace(c);
  }

  private static String wrapWith(Arguments a) {
    String separator = a.string(1).isEmpty() ? "\n" : a.string(1);
    return wrap(a.string(2), a.integer(0), separator, true);
  }

  private static String wrap(String text, long width, String separator, boolean cutWords) {
    int columns = (int) Math.max(1, Math.min(width, text.length()));
    StringBuilder out = new StringBuilder();
    int from = 0;
    while (text.length() - from > columns) {
      if (text.charAt(from) == ' ') {
        from++;
        continue;
      }
      int space = text.lastIndexOf(' ', from + columns);
      if (space < from && cutWords) {
        out.append(text, from, from + columns).append(separator);
        from += columns;
        continue;
      }
      if (space < from) {
        space = text.indexOf(' ', from + columns);
      }
      if (space < 0) {
        break;
      }
      out.append(text, from, space).append(separator);
      from = space + 1;
    }
    return out.append(text.substring(Math.min(from, text.length()))).toString();
  }

  private static String abbreviateBoth(String text, long left, long right) {
    return right < 4 || left > 0 && right < 7 ? text : abbreviate(text, left, right);
  }

  private static String abbreviate(String text, long offset, long width) {
    if (width < 4 || text.length() <= width) {
      return text;
    }
    int columns = (int) width - 3;
    int from = (int) Math.min(Math.max(offset, 0), text.length());
    from = Math.min(from, text.length() - columns);
    if (from <= 4) {
      return text.substring(0, columns) + "...";
    }
    if (from + columns < text.length()) {
      return "..." + abbreviate(text.substring(from), 0, columns);
    }
    return "..." + text.substring(text.length() - columns);
  }
}
