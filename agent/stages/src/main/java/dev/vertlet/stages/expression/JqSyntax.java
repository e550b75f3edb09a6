package dev.vertlet.stages.expression;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the library does not do itself: it accepts {@code .a.[]}, which jq has since 1.7, as {@code
 * .a[]}, and finds unknown functions before the first evaluation.
 */
final class JqSyntax {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\"(?:[^\"\\\\]|\\\\.)*\"" // strings, without the queries in them
              + "|#[^\n]*"
              + "|\\.[\\p{Alpha}_]\\w*"
              + "|\\$[\\p{Alpha}_]\\w*"
              + "|@\\w+"
              + "|[\\p{Alpha}_][\\w:]*"
              + "|\\d[\\w.]*"
              + "|\\s+"
              + "|.",
          Pattern.DOTALL);

  private static final Set<String> KEYWORDS =
      Set.of(
          "if", "then", "elif", "else", "end", "and", "or", "not", "as", "def", "reduce", "foreach",
          "try", "catch", "label", "import", "include", "null", "true", "false", "break", "limit",
          "first", "last", "until", "empty", "error", "input", "debug");

  private JqSyntax() {}

  private record Token(String text, int start) {}

  private static List<Token> tokens(String query) {
    List<Token> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(query);
    while (matcher.find()) {
      String text = matcher.group();
      if (!text.isBlank() && !text.startsWith("#")) {
        tokens.add(new Token(text, matcher.start()));
      }
    }
    return tokens;
  }

  /** Returns the query without the dots before brackets that follow a term; positions stay. */
  static String normalized(String query) {
    StringBuilder text = new StringBuilder(query);
    List<Token> tokens = tokens(query);
    for (int i = 1; i + 1 < tokens.size(); i++) {
      boolean dot = tokens.get(i).text().equals(".");
      if (dot && tokens.get(i + 1).text().equals("[") && endsTerm(tokens.get(i - 1).text())) {
        text.setCharAt(tokens.get(i).start(), ' ');
      }
    }
    return text.toString();
  }

  private static boolean endsTerm(String token) {
    char last = token.charAt(token.length() - 1);
    boolean name = token.charAt(0) == '.' || token.charAt(0) == '$';
    return last == ']' || last == ')' || last == '?' || last == '"' || name && token.length() > 1;
  }

  /**
   * Checks that all functions exist.
   *
   * @param known names of the library's functions
   */
  static void checkFunctions(String query, Set<String> known) throws ExpressionException {
    List<Token> tokens = tokens(query);
    Set<String> own = new HashSet<>();
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (tokens.get(i).text().equals("def")) {
        own.add(tokens.get(i + 1).text());
        // parameters of the definition are functions in its body
        for (int j = i + 2; j < tokens.size() && !tokens.get(j).text().equals(":"); j++) {
          own.add(tokens.get(j).text());
        }
      }
    }
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      boolean name = Character.isLetter(token.text().charAt(0)) || token.text().charAt(0) == '_';
      boolean key =
          i + 1 < tokens.size() && tokens.get(i + 1).text().equals(":") || inObject(tokens, i);
      if (name
          && !key
          && !KEYWORDS.contains(token.text())
          && !own.contains(token.text())
          && !known.contains(token.text())) {
        int line =
            1 + (int) query.substring(0, token.start()).chars().filter(c -> c == '\n').count();
        int column = token.start() - query.lastIndexOf('\n', Math.max(0, token.start() - 1));
        throw new ExpressionException(
            line, Math.max(1, column), "jq: unknown function " + token.text());
      }
    }
  }

  /** Whether a name is the short form of an object's field: {@code {a, b}}. */
  private static boolean inObject(List<Token> tokens, int index) {
    String before = index == 0 ? "" : tokens.get(index - 1).text();
    String after = index + 1 == tokens.size() ? "" : tokens.get(index + 1).text();
    return (before.equals("{") || before.equals(","))
        && (after.equals("}") || after.equals(","))
        && opened(tokens, index);
  }

  private static boolean opened(List<Token> tokens, int index) {
    int depth = 0;
    for (int i = index - 1; i >= 0; i--) {
      String text = tokens.get(i).text();
      if (text.equals("}") || text.equals(")") || text.equals("]")) {
        depth++;
      } else if (text.equals("{") || text.equals("(") || text.equals("[")) {
        if (depth == 0) {
          return text.equals("{");
        }
        depth--;
      }
    }
    return false;
  }
}
