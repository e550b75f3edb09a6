package dev.vertlet.stages.template;

import dev.vertlet.stages.template.Token.Kind;
import dev.vertlet.stages.template.value.GoQuote;
import java.util.Map;

/** Cuts a template into tokens, one at each call of {@link #next}. */
final class Lexer {
  private static final int EOF = -1;
  private static final String LEFT = "{{";
  private static final String RIGHT = "}}";
  private static final String DECIMAL = "0123456789_";
  private static final String HEXADECIMAL = "0123456789abcdefABCDEF_";

  private static final Map<String, Kind> KEYWORDS =
      Map.ofEntries(
          Map.entry("block", Kind.BLOCK),
          Map.entry("break", Kind.BREAK),
          Map.entry("continue", Kind.CONTINUE),
          Map.entry("define", Kind.DEFINE),
          Map.entry("else", Kind.ELSE),
          Map.entry("end", Kind.END),
          Map.entry("if", Kind.IF),
          Map.entry("nil", Kind.NIL),
          Map.entry("range", Kind.RANGE),
          Map.entry("template", Kind.TEMPLATE),
          Map.entry("with", Kind.WITH),
          Map.entry("true", Kind.BOOL),
          Map.entry("false", Kind.BOOL));

  private final String input;
  private int position;
  private int start;
  private int parentheses;
  private boolean insideAction;
  private boolean ended;

  Lexer(String input) {
    this.input = input;
  }

  /** The next token; after an error and after the end always the end. */
  Token next() {
    if (ended) {
      return new Token(Kind.EOF, input.length(), "EOF");
    }
    Token token = insideAction ? insideAction() : text();
    ended = token.kind() == Kind.ERROR || token.kind() == Kind.EOF;
    return token;
  }

  private Token text() {
    while (true) {
      int delimiter = input.indexOf(LEFT, position);
      int end = delimiter < 0 ? input.length() : delimiter;
      int trimmed = end;
      if (delimiter >= 0 && trimMarkerAfter(delimiter + LEFT.length())) {
        while (trimmed > start && isSpace(input.charAt(trimmed - 1))) {
          trimmed--;
        }
      }
      if (trimmed > start) {
        Token token = new Token(Kind.TEXT, start, input.substring(start, trimmed));
        position = end;
        start = end;
        return token;
      }
      position = end;
      start = end;
      if (delimiter < 0) {
        return new Token(Kind.EOF, position, "EOF");
      }
      int inside = position + LEFT.length();
      int content = trimMarkerAfter(inside) ? inside + 2 : inside;
      if (!input.startsWith("/*", content)) {
        position = inside;
        Token token = take(Kind.LEFT_DELIMITER);
        insideAction = true;
        parentheses = 0;
        position = content;
        start = content;
        return token;
      }
      start = content;
      int close = input.indexOf("*/", content + 2);
      if (close < 0) {
        return error("unclosed comment");
      }
      position = close + 2;
      if (!atRightDelimiter()) {
        return error("comment ends before closing delimiter");
      }
      rightDelimiter();
    }
  }

  private boolean trimMarkerAfter(int index) {
    return index + 1 < input.length()
        && input.charAt(index) == '-'
        && isSpace(input.charAt(index + 1));
  }

  private boolean trimMarkerBeforeRight(int index) {
    return index + 1 < input.length()
        && isSpace(input.charAt(index))
        && input.charAt(index + 1) == '-'
        && input.startsWith(RIGHT, index + 2);
  }

  private boolean atRightDelimiter() {
    return trimMarkerBeforeRight(position) || input.startsWith(RIGHT, position);
  }

  private Token rightDelimiter() {
    boolean trim = trimMarkerBeforeRight(position);
    if (trim) {
      position += 2;
      start = position;
    }
    position += RIGHT.length();
    Token token = take(Kind.RIGHT_DELIMITER);
    while (trim && position < input.length() && isSpace(input.charAt(position))) {
      position++;
    }
    start = position;
    insideAction = false;
    return token;
  }

  private Token insideAction() {
    if (atRightDelimiter()) {
      return parentheses == 0 ? rightDelimiter() : error("unclosed left paren");
    }
    int first = advance();
    if (first == EOF) {
      return error("unclosed action");
    }
    if (isSpace(first)) {
      return space();
    }
    switch (first) {
      case '=':
        return take(Kind.ASSIGN);
      case ':':
        return advance() == '=' ? take(Kind.DECLARE) : error("expected :=");
      case '|':
        return take(Kind.PIPE);
      case '"':
        return quoted('"', Kind.STRING, "unterminated quoted string");
      case '\'':
        return quoted('\'', Kind.CHAR_CONSTANT, "unterminated character constant");
      case '`':
        return rawString();
      case '$':
        return fieldOrVariable(Kind.VARIABLE);
      case '(':
        parentheses++;
        return take(Kind.LEFT_PAREN);
      case ')':
        parentheses--;
        return parentheses < 0 ? error("unexpected right paren") : take(Kind.RIGHT_PAREN);
      default:
        break;
    }
    int second = peek();
    if (first == '.' && second != EOF && !isDigit(second)) {
      return fieldOrVariable(Kind.FIELD);
    }
    if (first == '.' || first == '+' || first == '-' || isDigit(first)) {
      position = start;
      return number();
    }
    if (isAlphanumeric(first)) {
      return identifier();
    }
    if (first > ' ' && first < 0x7f) {
      return take(Kind.CHAR);
    }
    return error("unrecognized character in action: " + GoQuote.unicode(first, true));
  }

  private Token space() {
    while (isSpace(peek())) {
      position++;
    }
    // the last space may belong to a trim marker
    if (trimMarkerBeforeRight(position - 1)) {
      position--;
      if (position == start) {
        return rightDelimiter();
      }
    }
    return take(Kind.SPACE);
  }

  private Token identifier() {
    acceptAlphanumeric();
    if (!atTerminator()) {
      return badCharacter();
    }
    return take(KEYWORDS.getOrDefault(input.substring(start, position), Kind.IDENTIFIER));
  }

  private Token fieldOrVariable(Kind kind) {
    if (atTerminator()) {
      return take(kind == Kind.VARIABLE ? Kind.VARIABLE : Kind.DOT);
    }
    acceptAlphanumeric();
    return atTerminator() ? take(kind) : badCharacter();
  }

  private Token badCharacter() {
    return error("bad character " + GoQuote.unicode(peek(), true));
  }

  private boolean atTerminator() {
    int next = peek();
    return next == EOF
        || isSpace(next)
        || ".,|:)(".indexOf(next) >= 0
        || input.startsWith(RIGHT, position);
  }

  private Token quoted(int quote, Kind kind, String unterminated) {
    while (true) {
      int next = advance();
      if (next == '\\') {
        next = advance();
        if (next != EOF && next != '\n') {
          continue;
        }
      }
      if (next == EOF || next == '\n') {
        return error(unterminated);
      }
      if (next == quote) {
        return take(kind);
      }
    }
  }

  private Token rawString() {
    int end = input.indexOf('`', position);
    if (end < 0) {
      return error("unterminated raw quoted string");
    }
    position = end + 1;
    return take(Kind.RAW_STRING);
  }

  private Token number() {
    boolean complete = scanNumber();
    boolean complex = complete && (peek() == '+' || peek() == '-');
    if (complex) {
      complete = scanNumber() && input.charAt(position - 1) == 'i';
    }
    if (!complete) {
      return error("bad number syntax: " + GoQuote.quote(input.substring(start, position)));
    }
    return take(complex ? Kind.COMPLEX : Kind.NUMBER);
  }

  private boolean scanNumber() {
    accept("+-");
    String digits = DECIMAL;
    if (accept("0")) {
      if (accept("xX")) {
        digits = HEXADECIMAL;
      } else if (accept("oO")) {
        digits = "01234567_";
      } else if (accept("bB")) {
        digits = "01_";
      }
    }
    acceptAll(digits);
    if (accept(".")) {
      acceptAll(digits);
    }
    if (digits.equals(DECIMAL) && accept("eE") || digits.equals(HEXADECIMAL) && accept("pP")) {
      accept("+-");
      acceptAll(DECIMAL);
    }
    accept("i");
    if (isAlphanumeric(peek())) {
      advance();
      return false;
    }
    return true;
  }

  private int peek() {
    return position < input.length() ? input.codePointAt(position) : EOF;
  }

  private int advance() {
    int next = peek();
    if (next != EOF) {
      position += Character.charCount(next);
    }
    return next;
  }

  private boolean accept(String set) {
    int next = peek();
    boolean accepted = next != EOF && set.indexOf(next) >= 0;
    if (accepted) {
      position++;
    }
    return accepted;
  }

  private void acceptAll(String set) {
    while (accept(set)) {
      continue;
    }
  }

  private void acceptAlphanumeric() {
    while (isAlphanumeric(peek())) {
      advance();
    }
  }

  private Token take(Kind kind) {
    Token token = new Token(kind, start, input.substring(start, position));
    start = position;
    return token;
  }

  private Token error(String message) {
    return new Token(Kind.ERROR, start, message);
  }

  private static boolean isSpace(int character) {
    return character == ' ' || character == '\t' || character == '\r' || character == '\n';
  }

  private static boolean isDigit(int character) {
    return character >= '0' && character <= '9';
  }

  private static boolean isAlphanumeric(int character) {
    return character == '_'
        || character != EOF && (Character.isLetter(character) || Character.isDigit(character));
  }
}
