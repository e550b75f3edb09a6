package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoTypes;
import dev.vertlet.stages.template.value.JsonValues;
import dev.vertlet.stages.template.value.JsonWriter;
import dev.vertlet.stages.template.value.TypedList;
import dev.vertlet.stages.template.value.TypedMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** sprig's functions of any values: defaults, JSON, types, copies, and {@code fail}. */
final class ValueFunctions {
  private ValueFunctions() {}

  static Map<String, Function> all() {
    Map<String, Function> all = new HashMap<>();
    all.put("default", Function.of("any, ...any", ValueFunctions::defaultValue));
    all.put("empty", Function.of("any", a -> Casts.isEmpty(a.any(0))));
    all.put("coalesce", Function.of("...any", ValueFunctions::coalesce));
    all.put("all", Function.of("...any", a -> a.from(0).stream().noneMatch(Casts::isEmpty)));
    all.put("any", Function.of("...any", a -> !a.from(0).stream().allMatch(Casts::isEmpty)));
    all.put("ternary", Function.of("any, any, bool", a -> a.bool(2) ? a.any(0) : a.any(1)));
    all.put("fail", Function.of("string", ValueFunctions::fail));
    all.put("fromJson", Function.of("string", ValueFunctions::fromJson));
    all.put("mustFromJson", Function.of("string", a -> JsonValues.parse(a.string(0))));
    json(all, "oJson", true, false);
    json(all, "oPrettyJson", true, true);
    json(all, "oRawJson", false, false);
    all.put("deepCopy", Function.of("any", a -> copy(a.any(0))));
    all.put("mustDeepCopy", Function.of("any", a -> copy(a.any(0))));
    all.put("deepEqual", Function.of("any, any", a -> deepEqual(a.any(0), a.any(1))));
    all.put("typeOf", Function.of("any", a -> GoTypes.name(a.any(0))));
    all.put("typeIs", Function.of("string, any", a -> a.string(0).equals(GoTypes.name(a.any(1)))));
    all.put("typeIsLike", Function.of("string, any", ValueFunctions::typeIsLike));
    all.put("kindOf", Function.of("any", a -> GoTypes.kindName(a.any(0))));
    all.put(
        "kindIs", Function.of("string, any", a -> a.string(0).equals(GoTypes.kindName(a.any(1)))));
    return all;
  }

  private static void json(Map<String, Function> all, String name, boolean html, boolean pretty) {
    Function write = Function.of("any", a -> JsonWriter.write(a.any(0), html, pretty));
    all.put("mustT" + name, write);
    all.put("t" + name, html ? Function.of("any", a -> writeOrEmpty(a, pretty)) : write);
  }

  /** toJson hides errors, toRawJson does not. */
  private static String writeOrEmpty(Arguments a, boolean pretty) {
    try {
      return JsonWriter.write(a.any(0), true, pretty);
    } catch (FunctionException e) {
      return "";
    }
  }

  private static @Nullable Object fromJson(Arguments a) {
    try {
      return JsonValues.parse(a.string(0));
    } catch (FunctionException e) {
      return null;
    }
  }

  private static @Nullable Object defaultValue(Arguments a) {
    return a.size() < 2 || Casts.isEmpty(a.any(1)) ? a.any(0) : a.any(1);
  }

  private static @Nullable Object coalesce(Arguments a) {
    return a.from(0).stream().filter(v -> !Casts.isEmpty(v)).findFirst().orElse(null);
  }

  private static Object fail(Arguments a) {
    throw new FunctionException(a.string(0));
  }

  private static Object typeIsLike(Arguments a) {
    String type = GoTypes.name(a.any(1));
    return a.string(0).equals(type) || ("*" + a.string(0)).equals(type);
  }

  static @Nullable Object copy(@Nullable Object value) {
    if (value instanceof TypedList || value instanceof TypedMap) {
      return value;
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach((key, element) -> copy.put((String) key, copy(element)));
      return copy;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>();
      list.forEach(element -> copy.add(copy(element)));
      return copy;
    }
    return value;
  }

  static boolean deepEqual(@Nullable Object left, @Nullable Object right) {
    if (!GoTypes.name(left).equals(GoTypes.name(right))) {
      return false;
    }
    if (left instanceof List<?> list && right instanceof List<?> other) {
      boolean equal = list.size() == other.size();
      for (int i = 0; equal && i < list.size(); i++) {
        equal = deepEqual(list.get(i), other.get(i));
      }
      return equal;
    }
    if (left instanceof Map<?, ?> map && right instanceof Map<?, ?> other) {
      return map.keySet().equals(other.keySet())
          && map.keySet().stream().allMatch(key -> deepEqual(map.get(key), other.get(key)));
    }
    return Objects.equals(left, right);
  }
}
