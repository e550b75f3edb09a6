package dev.vertlet.stages.template;

import dev.vertlet.stages.template.Token.Kind;
import dev.vertlet.stages.template.function.Functions;
import dev.vertlet.stages.template.value.GoQuote;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses the text of one template; definitions inside it have a parser each on the same tokens. */
final class Parser {
  private static final Set<Kind> OPERANDS =
      EnumSet.of(
          Kind.BOOL,
          Kind.CHAR_CONSTANT,
          Kind.COMPLEX,
          Kind.DOT,
          Kind.FIELD,
          Kind.IDENTIFIER,
          Kind.NUMBER,
          Kind.NIL,
          Kind.RAW_STRING,
          Kind.STRING,
          Kind.VARIABLE,
          Kind.LEFT_PAREN);

  private final Source source;
  private final TokenBuffer tokens;
  private final Functions functions;
  private final Definitions definitions;
  private final List<String> variables = new ArrayList<>(List.of("$"));
  private int actionLine;
  private int ranges;
  private int depth;

  Parser(Source source, Functions functions, Definitions definitions) {
    this(source, new TokenBuffer(new Lexer(source.text())), functions, definitions, 0);
  }

  private Parser(
      Source source, TokenBuffer tokens, Functions functions, Definitions definitions, int depth) {
    this.source = source;
    this.tokens = tokens;
    this.functions = functions;
    this.definitions = definitions;
    this.depth = depth;
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
        throw error("unexpected " + node);
      }
      nodes.add(node);
    }
    define(source.name(), new Node.Block(0, List.copyOf(nodes)));
  }

  private Parser nested() {
    return new Parser(source, tokens.sharing(), functions, definitions, depth);
  }

  private void definition() {
    Token name = tokens.nextNonSpace();
    if (name.kind() != Kind.STRING && name.kind() != Kind.RAW_STRING) {
      throw unexpected(name, "define clause");
    }
    String unquoted = unquote(name);
    expect(Kind.RIGHT_DELIMITER, "define clause");
    define(unquoted, body("define clause"));
  }

  private Node.Block body(String context) {
    ListAndEnd list = itemList();
    if (list.end().kind() != Kind.END) {
      throw error("unexpected " + list.end() + " in " + context);
    }
    return list.block();
  }

  private void define(String name, Node.Block block) {
    if (!definitions.add(name, block)) {
      throw error("template: multiple definition of template " + GoQuote.quote(name));
    }
  }

  private record ListAndEnd(Node.Block block, Node.Closing end) {}

  private ListAndEnd itemList() {
    if (++depth > Limits.DEPTH) {
      throw error("max nesting depth exceeded");
    }
    int start = tokens.peekNonSpace().start();
    List<Node> nodes = new ArrayList<>();
    while (tokens.peekNonSpace().kind() != Kind.EOF) {
      Node node = textOrAction();
      if (node instanceof Node.Closing end) {
        depth--;
        return new ListAndEnd(new Node.Block(start, List.copyOf(nodes)), end);
      }
      nodes.add(node);
    }
    throw error("unexpected EOF");
  }

  private Node textOrAction() {
    Token token = tokens.nextNonSpace();
    if (token.kind() == Kind.TEXT) {
      return new Node.Text(token.start(), token.text());
    }
    if (token.kind() != Kind.LEFT_DELIMITER) {
      throw unexpected(token, "input");
    }
    actionLine = source.line(token.start());
    Node node = action();
    actionLine = 0;
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
        return new Node.Closing(expect(Kind.RIGHT_DELIMITER, "end").start(), Kind.END);
      case IF, RANGE, WITH:
        return control(token.kind());
      case TEMPLATE:
        return invocation();
      default:
        tokens.backUp();
        int start = tokens.peek().start();
        return new Node.Action(start, pipeline("command", Kind.RIGHT_DELIMITER));
    }
  }

  private Node jump(Token keyword) {
    String name = "{{" + keyword.text() + "}}";
    Token token = tokens.nextNonSpace();
    if (token.kind() != Kind.RIGHT_DELIMITER) {
      throw unexpected(token, name);
    }
    if (ranges == 0) {
      throw error(name + " outside {{range}}");
    }
    return new Node.Jump(keyword.start(), keyword.kind());
  }

  private Node.Closing otherwise() {
    Token next = tokens.peekNonSpace();
    if (next.kind() == Kind.IF || next.kind() == Kind.WITH) {
      return new Node.Closing(next.start(), Kind.ELSE);
    }
    return new Node.Closing(expect(Kind.RIGHT_DELIMITER, "else").start(), Kind.ELSE);
  }

  private Node.Control control(Kind kind) {
    if (++depth > Limits.DEPTH) {
      throw error("max nesting depth exceeded");
    }
    int visible = variables.size();
    String context = kind.name().toLowerCase(java.util.Locale.ROOT);
    Node.Pipeline pipeline = pipeline(context, Kind.RIGHT_DELIMITER);
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
          throw error("expected end; found " + second.end());
        }
        otherwise = second.block();
      }
    }
    forget(visible);
    depth--;
    return new Node.Control(pipeline.start(), kind, pipeline, list.block(), otherwise);
  }

  private Node block() {
    Token name = tokens.nextNonSpace();
    String unquoted = templateName(name, "block clause");
    Node.Pipeline pipeline = pipeline("block clause", Kind.RIGHT_DELIMITER);
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
      pipeline = pipeline("template clause", Kind.RIGHT_DELIMITER);
    }
    return new Node.Invocation(name.start(), unquoted, GoQuote.quote(unquoted), pipeline);
  }

  private String templateName(Token token, String context) {
    if (token.kind() != Kind.STRING && token.kind() != Kind.RAW_STRING) {
      throw unexpected(token, context);
    }
    return unquote(token);
  }

  private Node.Pipeline pipeline(String context, Kind end) {
    int start = tokens.peekNonSpace().start();
    List<Node.Variable> declared = new ArrayList<>();
    boolean assigns = declarations(context, declared);
    List<Node.Command> commands = new ArrayList<>();
    while (true) {
      Token token = tokens.nextNonSpace();
      if (token.kind() == end) {
        checkCommands(commands, context);
        return new Node.Pipeline(start, List.copyOf(declared), assigns, List.copyOf(commands));
      }
      if (!OPERANDS.contains(token.kind())) {
        throw unexpected(token, context);
      }
      tokens.backUp();
      commands.add(command());
    }
  }

  /** Reads {@code $x :=}, {@code $x =} and {@code $i, $x :=}; whether it is an assignment. */
  private boolean declarations(String context, List<Node.Variable> declared) {
    while (tokens.peekNonSpace().kind() == Kind.VARIABLE) {
      Token variable = tokens.next();
      // "$x" may be an operand too: up to three tokens decide that
      Token after = tokens.peek();
      Token next = tokens.peekNonSpace();
      boolean comma = next.kind() == Kind.CHAR && next.text().equals(",");
      if (next.kind() != Kind.ASSIGN && next.kind() != Kind.DECLARE && !comma) {
        if (after.kind() == Kind.SPACE) {
          tokens.backUp(variable, after);
        } else {
          tokens.backUp(variable);
        }
        return false;
      }
      tokens.nextNonSpace();
      declared.add(variable(variable));
      variables.add(variable.text());
      if (!comma) {
        return next.kind() == Kind.ASSIGN;
      }
      if (!context.equals("range") || declared.size() >= 2) {
        throw error("too many declarations in " + context);
      }
      switch (tokens.peekNonSpace().kind()) {
        case VARIABLE, RIGHT_DELIMITER, RIGHT_PAREN:
          break;
        default:
          throw error("range can only initialize variables");
      }
    }
    return false;
  }

  private void checkCommands(List<Node.Command> commands, String context) {
    if (commands.isEmpty()) {
      throw error("missing value for " + context);
    }
    for (int i = 1; i < commands.size(); i++) {
      Node.Operand first = commands.get(i).operands().get(0);
      if (first instanceof Node.Bool
          || first instanceof Node.Dot
          || first instanceof Node.Nil
          || first instanceof Node.Number
          || first instanceof Node.Str) {
        throw error("non executable command in pipeline stage " + (i + 1));
      }
    }
  }

  private Node.Command command() {
    int start = tokens.peekNonSpace().start();
    List<Node.Operand> operands = new ArrayList<>();
    while (true) {
      tokens.peekNonSpace();
      Node.Operand operand = operand();
      if (operand != null) {
        operands.add(operand);
      }
      Token token = tokens.next();
      if (token.kind() == Kind.SPACE) {
        continue;
      }
      if (token.kind() == Kind.RIGHT_DELIMITER || token.kind() == Kind.RIGHT_PAREN) {
        tokens.backUp();
      } else if (token.kind() != Kind.PIPE) {
        throw unexpected(token, "operand");
      }
      break;
    }
    if (operands.isEmpty()) {
      throw error("empty command");
    }
    return new Node.Command(start, List.copyOf(operands));
  }

  private Node.@Nullable Operand operand() {
    Node.Operand term = term();
    if (term == null || tokens.peek().kind() != Kind.FIELD) {
      return term;
    }
    int start = tokens.peek().start();
    List<String> names = new ArrayList<>();
    while (tokens.peek().kind() == Kind.FIELD) {
      names.add(tokens.next().text().substring(1));
    }
    if (term instanceof Node.Field field) {
      names.addAll(0, field.names());
      return new Node.Field(start, List.copyOf(names));
    }
    if (term instanceof Node.Variable variable) {
      names.addAll(0, variable.names());
      return new Node.Variable(start, List.copyOf(names));
    }
    if (term instanceof Node.Identifier || term instanceof Node.Pipeline) {
      return new Node.Chain(start, term, List.copyOf(names));
    }
    throw error("unexpected . after term " + GoQuote.quote(term.toString()));
  }

  private Node.@Nullable Operand term() {
    Token token = tokens.nextNonSpace();
    int start = token.start();
    switch (token.kind()) {
      case IDENTIFIER:
        if (functions.find(token.text()) == null) {
          throw error("function " + GoQuote.quote(token.text()) + " not defined", start);
        }
        return new Node.Identifier(start, token.text());
      case DOT:
        return new Node.Dot(start);
      case NIL:
        return new Node.Nil(start);
      case VARIABLE:
        if (!variables.contains(token.text())) {
          throw error("undefined variable " + GoQuote.quote(token.text()), start);
        }
        return variable(token);
      case FIELD:
        return new Node.Field(start, List.of(token.text().substring(1)));
      case BOOL:
        return new Node.Bool(start, token.text().equals("true"));
      case CHAR_CONSTANT, COMPLEX, NUMBER:
        return number(token);
      case LEFT_PAREN:
        if (++depth > Limits.DEPTH) {
          throw error("max expression depth exceeded");
        }
        Node.Pipeline pipeline = pipeline("parenthesized pipeline", Kind.RIGHT_PAREN);
        depth--;
        return pipeline;
      case STRING, RAW_STRING:
        return new Node.Str(start, token.text(), unquote(token));
      default:
        tokens.backUp();
        return null;
    }
  }

  private Node.Number number(Token token) {
    try {
      boolean character = token.kind() == Kind.CHAR_CONSTANT;
      return new Node.Number(
          token.start(),
          character ? NumberConstant.ofCharacter(token.text()) : NumberConstant.of(token.text()));
    } catch (IllegalArgumentException e) {
      throw error(String.valueOf(e.getMessage()), token.start());
    }
  }

  private static Node.Variable variable(Token token) {
    return new Node.Variable(token.start(), List.copyOf(Arrays.asList(token.text())));
  }

  private void forget(int visible) {
    variables.subList(visible, variables.size()).clear();
  }

  private String unquote(Token token) {
    try {
      return GoQuote.unquote(token.text());
    } catch (IllegalArgumentException e) {
      throw error(String.valueOf(e.getMessage()), token.start());
    }
  }

  private Token expect(Kind kind, String context) {
    Token token = tokens.nextNonSpace();
    if (token.kind() != kind) {
      throw unexpected(token, context);
    }
    return token;
  }

  private TemplateException unexpected(Token token, String context) {
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

  private TemplateException error(String message) {
    return error(message, tokens.latest().start());
  }

  /** Go's message has the line of the token read last, the exception the place of the mistake. */
  private TemplateException error(String message, int at) {
    int line = source.line(tokens.latest().start());
    return new TemplateException(
        source.name(),
        source.line(at),
        source.byteInLine(at) + 1,
        "template: " + source.name() + ":" + line + ": " + message);
  }
}
