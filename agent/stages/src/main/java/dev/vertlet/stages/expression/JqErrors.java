package dev.vertlet.stages.expression;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.thisptr.jackson.jq.exception.JsonQueryException;

/** Positions in the parser's messages. */
final class JqErrors {
  private static final Pattern POSITION = Pattern.compile("at line (\\d+), column (\\d+)");
  private static final Pattern FOUND =
      Pattern.compile("Encountered \"?\\s*(?:<\\w+>|\"(?:[^\"]|\\\\\")*\")?\\s*\"?([^\"]*)");

  private JqErrors() {}

  static ExpressionException of(JsonQueryException failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    String message = String.valueOf(cause.getMessage());
    Matcher position = POSITION.matcher(message);
    boolean placed = position.find();
    int line = placed ? Integer.parseInt(position.group(1)) : 1;
    int column = placed ? Math.max(1, Integer.parseInt(position.group(2))) : 1;
    Matcher found = FOUND.matcher(message);
    String token = found.find() ? found.group(1).strip() : "";
    String unexpected = token.isEmpty() ? "" : ": unexpected \"" + token + "\"";
    return new ExpressionException(line, column, "jq: the query does not parse" + unexpected);
  }
}
