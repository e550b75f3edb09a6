package dev.vertlet.simulated.shell;

import dev.vertlet.simulated.shell.Script.Assignment;
import dev.vertlet.simulated.shell.Script.Command;
import dev.vertlet.simulated.shell.Script.Part;
import dev.vertlet.simulated.shell.Script.Redirect;
import dev.vertlet.simulated.shell.Script.Step;
import dev.vertlet.simulated.shell.Script.When;
import dev.vertlet.simulated.shell.Script.Word;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads scripts: commands divided by {@code ;}, new lines, {@code &&} and {@code ||}; words with
 * quotes, {@code \} and {@code $variables}; {@code 2>&1}, {@code >&2} and {@code >/dev/null};
 * assignments; comments.
 */
final class ScriptParser {
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*=");
  private static final Pattern REDIRECT =
      Pattern.compile("([012]?)(>>?|<)[ \\t]*(?:&([12])|(/dev/null)(?=[\\s;&|]|$))");
  private static final String REFUSED = "|&()<>`";

  private final String text;
  private int at;

  private ScriptParser(String text) {
    this.text = text;
  }

  /**
   * @throws ScriptException for a script that is not one, or that has what this shell lacks
   */
  static Script parse(String text) throws ScriptException {
    return new ScriptParser(text).script();
  }

  private Script script() throws ScriptException {
    List<Step> steps = new ArrayList<>();
    When when = When.ALWAYS;
    while (true) {
      skipBlanks(when != When.ALWAYS);
      if (at == text.length()) {
        if (when != When.ALWAYS) {
          throw new ScriptException("syntax error: unexpected end of file", true);
        }
        return new Script(steps);
      }
      if (text.charAt(at) == '\n') {
        at++;
        continue;
      }
      steps.add(new Step(when, command()));
      when = operator();
    }
  }

  /** What stands between two commands. */
  private When operator() throws ScriptException {
    if (at == text.length()) {
      return When.ALWAYS;
    }
    if (text.startsWith("&&", at) || text.startsWith("||", at)) {
      at += 2;
      return text.charAt(at - 1) == '&' ? When.SUCCEEDED : When.FAILED;
    }
    char c = text.charAt(at);
    if (c == ';' || c == '\n') {
      at++;
      return When.ALWAYS;
    }
    throw refused(c);
  }

  private static ScriptException refused(char c) {
    return new ScriptException(
        "syntax error: \"" + c + "\" is nothing that this shell knows", false);
  }

  private Command command() throws ScriptException {
    List<Assignment> assignments = new ArrayList<>();
    List<Word> words = new ArrayList<>();
    List<Redirect> redirects = new ArrayList<>();
    while (true) {
      skipBlanks(false);
      if (at == text.length() || ";\n".indexOf(text.charAt(at)) >= 0) {
        break;
      }
      Matcher redirect = REDIRECT.matcher(text).region(at, text.length());
      Matcher assignment = ASSIGNMENT.matcher(text).region(at, text.length());
      if (redirect.lookingAt()) {
        redirects.add(redirect(redirect));
        at = redirect.end();
      } else if (text.startsWith("&&", at) || text.startsWith("||", at)) {
        break;
      } else if (words.isEmpty() && assignment.lookingAt()) {
        at = assignment.end();
        String name = assignment.group();
        assignments.add(new Assignment(name.substring(0, name.length() - 1), word()));
      } else if (REFUSED.indexOf(text.charAt(at)) >= 0) {
        throw refused(text.charAt(at));
      } else {
        words.add(word());
      }
    }
    if (assignments.isEmpty() && words.isEmpty()) {
      String what = at == text.length() ? "end of file" : "\"" + text.charAt(at) + "\"";
      throw new ScriptException("syntax error: unexpected " + what.replace("\n", "newline"), false);
    }
    return new Command(assignments, words, redirects);
  }

  private static Redirect redirect(Matcher found) {
    boolean reads = "<".equals(found.group(2));
    String from = found.group(1);
    int to = found.group(3) == null ? 0 : Integer.parseInt(found.group(3));
    return new Redirect(from.isEmpty() ? (reads ? 0 : 1) : Integer.parseInt(from), to);
  }

  /** Skips blanks and comments; new lines too where a command must follow. */
  private void skipBlanks(boolean lines) {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (c == '\\' && text.startsWith("\n", at + 1)) {
        at += 2;
      } else if (c == ' ' || c == '\t' || c == '\r' || (lines && c == '\n')) {
        at++;
      } else {
        return;
      }
    }
  }

  private Word word() throws ScriptException {
    List<Part> parts = new ArrayList<>();
    StringBuilder plain = new StringBuilder();
    while (at < text.length()) {
      char c = text.charAt(at);
      if (Character.isWhitespace(c) || c == ';' || REFUSED.indexOf(c) >= 0) {
        break;
      }
      at++;
      switch (c) {
        case '\'' -> {
          int end = text.indexOf('\'', at);
          if (end < 0) {
            throw new ScriptException("syntax error: unterminated quoted string", true);
          }
          flush(plain, parts);
          parts.add(new Part(text.substring(at, end), false, true));
          at = end + 1;
        }
        case '"' -> {
          flush(plain, parts);
          quoted(parts);
        }
        case '\\' -> escaped(plain, parts);
        case '$' -> {
          flush(plain, parts);
          variable(parts, false);
        }
        default -> plain.append(c);
      }
    }
    flush(plain, parts);
    return new Word(parts);
  }

  private void escaped(StringBuilder plain, List<Part> parts) throws ScriptException {
    if (at == text.length()) {
      throw new ScriptException("syntax error: unexpected end of file", true);
    }
    char c = text.charAt(at++);
    if (c != '\n') {
      flush(plain, parts);
      parts.add(new Part(String.valueOf(c), false, true));
    }
  }

  private static void flush(StringBuilder plain, List<Part> parts) {
    if (plain.length() > 0) {
      parts.add(new Part(plain.toString(), false, false));
      plain.setLength(0);
    }
  }

  /** What stands between double quotes; the first one was read. */
  private void quoted(List<Part> parts) throws ScriptException {
    StringBuilder plain = new StringBuilder();
    int before = parts.size();
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        if (plain.length() > 0 || parts.size() == before) {
          parts.add(new Part(plain.toString(), false, true));
        }
        return;
      }
      if (c == '\\' && at < text.length() && "$`\"\\\n".indexOf(text.charAt(at)) >= 0) {
        char kept = text.charAt(at++);
        plain.append(kept == '\n' ? "" : String.valueOf(kept));
      } else if (c == '`') {
        throw refused(c);
      } else if (c == '$') {
        if (plain.length() > 0) {
          parts.add(new Part(plain.toString(), false, true));
          plain.setLength(0);
        }
        variable(parts, true);
      } else {
        plain.append(c);
      }
    }
    throw new ScriptException("syntax error: unterminated quoted string", true);
  }

  /** What follows a dollar sign. */
  private void variable(List<Part> parts, boolean quoted) throws ScriptException {
    char c = at < text.length() ? text.charAt(at) : ' ';
    if (c == '(') {
      throw refused(c);
    }
    if (c == '{') {
      int end = text.indexOf('}', at);
      if (end < 0) {
        throw new ScriptException("syntax error: unterminated quoted string", true);
      }
      String name = text.substring(at + 1, end);
      if (!name.matches("[A-Za-z_][A-Za-z0-9_]*|[?$#0-9]")) {
        throw new ScriptException("syntax error: bad substitution", false);
      }
      parts.add(new Part(name, true, quoted));
      at = end + 1;
    } else if ("?$#".indexOf(c) >= 0 || Character.isDigit(c)) {
      parts.add(new Part(String.valueOf(c), true, quoted));
      at++;
    } else {
      int end = at;
      while (end < text.length() && nameChar(text.charAt(end))) {
        end++;
      }
      boolean none = end == at;
      parts.add(new Part(none ? "$" : text.substring(at, end), !none, quoted));
      at = end;
    }
  }

  private static boolean nameChar(char c) {
    return c == '_' || (c < 128 && Character.isLetterOrDigit(c));
  }
}
