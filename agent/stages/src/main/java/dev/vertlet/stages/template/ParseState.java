package dev.vertlet.stages.template;

import dev.vertlet.stages.template.Token.Kind;
import dev.vertlet.stages.template.value.GoQuote;

/** Where a parser is in its text, how deep, and its mistakes in Go's words. */
final class ParseState {
  private final Source source;
  private final TokenBuffer tokens;
  private int actionLine;
  private int depth;

  ParseState(Source source) {
    this(source, new TokenBuffer(new Lexer(source.text())), 0);
  }

  private ParseState(Source source, TokenBuffer tokens, int depth) {
    this.source = source;
    this.tokens = tokens;
    this.depth = depth;
  }

  /** For a definition inside the text: the same tokens, from here on. */
  ParseState nested() {
    return new ParseState(source, tokens.sharing(), depth);
  }

  Source source() {
    return source;
  }

  TokenBuffer tokens() {
    return tokens;
  }

  /** Goes one level deeper, or fails with the message where that is one too many. */
  void descend(String message) {
    if (++depth > Limits.DEPTH) {
      throw error(message);
    }
  }

  void ascend() {
    depth--;
  }

  void beginAction(Token delimiter) {
    actionLine = source.line(delimiter.start());
  }

  void endAction() {
    actionLine = 0;
  }

  String unquote(Token token) {
    try {
      return GoQuote.unquote(token.text());
    } catch (IllegalArgumentException e) {
      throw error(String.valueOf(e.getMessage()), token.start());
    }
  }

  Token expect(Kind kind, String context) {
    Token token = tokens.nextNonSpace();
    if (token.kind() != kind) {
      throw unexpected(token, context);
    }
    return token;
  }

  TemplateException unexpected(Token token, String context) {
    if (token.kind() != Kind.ERROR) {
      return error("unexpected " + token + " in " + context, token.start());
    }
    String extra = "";
    if (actionLine != 0 && actionLine != source.line(token.start())) {
      extra = " in action started at " + source.name() + ":" + actionLine;
      if (token.text().endsWith(" action")) {
        extra = extra.substring(" in action".length());
      }
    }
    return error(token + extra, token.start());
  }

  TemplateException error(String message) {
    return error(message, tokens.latest().start());
  }

  /** Go's message has the line of the token read last, the exception the place of the mistake. */
  TemplateException error(String message, int at) {
    int line = source.line(tokens.latest().start());
    return new TemplateException(
        source.name(),
        source.line(at),
        source.byteInLine(at) + 1,
        "template: " + source.name() + ":" + line + ": " + message);
  }
}
