package dev.vertlet.stages.template;

/** Tokens with a look-ahead of three. */
final class TokenBuffer {
  private final Lexer lexer;
  private final Token[] ahead = new Token[3];
  private int count;

  TokenBuffer(Lexer lexer) {
    this.lexer = lexer;
  }

  /** A buffer of its own on the same tokens, for a definition inside the template. */
  TokenBuffer sharing() {
    if (count > 0) {
      throw new IllegalStateException("tokens are read ahead");
    }
    return new TokenBuffer(lexer);
  }

  Token next() {
    if (count > 0) {
      count--;
    } else {
      ahead[0] = lexer.next();
    }
    return ahead[count];
  }

  Token peek() {
    Token token = next();
    count++;
    return token;
  }

  Token nextNonSpace() {
    Token token = next();
    while (token.kind() == Token.Kind.SPACE) {
      token = next();
    }
    return token;
  }

  Token peekNonSpace() {
    Token token = nextNonSpace();
    count++;
    return token;
  }

  /** Gives the token read last back. */
  void backUp() {
    count++;
  }

  /** Gives a token back, and with it the one that was read after it. */
  void backUp(Token first) {
    ahead[1] = first;
    count = 2;
  }

  /** Gives two tokens back, and with them the one that was read after them. */
  void backUp(Token first, Token second) {
    ahead[1] = second;
    ahead[2] = first;
    count = 3;
  }

  /** The token that was read last from the source. */
  Token latest() {
    return ahead[0];
  }
}
