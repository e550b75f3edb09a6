package dev.vertlet.simulated.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses scripts: commands divided by {@code ;}, new lines, {@code &&} and {@code ||}; words with
 * quotes and {@code \}; {@code 2>&1}, {@code >&2} and {@code >/dev/null}; comments.
 */
final class ScriptParser {
  private static final Pattern REDIRECT =
      Pattern.compile("([12]?)>[ \\t]*(?:&([12])|/dev/null(?=[\\s;&|]|$))");

  private static final String BLANKS = " \t\r";
  private static final String OPERATORS = "|&;\n";

  /** Characters with a meaning in other shells, outside quotes. */
  private static final String REFUSED = "()<>";

  private final String text;
  private int at;

  private ScriptParser(String text) {
    this.text = text;
  }

  /** Condition for a command to run. */
  enum When {
    ALWAYS,
    /** After a success of the command before. */
    SUCCEEDED,
    /** After a failure of the command before. */
    FAILED
  }

  /**
   * One command.
   *
   * @param words at least one
   */
  record Command(When when, List<String> words, List<Redirect> redirects) {
    Command {
      words = List.copyOf(words);
      redirects = List.copyOf(redirects);
    }
  }

  /**
   * A redirection such as {@code 2>&1}.
   *
   * @param from 1 or 2
   * @param to 1 or 2; 0 for {@code /dev/null}
   */
  record Redirect(int from, int to) {}

  /** Failure of a script that cannot be run. */
  static final class SyntaxException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean unfinished;

    /**
     * @param unfinished whether more text could complete the script
     */
    SyntaxException(String message, boolean unfinished) {
      super("syntax error: " + message);
      this.unfinished = unfinished;
    }

    boolean unfinished() {
      return unfinished;
    }
  }

  /**
   * @throws SyntaxException for an invalid script, or one that needs more than this shell has
   */
  static List<Command> parse(String text) throws SyntaxException {
    return new ScriptParser(text).commands();
  }

  private List<Command> commands() throws SyntaxException {
    List<Command> commands = new ArrayList<>();
    When when = When.ALWAYS;
    while (true) {
      skipBlanks(true);
      if (at == text.length()) {
        if (when != When.ALWAYS) {
          throw new SyntaxException("unexpected end of file", true);
        }
        return commands;
      }
      commands.add(command(when));
      when = operator();
    }
  }

  /** Reads the operator between two commands. */
  private When operator() throws SyntaxException {
    if (at == text.length()) {
      return When.ALWAYS;
    }
    if (text.startsWith("&&", at) || text.startsWith("||", at)) {
      at += 2;
      return text.charAt(at - 1) == '&' ? When.SUCCEEDED : When.FAILED;
    }
    char c = text.charAt(at);
    if (c == '&' || c == '|') {
      throw refused(c);
    }
    at++;
    return When.ALWAYS;
  }

  private static SyntaxException refused(char c) {
    return new SyntaxException("\"" + c + "\" is nothing that this shell knows", false);
  }

  private Command command(When when) throws SyntaxException {
    List<String> words = new ArrayList<>();
    List<Redirect> redirects = new ArrayList<>();
    skipBlanks(false);
    while (at < text.length() && !next(OPERATORS)) {
      Matcher redirect = REDIRECT.matcher(text).region(at, text.length());
      if (redirect.lookingAt()) {
        redirects.add(redirect(redirect));
        at = redirect.end();
      } else if (next(REFUSED)) {
        throw refused(text.charAt(at));
      } else {
        words.add(word());
      }
      skipBlanks(false);
    }
    if (words.isEmpty()) {
      String what = at == text.length() ? "end of file" : "\"" + text.charAt(at) + "\"";
      throw new SyntaxException("unexpected " + what.replace("\n", "newline"), false);
    }
    return new Command(when, words, redirects);
  }

  private boolean next(String oneOf) {
    return oneOf.indexOf(text.charAt(at)) >= 0;
  }

  private static Redirect redirect(Matcher found) {
    String to = found.group(2);
    return new Redirect("2".equals(found.group(1)) ? 2 : 1, to == null ? 0 : Integer.parseInt(to));
  }

  /** Skips blanks and comments; also new lines where a command must follow. */
  private void skipBlanks(boolean lines) {
    while (at < text.length()) {
      if (text.charAt(at) == '#') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (text.startsWith("\\\n", at)) {
        at += 2;
      } else if (next(BLANKS) || (lines && text.charAt(at) == '\n')) {
        at++;
      } else {
        return;
      }
    }
  }

  private String word() throws SyntaxException {
    StringBuilder word = new StringBuilder();
    while (at < text.length() && !next(BLANKS) && !next(OPERATORS) && !next(REFUSED)) {
      char c = text.charAt(at++);
      switch (c) {
        case '\'' -> {
          int end = text.indexOf('\'', at);
          if (end < 0) {
            throw unterminated();
          }
          word.append(text, at, end);
          at = end + 1;
        }
        case '"' -> quoted(word);
        case '\\' -> escaped(word);
        case '$', '`' -> throw refused(c);
        default -> word.append(c);
      }
    }
    return word.toString();
  }

  private void escaped(StringBuilder word) throws SyntaxException {
    if (at == text.length()) {
      throw new SyntaxException("unexpected end of file", true);
    }
    char c = text.charAt(at++);
    if (c != '\n') {
      word.append(c);
    }
  }

  /** Reads text between double quotes; the first one was read. */
  private void quoted(StringBuilder word) throws SyntaxException {
    while (at < text.length()) {
      char c = text.charAt(at++);
      if (c == '"') {
        return;
      }
      if (c == '\\' && at < text.length() && next("$`\"\\\n")) {
        escaped(word);
      } else if (c == '$' || c == '`') {
        throw refused(c);
      } else {
        word.append(c);
      }
    }
    throw unterminated();
  }

  private static SyntaxException unterminated() {
    return new SyntaxException("unterminated quoted string", true);
  }
}
