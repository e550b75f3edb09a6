package dev.vertlet.stages.template;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A node of a parsed template; its {@code toString} is the source that error messages show. */
sealed interface Node {
  /** Index of the node's first character in the source. */
  int start();

  /** What a pipeline's command may consist of. */
  sealed interface Operand extends Node {}

  /** Statements in order. */
  record Block(int start, List<Node> nodes) implements Node {}

  /** Text that is written as it is. */
  record Text(int start, String text) implements Node {}

  /** {@code {{pipeline}}}. */
  record Action(int start, Pipeline pipeline) implements Node {
    @Override
    public String toString() {
      return "{{" + pipeline + "}}";
    }
  }

  /** {@code {{if}}}, {@code {{with}}} and {@code {{range}}}. */
  record Control(
      int start, Token.Kind kind, Pipeline pipeline, Block body, @Nullable Block otherwise)
      implements Node {}

  /** {@code {{break}}} or {@code {{continue}}}. */
  record Jump(int start, Token.Kind kind) implements Node {}

  /** {@code {{template "name" pipeline}}}. */
  record Invocation(int start, String name, String quotedName, @Nullable Pipeline pipeline)
      implements Node {
    @Override
    public String toString() {
      return "{{template " + quotedName + (pipeline == null ? "" : " " + pipeline) + "}}";
    }
  }

  /** {@code {{end}}} or {@code {{else}}}; only while parsing. */
  record Closing(int start, Token.Kind kind) implements Node {
    @Override
    public String toString() {
      return kind == Token.Kind.END ? "{{end}}" : "{{else}}";
    }
  }

  /** Commands, each of which gets the value of the one before as its last argument. */
  record Pipeline(int start, List<Variable> variables, boolean assigns, List<Command> commands)
      implements Operand {
    @Override
    public String toString() {
      String names = variables.stream().map(Variable::toString).collect(Collectors.joining(", "));
      String value = commands.stream().map(Command::toString).collect(Collectors.joining(" | "));
      return names.isEmpty() ? value : names + (assigns ? " = " : " := ") + value;
    }
  }

  /** An operand with its arguments. */
  record Command(int start, List<Operand> operands) implements Node {
    @Override
    public String toString() {
      return operands.stream()
          .map(operand -> operand instanceof Pipeline ? "(" + operand + ")" : operand.toString())
          .collect(Collectors.joining(" "));
    }
  }

  /** Name of a function. */
  record Identifier(int start, String name) implements Operand {
    @Override
    public String toString() {
      return name;
    }
  }

  /** {@code .}. */
  record Dot(int start) implements Operand {
    @Override
    public String toString() {
      return ".";
    }
  }

  /** {@code nil}. */
  record Nil(int start) implements Operand {
    @Override
    public String toString() {
      return "nil";
    }
  }

  /** {@code .a.b}. */
  record Field(int start, List<String> names) implements Operand {
    @Override
    public String toString() {
      return "." + String.join(".", names);
    }
  }

  /** {@code $x.a.b}; the first name has the dollar sign. */
  record Variable(int start, List<String> names) implements Operand {
    @Override
    public String toString() {
      return String.join(".", names);
    }
  }

  /** {@code (pipeline).a.b}. */
  record Chain(int start, Operand operand, List<String> names) implements Operand {
    @Override
    public String toString() {
      String first = operand instanceof Pipeline ? "(" + operand + ")" : operand.toString();
      return first + "." + String.join(".", names);
    }
  }

  /** {@code true} or {@code false}. */
  record Bool(int start, boolean value) implements Operand {
    @Override
    public String toString() {
      return Boolean.toString(value);
    }
  }

  /** A string. */
  record Str(int start, String quoted, String value) implements Operand {
    @Override
    public String toString() {
      return quoted;
    }
  }

  /** A number or character. */
  record Number(int start, NumberConstant value) implements Operand {
    @Override
    public String toString() {
      return value.text();
    }
  }
}
