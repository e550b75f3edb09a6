package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Element;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoFormat;
import dev.vertlet.stages.template.value.GoInteger;
import dev.vertlet.stages.template.value.GoTypes;
import dev.vertlet.stages.template.value.GoTypes.Kind;
import dev.vertlet.stages.template.value.TypedList;
import dev.vertlet.stages.template.value.TypedMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Go's own functions of text/template. */
final class GoFunctions {
  private GoFunctions() {}

  static Map<String, Function> all() {
    Map<String, Function> all = new HashMap<>(Comparisons.all());
    all.putAll(Escapes.all());
    // the evaluator stops at the first argument that decides; these are their signatures
    all.put("and", Function.of("value, ...value", GoFunctions::unreachable));
    all.put("or", Function.of("value, ...value", GoFunctions::unreachable));
    all.put("not", Function.of("value", a -> !GoTypes.isTrue(Element.unwrap(a.any(0)))));
    all.put("call", Function.of("value, ...value", GoFunctions::call));
    all.put("index", Function.of("value, ...value", GoFunctions::index));
    all.put("slice", Function.of("value, ...value", GoFunctions::slice));
    all.put("len", Function.of("value", GoFunctions::length));
    all.put("print", Function.of("...any", a -> GoFormat.print(a.from(0))));
    all.put("printf", Function.of("string, ...any", a -> GoFormat.printf(a.string(0), a.from(1))));
    all.put("println", Function.of("...any", a -> GoFormat.println(a.from(0))));
    return all;
  }

  private static Object unreachable(Arguments arguments) {
    throw new IllegalStateException("the evaluator computes and, or");
  }

  private static Object call(Arguments arguments) {
    // the evaluator puts the name first
    Object value = Element.unwrap(arguments.any(1));
    if (value == null) {
      throw new FunctionException("call of nil");
    }
    // no value of JSON is a function
    throw new FunctionException(
        "non-function " + arguments.string(0) + " of type " + GoTypes.name(value));
  }

  private static Object length(Arguments arguments) {
    Object value = arguments.any(0);
    if (value == null) {
      throw new FunctionException("reflect: call of reflect.Value.Type on zero Value");
    }
    Object item = Element.unwrap(value);
    if (item == null) {
      throw new FunctionException("len of nil pointer");
    }
    return switch (GoTypes.kind(item)) {
      case STRING -> (long) utf8(item).length;
      case SLICE -> (long) ((List<?>) item).size();
      case MAP -> (long) ((Map<?, ?>) item).size();
      default -> throw new FunctionException("len of type " + GoTypes.name(item));
    };
  }

  private static @Nullable Object index(Arguments arguments) {
    Object item = Element.unwrap(arguments.any(0));
    if (item == null) {
      throw new FunctionException("index of untyped nil");
    }
    Object result = item;
    for (Object argument : arguments.from(1)) {
      Object of = Element.unwrap(result);
      if (of == null) {
        throw new FunctionException("index of nil pointer");
      }
      Object index = Element.unwrap(argument);
      switch (GoTypes.kind(of)) {
        case STRING -> {
          byte[] bytes = utf8(of);
          int at = checkElement(position(index, bytes.length), bytes.length);
          result = new GoInteger(GoInteger.Type.UINT8, bytes[at] & 0xff);
        }
        case SLICE -> {
          List<?> list = (List<?>) of;
          int at = checkElement(position(index, list.size()), list.size());
          result = of instanceof TypedList ? list.get(at) : new Element(list.get(at));
        }
        case MAP -> {
          Object value = ((Map<?, ?>) of).get(key(index));
          boolean strings = of instanceof TypedMap;
          result = strings ? value == null ? "" : value : new Element(value);
        }
        default -> throw new FunctionException("can't index item of type " + GoTypes.name(of));
      }
    }
    return result;
  }

  private static String key(@Nullable Object index) {
    if (index == null) {
      throw new FunctionException("value is nil; should be of type string");
    }
    if (!(index instanceof String key)) {
      throw new FunctionException("value has type " + GoTypes.name(index) + "; should be string");
    }
    return key;
  }

  private static int position(@Nullable Object index, int capacity) {
    if (index == null) {
      throw new FunctionException("cannot index slice/array with nil");
    }
    Kind kind = GoTypes.kind(index);
    if (kind != Kind.INT && kind != Kind.UINT) {
      throw new FunctionException("cannot index slice/array with type " + GoTypes.name(index));
    }
    long position = GoTypes.integer(index);
    if (position < 0 || position > capacity) {
      throw new FunctionException("index out of range: " + position);
    }
    return (int) position;
  }

  /** Go lets an index that equals the length pass first, and its reflect package refuses it. */
  private static int checkElement(int position, int length) {
    if (position == length) {
      throw new FunctionException("reflect: slice index out of range");
    }
    return position;
  }

  private static Object slice(Arguments arguments) {
    Object item = Element.unwrap(arguments.any(0));
    if (item == null) {
      throw new FunctionException("slice of untyped nil");
    }
    int count = arguments.size() - 1;
    if (count > 3) {
      throw new FunctionException("too many slice indexes: " + count);
    }
    Kind kind = GoTypes.kind(item);
    if (kind != Kind.STRING && kind != Kind.SLICE) {
      throw new FunctionException("can't slice item of type " + GoTypes.name(item));
    }
    if (count == 3 && kind == Kind.STRING) {
      throw new FunctionException("cannot 3-index slice a string");
    }
    int length = kind == Kind.STRING ? utf8(item).length : ((List<?>) item).size();
    int[] bounds = {0, length, length};
    for (int i = 0; i < count; i++) {
      bounds[i] = position(Element.unwrap(arguments.any(i + 1)), length);
    }
    checkOrder(bounds[0], bounds[1]);
    if (count == 3) {
      checkOrder(bounds[1], bounds[2]);
    }
    if (item instanceof List<?> list) {
      List<?> part = new ArrayList<>(list.subList(bounds[0], bounds[1]));
      return item instanceof TypedList typed ? new TypedList(typed.elementType(), part) : part;
    }
    return new String(utf8(item), bounds[0], bounds[1] - bounds[0], StandardCharsets.UTF_8);
  }

  private static void checkOrder(int low, int high) {
    if (low > high) {
      throw new FunctionException("invalid slice index: " + low + " > " + high);
    }
  }

  private static byte[] utf8(Object text) {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }
}
