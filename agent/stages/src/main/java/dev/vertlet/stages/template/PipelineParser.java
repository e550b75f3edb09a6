package dev.vertlet.stages.template;

import dev.vertlet.stages.template.Token.Kind;
import dev.vertlet.stages.template.function.Functions;
import dev.vertlet.stages.template.value.GoQuote;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Parses what stands inside an action: pipelines of commands, and the variables they see. */
final class PipelineParser {
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

  private final ParseState state;
  private final TokenBuffer tokens;
  private final Functions functions;
  private final List<String> variables = new ArrayList<>(List.of("$"));

  PipelineParser(ParseState state, Functions functions) {
    this.state = state;
    this.tokens = state.tokens();
    this.functions = functions;
  }

  /** How many variables can be seen here, for {@link #forget}. */
  int visible() {
    return variables.size();
  }

  /** Ends the scope of the variables that were declared since. */
  void forget(int visible) {
    variables.subList(visible, variables.size()).clear();
  }

  /** Parses up to a token of the kind {@code end}, which is taken too. */
  Node.Pipeline pipeline(String context, Kind end) {
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
        throw state.unexpected(token, context);
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
        throw state.error("too many declarations in " + context);
      }
      switch (tokens.peekNonSpace().kind()) {
        case VARIABLE, RIGHT_DELIMITER, RIGHT_PAREN:
          break;
        default:
          throw state.error("range can only initialize variables");
      }
    }
    return false;
  }

  private void checkCommands(List<Node.Command> commands, String context) {
    if (commands.isEmpty()) {
      throw state.error("missing value for " + context);
    }
    for (int i = 1; i < commands.size(); i++) {
      Node.Operand first = commands.get(i).operands().get(0);
      if (first instanceof Node.Bool
          || first instanceof Node.Dot
          || first instanceof Node.Nil
          || first instanceof Node.Number
          || first instanceof Node.Str) {
        throw state.error("non executable command in pipeline stage " + (i + 1));
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
        throw state.unexpected(token, "operand");
      }
      break;
    }
    if (operands.isEmpty()) {
      throw state.error("empty command");
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
    throw state.error("unexpected . after term " + GoQuote.quote(term.toString()));
  }

  private Node.@Nullable Operand term() {
    Token token = tokens.nextNonSpace();
    int start = token.start();
    switch (token.kind()) {
      case IDENTIFIER:
        if (functions.find(token.text()) == null) {
          throw state.error("function " + GoQuote.quote(token.text()) + " not defined", start);
        }
        return new Node.Identifier(start, token.text());
      case DOT:
        return new Node.Dot(start);
      case NIL:
        return new Node.Nil(start);
      case VARIABLE:
        if (!variables.contains(token.text())) {
          throw state.error("undefined variable " + GoQuote.quote(token.text()), start);
        }
        return variable(token);
      case FIELD:
        return new Node.Field(start, List.of(token.text().substring(1)));
      case BOOL:
        return new Node.Bool(start, token.text().equals("true"));
      case CHAR_CONSTANT, COMPLEX, NUMBER:
        return number(token);
      case LEFT_PAREN:
        state.descend("max expression depth exceeded");
        Node.Pipeline pipeline = pipeline("parenthesized pipeline", Kind.RIGHT_PAREN);
        state.ascend();
        return pipeline;
      case STRING, RAW_STRING:
        return new Node.Str(start, token.text(), state.unquote(token));
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
      throw state.error(String.valueOf(e.getMessage()), token.start());
    }
  }

  private static Node.Variable variable(Token token) {
    return new Node.Variable(token.start(), List.of(token.text()));
  }
}
