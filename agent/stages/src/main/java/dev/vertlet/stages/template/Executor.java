package dev.vertlet.stages.template;

import dev.vertlet.stages.template.function.Functions;
import dev.vertlet.stages.template.value.Element;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoFormat;
import dev.vertlet.stages.template.value.GoInteger;
import dev.vertlet.stages.template.value.GoQuote;
import dev.vertlet.stages.template.value.GoTypes;
import dev.vertlet.stages.template.value.TypedList;
import dev.vertlet.stages.template.value.TypedMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One rendering: walks the statements and writes the output. */
final class Executor {
  /** How a list of statements ended. */
  private enum End {
    NORMAL,
    BREAK,
    CONTINUE
  }

  private final Source source;
  private final Definitions definitions;
  private final Evaluator evaluator;
  private final Position position;
  private final StringBuilder out = new StringBuilder();
  private int depth;
  private int iterations;

  Executor(Source source, Functions functions, Definitions definitions) {
    this.source = source;
    this.definitions = definitions;
    this.position = new Position(source, new Node.Block(0, List.of()));
    this.evaluator = new Evaluator(functions, position);
  }

  String execute(@Nullable Object data) {
    Node.Block root = definitions.find(source.name());
    if (root == null) {
      throw new IllegalStateException("the parser defines the template itself");
    }
    try {
      walk(root, new VariableScope(source.name(), data), data);
    } catch (StackOverflowError e) {
      // the limits of depth assume a stack of 1 MiB; the state is thrown away with this object
      throw position.error("template is nested too deeply for the stack of this thread");
    }
    return out.toString();
  }

  private End walk(Node.Block block, VariableScope scope, @Nullable Object dot) {
    for (Node node : block.nodes()) {
      position.at(node);
      End end = walk(node, scope, dot);
      if (end != End.NORMAL) {
        return end;
      }
    }
    return End.NORMAL;
  }

  private End walk(Node node, VariableScope scope, @Nullable Object dot) {
    if (node instanceof Node.Text text) {
      write(text.text());
    } else if (node instanceof Node.Action action) {
      Object value = evaluator.pipeline(action.pipeline(), scope, dot);
      if (action.pipeline().variables().isEmpty()) {
        position.at(action);
        write(print(value));
      }
    } else if (node instanceof Node.Control control) {
      return control.kind() == Token.Kind.RANGE
          ? range(control, scope, dot)
          : choose(control, scope, dot);
    } else if (node instanceof Node.Invocation invocation) {
      invoke(invocation, scope, dot);
    } else if (node instanceof Node.Jump jump) {
      return jump.kind() == Token.Kind.BREAK ? End.BREAK : End.CONTINUE;
    } else {
      throw new IllegalStateException("not a statement: " + node);
    }
    return End.NORMAL;
  }

  private String print(@Nullable Object value) {
    if (value == null) {
      return "<no value>";
    }
    try {
      return GoFormat.print(value);
    } catch (FunctionException e) {
      throw position.error(String.valueOf(e.getMessage()));
    }
  }

  private void write(String text) {
    if (out.length() + text.length() > Limits.OUTPUT) {
      throw position.error("output is longer than " + Limits.OUTPUT + " characters");
    }
    out.append(text);
  }

  private End choose(Node.Control control, VariableScope scope, @Nullable Object dot) {
    int mark = scope.mark();
    Object value = evaluator.pipeline(control.pipeline(), scope, dot);
    End end = End.NORMAL;
    if (GoTypes.isTrue(value)) {
      end = walk(control.body(), scope, control.kind() == Token.Kind.WITH ? value : dot);
    } else if (control.otherwise() != null) {
      end = walk(control.otherwise(), scope, dot);
    }
    scope.reset(mark);
    return end;
  }

  private End range(Node.Control range, VariableScope scope, @Nullable Object dot) {
    int outside = scope.mark();
    Object value = evaluator.pipeline(range.pipeline(), scope, dot);
    End end = iterate(range, scope, value);
    if (end == null) {
      end = range.otherwise() == null ? End.NORMAL : walk(range.otherwise(), scope, dot);
    } else {
      end = End.NORMAL;
    }
    scope.reset(outside);
    return end;
  }

  /** Runs the body for each element; null if there is none. */
  private @Nullable End iterate(Node.Control range, VariableScope scope, @Nullable Object value) {
    End end = null;
    if (value == null) {
      return null;
    }
    switch (GoTypes.kind(value)) {
      case INT, UINT:
        if (range.pipeline().variables().size() > 1) {
          throw position.error("can't use " + value + " to iterate over more than one variable");
        }
        long count = GoTypes.integer(value);
        for (long i = 0; i < count && end != End.BREAK; i++) {
          Object element =
              value instanceof GoInteger typed ? new GoInteger(typed.type(), i) : (Object) i;
          end = iteration(range, scope, null, element);
        }
        return end;
      case SLICE:
        List<?> list = (List<?>) value;
        for (int i = 0; i < list.size() && end != End.BREAK; i++) {
          Object element = value instanceof TypedList ? list.get(i) : new Element(list.get(i));
          end = iteration(range, scope, (long) i, element);
        }
        return end;
      case MAP:
        // a copy: the body may change the map
        for (Map.Entry<?, ?> entry : new TreeMap<>((Map<?, ?>) value).entrySet()) {
          Object element =
              value instanceof TypedMap ? entry.getValue() : new Element(entry.getValue());
          end = iteration(range, scope, entry.getKey(), element);
          if (end == End.BREAK) {
            break;
          }
        }
        return end;
      default:
        throw position.error("range can't iterate over " + print(value));
    }
  }

  private End iteration(
      Node.Control range, VariableScope scope, @Nullable Object index, @Nullable Object element) {
    if (++iterations > Limits.ITERATIONS) {
      throw position.error("more than " + Limits.ITERATIONS + " iterations");
    }
    List<Node.Variable> variables = range.pipeline().variables();
    int mark = scope.mark();
    if (range.pipeline().assigns()) {
      for (int i = 0; i < variables.size(); i++) {
        boolean isElement = i == variables.size() - 1;
        scope.assign(variables.get(i).names().get(0), isElement ? element : index);
      }
    } else {
      if (!variables.isEmpty()) {
        scope.assignLatest(1, element);
      }
      if (variables.size() > 1) {
        scope.assignLatest(2, index);
      }
    }
    End end = walk(range.body(), scope, element);
    scope.reset(mark);
    return end;
  }

  private void invoke(Node.Invocation invocation, VariableScope scope, @Nullable Object dot) {
    Node.Block block = definitions.find(invocation.name());
    if (block == null) {
      throw position.error("template " + GoQuote.quote(invocation.name()) + " not defined");
    }
    if (++depth > Limits.DEPTH) {
      throw position.error("exceeded maximum template depth (" + Limits.DEPTH + ")");
    }
    Object value =
        invocation.pipeline() == null
            ? null
            : evaluator.pipeline(invocation.pipeline(), scope, dot);
    Node at = position.node();
    position.template(invocation.name());
    walk(block, new VariableScope(invocation.name(), value), value);
    position.template(scope.template());
    position.at(at);
    depth--;
  }
}
