package dev.vertlet.stages.template;

import dev.vertlet.stages.template.Token.Kind;
import dev.vertlet.stages.template.function.Functions;
import dev.vertlet.stages.template.value.GoQuote;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Parses the text of one template; definitions inside it have a parser each on the same tokens. */
final class Parser {
  private final ParseState state;
  private final TokenBuffer tokens;
  private final Functions functions;
  private final Definitions definitions;
  private final PipelineParser pipelines;
  private int ranges;

  Parser(Source source, Functions functions, Definitions definitions) {
    this(new ParseState(source), functions, definitions);
  }

  private Parser(ParseState state, Functions functions, Definitions definitions) {
    this.state = state;
    this.tokens = state.tokens();
    this.functions = functions;
    this.definitions = definitions;
    this.pipelines = new PipelineParser(state, functions);
  }

  /** Parses all; the template itself and what it defines are added to the definitions. */
  void parse() {
    List<Node> nodes = new ArrayList<>();
    while (tokens.peek().kind() != Kind.EOF) {
      if (tokens.peek().kind() == Kind.LEFT_DELIMITER) {
        Token delimiter = tokens.next();
        if (tokens.nextNonSpace().kind() == Kind.DEFINE) {
          nested().definition();
          continue;
        }
        tokens.backUp(delimiter);
      }
      Node node = textOrAction();
      if (node instanceof Node.Closing) {
        throw state.error("unexpected " + node);
      }
      nodes.add(node);
    }
    define(state.source().name(), new Node.Block(0, List.copyOf(nodes)));
  }

  private Parser nested() {
    return new Parser(state.nested(), functions, definitions);
  }

  private void definition() {
    Token name = tokens.nextNonSpace();
    if (name.kind() != Kind.STRING && name.kind() != Kind.RAW_STRING) {
      throw state.unexpected(name, "define clause");
    }
    String unquoted = state.unquote(name);
    state.expect(Kind.RIGHT_DELIMITER, "define clause");
    define(unquoted, body("define clause"));
  }

  private Node.Block body(String context) {
    ListAndEnd list = itemList();
    if (list.end().kind() != Kind.END) {
      throw state.error("unexpected " + list.end() + " in " + context);
    }
    return list.block();
  }

  private void define(String name, Node.Block block) {
    if (!definitions.add(name, block)) {
      throw state.error("template: multiple definition of template " + GoQuote.quote(name));
    }
  }

  private record ListAndEnd(Node.Block block, Node.Closing end) {}

  private ListAndEnd itemList() {
    state.descend("max nesting depth exceeded");
    int start = tokens.peekNonSpace().start();
    List<Node> nodes = new ArrayList<>();
    while (tokens.peekNonSpace().kind() != Kind.EOF) {
      Node node = textOrAction();
      if (node instanceof Node.Closing end) {
        state.ascend();
        return new ListAndEnd(new Node.Block(start, List.copyOf(nodes)), end);
      }
      nodes.add(node);
    }
    throw state.error("unexpected EOF");
  }

  private Node textOrAction() {
    Token token = tokens.nextNonSpace();
    if (token.kind() == Kind.TEXT) {
      return new Node.Text(token.start(), token.text());
    }
    if (token.kind() != Kind.LEFT_DELIMITER) {
      throw state.unexpected(token, "input");
    }
    state.beginAction(token);
    Node node = action();
    state.endAction();
    return node;
  }

  private Node action() {
    Token token = tokens.nextNonSpace();
    switch (token.kind()) {
      case BLOCK:
        return block();
      case BREAK, CONTINUE:
        return jump(token);
      case ELSE:
        return otherwise();
      case END:
        return new Node.Closing(state.expect(Kind.RIGHT_DELIMITER, "end").start(), Kind.END);
      case IF, RANGE, WITH:
        return control(token.kind());
      case TEMPLATE:
        return invocation();
      default:
        tokens.backUp();
        int start = tokens.peek().start();
        return new Node.Action(start, pipelines.pipeline("command", Kind.RIGHT_DELIMITER));
    }
  }

  private Node jump(Token keyword) {
    String name = "{{" + keyword.text() + "}}";
    Token token = tokens.nextNonSpace();
    if (token.kind() != Kind.RIGHT_DELIMITER) {
      throw state.unexpected(token, name);
    }
    if (ranges == 0) {
      throw state.error(name + " outside {{range}}");
    }
    return new Node.Jump(keyword.start(), keyword.kind());
  }

  private Node.Closing otherwise() {
    Token next = tokens.peekNonSpace();
    if (next.kind() == Kind.IF || next.kind() == Kind.WITH) {
      return new Node.Closing(next.start(), Kind.ELSE);
    }
    return new Node.Closing(state.expect(Kind.RIGHT_DELIMITER, "else").start(), Kind.ELSE);
  }

  private Node.Control control(Kind kind) {
    state.descend("max nesting depth exceeded");
    int visible = pipelines.visible();
    String context = kind.name().toLowerCase(Locale.ROOT);
    Node.Pipeline pipeline = pipelines.pipeline(context, Kind.RIGHT_DELIMITER);
    int range = kind == Kind.RANGE ? 1 : 0;
    ranges += range;
    ListAndEnd list = itemList();
    ranges -= range;
    Node.Block otherwise = null;
    if (list.end().kind() == Kind.ELSE) {
      if (kind != Kind.RANGE && tokens.peek().kind() == kind) {
        tokens.next();
        otherwise = new Node.Block(list.end().start(), List.of(control(kind)));
      } else {
        ListAndEnd second = itemList();
        if (second.end().kind() != Kind.END) {
          throw state.error("expected end; found " + second.end());
        }
        otherwise = second.block();
      }
    }
    pipelines.forget(visible);
    state.ascend();
    return new Node.Control(pipeline.start(), kind, pipeline, list.block(), otherwise);
  }

  private Node block() {
    Token name = tokens.nextNonSpace();
    String unquoted = templateName(name, "block clause");
    Node.Pipeline pipeline = pipelines.pipeline("block clause", Kind.RIGHT_DELIMITER);
    Parser inner = nested();
    inner.define(unquoted, inner.body("block clause"));
    return new Node.Invocation(name.start(), unquoted, GoQuote.quote(unquoted), pipeline);
  }

  private Node invocation() {
    Token name = tokens.nextNonSpace();
    String unquoted = templateName(name, "template clause");
    Node.Pipeline pipeline = null;
    if (tokens.nextNonSpace().kind() != Kind.RIGHT_DELIMITER) {
      tokens.backUp();
      pipeline = pipelines.pipeline("template clause", Kind.RIGHT_DELIMITER);
    }
    return new Node.Invocation(name.start(), unquoted, GoQuote.quote(unquoted), pipeline);
  }

  private String templateName(Token token, String context) {
    if (token.kind() != Kind.STRING && token.kind() != Kind.RAW_STRING) {
      throw state.unexpected(token, context);
    }
    return state.unquote(token);
  }
}
