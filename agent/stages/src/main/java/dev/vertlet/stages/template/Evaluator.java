package dev.vertlet.stages.template;

import dev.vertlet.stages.template.function.Functions;
import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Element;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoTypes;
import dev.vertlet.stages.template.value.Methods;
import dev.vertlet.stages.template.value.ParameterType;
import dev.vertlet.stages.template.value.Signature;
import dev.vertlet.stages.template.value.TypedMap;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Evaluates pipelines. */
final class Evaluator {
  /** In place of a last argument: the command is the first of its pipeline. */
  private static final Object NO_ARGUMENT = new Object();

  private final Functions functions;
  private final Position position;

  Evaluator(Functions functions, Position position) {
    this.functions = functions;
    this.position = position;
  }

  /** The value of a pipeline, whose variables are set in the scope. */
  @Nullable Object pipeline(Node.Pipeline pipeline, VariableScope scope, @Nullable Object dot) {
    position.at(pipeline);
    Object value = NO_ARGUMENT;
    for (Node.Command command : pipeline.commands()) {
      value = Element.unwrap(command(command, scope, dot, value));
    }
    for (Node.Variable variable : pipeline.variables()) {
      String name = variable.names().get(0);
      if (!pipeline.assigns()) {
        scope.declare(name, value);
      } else if (!scope.assign(name, value)) {
        // Go's parser takes an assignment for a declaration too
        throw position.error("undefined variable: " + name);
      }
    }
    return value;
  }

  private @Nullable Object command(
      Node.Command command, VariableScope scope, @Nullable Object dot, @Nullable Object last) {
    Node.Operand first = command.operands().get(0);
    List<Node.Operand> arguments = command.operands().subList(1, command.operands().size());
    if (first instanceof Node.Identifier identifier) {
      return function(identifier, command, new Call(arguments, last), scope, dot);
    }
    if (first instanceof Node.Field
        || first instanceof Node.Variable
        || first instanceof Node.Chain) {
      return fields(first, new Call(arguments, last), scope, dot);
    }
    if (!(first instanceof Node.Pipeline)) {
      position.at(first);
    }
    checkNoArguments(first, arguments, last);
    if (first instanceof Node.Nil) {
      throw position.error("nil is not a command");
    }
    return value(first, scope, dot);
  }

  /** Arguments of a call that are not evaluated yet, and the value of the command before. */
  private record Call(List<Node.Operand> arguments, @Nullable Object last) {
    static final Call NONE = new Call(List.of(), NO_ARGUMENT);

    boolean hasLast() {
      return last != NO_ARGUMENT;
    }

    int size() {
      return arguments.size() + (hasLast() ? 1 : 0);
    }
  }

  private void checkNoArguments(
      Node.Operand first, List<Node.Operand> arguments, @Nullable Object last) {
    if (!arguments.isEmpty() || last != NO_ARGUMENT) {
      throw position.error("can't give argument to non-function " + first);
    }
  }

  /** The value of an operand whose type nothing demands. */
  private @Nullable Object value(Node.Operand operand, VariableScope scope, @Nullable Object dot) {
    if (operand instanceof Node.Pipeline pipeline) {
      return pipeline(pipeline, scope, dot);
    }
    if (operand instanceof Node.Identifier identifier) {
      return function(identifier, identifier, Call.NONE, scope, dot);
    }
    if (operand instanceof Node.Field
        || operand instanceof Node.Variable
        || operand instanceof Node.Chain) {
      return fields(operand, Call.NONE, scope, dot);
    }
    position.at(operand);
    if (operand instanceof Node.Dot) {
      return dot;
    }
    if (operand instanceof Node.Bool bool) {
      return bool.value();
    }
    if (operand instanceof Node.Str string) {
      return string.value();
    }
    if (operand instanceof Node.Number number) {
      return constant(number.value());
    }
    return null;
  }

  private @Nullable Object constant(NumberConstant number) {
    if (number.isFloat()) {
      return number.real();
    }
    if (number.integer() == null) {
      throw position.error(number.text() + " overflows int");
    }
    return number.integer();
  }

  private @Nullable Object fields(
      Node.Operand operand, Call call, VariableScope scope, @Nullable Object dot) {
    position.at(operand);
    Object receiver = dot;
    List<String> names;
    if (operand instanceof Node.Chain chain) {
      receiver = value(chain.operand(), scope, dot);
      names = chain.names();
    } else if (operand instanceof Node.Variable variable) {
      receiver = scope.get(variable.names().get(0));
      names = variable.names().subList(1, variable.names().size());
      if (names.isEmpty()) {
        checkNoArguments(operand, call.arguments(), call.last());
        return receiver;
      }
    } else {
      names = ((Node.Field) operand).names();
    }
    for (int i = 0; i < names.size(); i++) {
      Call own = i == names.size() - 1 ? call : Call.NONE;
      receiver = field(names.get(i), operand, receiver, own, scope, dot);
    }
    return receiver;
  }

  private @Nullable Object field(
      String name,
      Node.Operand operand,
      @Nullable Object receiver,
      Call call,
      VariableScope scope,
      @Nullable Object dot) {
    if (receiver == null) {
      return null;
    }
    Object value = Element.unwrap(receiver);
    if (value == null) {
      throw position.error("nil pointer evaluating interface {}." + name);
    }
    Function method = value instanceof Methods methods ? methods.method(name) : null;
    if (method != null) {
      return call(name, method, operand, call, scope, dot);
    }
    if (!(value instanceof Map<?, ?> map)) {
      throw position.error(
          "can't evaluate field " + name + " in type " + Element.typeName(receiver));
    }
    if (call.size() > 0) {
      throw position.error(name + " is not a method but has arguments");
    }
    if (!map.containsKey(name)) {
      return null;
    }
    return map instanceof TypedMap ? map.get(name) : new Element(map.get(name));
  }

  private @Nullable Object function(
      Node.Identifier identifier,
      Node command,
      Call call,
      VariableScope scope,
      @Nullable Object dot) {
    position.at(identifier);
    String name = identifier.name();
    Function function = functions.find(name);
    if (function == null) {
      throw new IllegalStateException("the parser refuses unknown functions: " + name);
    }
    if (functions.isBuiltin(name) && (name.equals("and") || name.equals("or"))) {
      checkCount(name, function.signature(), call);
      return shortCircuit(name.equals("or"), call, scope, dot);
    }
    return call(name, function, command, call, scope, dot);
  }

  private @Nullable Object shortCircuit(
      boolean until, Call call, VariableScope scope, @Nullable Object dot) {
    Object value = null;
    for (Node.Operand argument : call.arguments()) {
      value = argument(argument, ParameterType.VALUE, scope, dot);
      if (GoTypes.isTrue(Element.unwrap(value)) == until) {
        return value;
      }
    }
    return call.hasLast() ? call.last() : value;
  }

  private void checkCount(String name, Signature signature, Call call) {
    int fixed = signature.fixed().size();
    String wrong = "wrong number of args for " + name + ": want ";
    if (signature.variadic() != null) {
      if (call.size() < fixed) {
        throw position.error(wrong + "at least " + fixed + " got " + call.arguments().size());
      }
    } else if (call.size() != fixed) {
      throw position.error(wrong + fixed + " got " + call.size());
    }
  }

  private @Nullable Object call(
      String name,
      Function function,
      Node node,
      Call call,
      VariableScope scope,
      @Nullable Object dot) {
    Signature signature = function.signature();
    checkCount(name, signature, call);
    List<@Nullable Object> values = new ArrayList<>(call.size());
    for (Node.Operand argument : call.arguments()) {
      values.add(argument(argument, signature.type(values.size()), scope, dot));
    }
    if (call.hasLast()) {
      values.add(assign(call.last(), signature.type(values.size())));
    }
    if (name.equals("call") && functions.isBuiltin(name)) {
      values.add(0, calleeName(call));
    }
    Object result;
    try {
      result = function.body().call(new Arguments(values));
    } catch (FunctionException e) {
      position.at(node);
      throw position.error("error calling " + name + ": " + e.getMessage());
    } catch (DateTimeException | ArithmeticException e) {
      // values beyond the range of Java's times
      position.at(node);
      throw position.error("error calling " + name + ": value out of range: " + e.getMessage());
    }
    checkSize(name, Element.unwrap(result), node);
    return result;
  }

  /** How the function {@code call} names what it cannot call. */
  private static String calleeName(Call call) {
    if (!call.arguments().isEmpty()) {
      return call.arguments().get(0).toString();
    }
    return call.last() instanceof String text ? text : "<" + GoTypes.name(call.last()) + " Value>";
  }

  private void checkSize(String name, @Nullable Object result, Node node) {
    boolean tooLong = result instanceof String text && text.length() > Limits.OUTPUT;
    if (tooLong || result instanceof Collection<?> list && list.size() > Limits.ITERATIONS) {
      position.at(node);
      throw position.error("error calling " + name + ": result is too large");
    }
  }

  private @Nullable Object argument(
      Node.Operand operand, ParameterType type, VariableScope scope, @Nullable Object dot) {
    position.at(operand);
    if (operand instanceof Node.Nil) {
      if (type.canBeNil()) {
        return null;
      }
      throw position.error("cannot assign nil to " + type.goName());
    }
    boolean literal =
        operand instanceof Node.Bool
            || operand instanceof Node.Str
            || operand instanceof Node.Number;
    if (!literal || type == ParameterType.ANY || type == ParameterType.VALUE) {
      return assign(value(operand, scope, dot), type);
    }
    if (type == ParameterType.STRING && operand instanceof Node.Str string) {
      return string.value();
    }
    if (type == ParameterType.BOOL && operand instanceof Node.Bool bool) {
      return bool.value();
    }
    if (operand instanceof Node.Number number) {
      NumberConstant constant = number.value();
      if (type == ParameterType.INT && constant.integer() != null) {
        return constant.integer();
      }
      if (type == ParameterType.FLOAT64 && constant.real() != null) {
        return constant.real();
      }
    }
    throw position.error(
        switch (type) {
          case STRING -> "expected string; found " + operand;
          case BOOL -> "expected bool; found " + operand;
          case INT -> "expected integer; found " + operand;
          case FLOAT64 -> "expected float; found " + operand;
          default -> "can't handle " + operand + " for arg of type " + type.goName();
        });
  }

  private @Nullable Object assign(@Nullable Object value, ParameterType type) {
    if (type == ParameterType.VALUE) {
      return value;
    }
    Object unwrapped = Element.unwrap(value);
    if (type == ParameterType.ANY) {
      return unwrapped;
    }
    if (value == null) {
      if (type.canBeNil()) {
        return null;
      }
      throw position.error("invalid value; expected " + type.goName());
    }
    if (!type.accepts(unwrapped)) {
      String got = unwrapped == null ? "interface {}" : GoTypes.name(unwrapped);
      throw position.error("wrong type for value; expected " + type.goName() + "; got " + got);
    }
    return unwrapped;
  }
}
