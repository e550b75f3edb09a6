package dev.vertlet.stages.template;

import dev.vertlet.stages.template.value.GoQuote;

/**
 * A lexical item of a template.
 *
 * @param start index of its first character
 * @param text as in the source; of an error its message
 */
record Token(Kind kind, int start, String text) {
  /** Kinds of tokens; keywords are behind {@link #WITH}'s first, {@link #BLOCK}. */
  enum Kind {
    ERROR,
    EOF,
    TEXT,
    LEFT_DELIMITER,
    RIGHT_DELIMITER,
    SPACE,
    ASSIGN,
    DECLARE,
    PIPE,
    LEFT_PAREN,
    RIGHT_PAREN,
    CHAR,
    BOOL,
    CHAR_CONSTANT,
    COMPLEX,
    NUMBER,
    STRING,
    RAW_STRING,
    FIELD,
    IDENTIFIER,
    VARIABLE,
    BLOCK,
    BREAK,
    CONTINUE,
    DOT,
    DEFINE,
    ELSE,
    END,
    IF,
    NIL,
    RANGE,
    TEMPLATE,
    WITH;

    boolean isKeyword() {
      return compareTo(BLOCK) >= 0;
    }
  }

  /** The token as an error message shows it. */
  @Override
  public String toString() {
    if (kind == Kind.EOF) {
      return "EOF";
    }
    if (kind == Kind.ERROR) {
      return text;
    }
    if (kind.isKeyword()) {
      return "<" + text + ">";
    }
    if (GoQuote.utf8Length(text) > 10) {
      int end = text.offsetByCodePoints(0, Math.min(10, text.codePointCount(0, text.length())));
      return GoQuote.quote(text.substring(0, end)) + "...";
    }
    return GoQuote.quote(text);
  }
}
