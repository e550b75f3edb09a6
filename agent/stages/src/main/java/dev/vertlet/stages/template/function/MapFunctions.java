package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoTypes;
import dev.vertlet.stages.template.value.TypedList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** sprig's functions of maps; {@code set}, {@code unset} and the merges change their first map. */
final class MapFunctions {
  private MapFunctions() {}

  static Map<String, Function> all() {
    Map<String, Function> all = new HashMap<>();
    all.put("dict", Function.of("...any", MapFunctions::dict));
    all.put("get", Function.of("map, string", MapFunctions::get));
    all.put("set", Function.of("map, string, any", MapFunctions::set));
    all.put("unset", Function.of("map, string", MapFunctions::unset));
    all.put("hasKey", Function.of("map, string", a -> a.map(0).containsKey(a.string(1))));
    all.put("pluck", Function.of("string, ...map", MapFunctions::pluck));
    all.put("keys", Function.of("...map", MapFunctions::keys));
    // Go's order is random; this one is that of the keys
    all.put("values", Function.of("map", a -> new ArrayList<>(new TreeMap<>(a.map(0)).values())));
    all.put("pick", Function.of("map, ...string", a -> select(a, true)));
    all.put("omit", Function.of("map, ...string", a -> select(a, false)));
    all.put("merge", Function.of("map, ...map", a -> merge(a, false)));
    all.put("mustMerge", Function.of("map, ...map", a -> merge(a, false)));
    all.put("mergeOverwrite", Function.of("map, ...map", a -> merge(a, true)));
    all.put("mustMergeOverwrite", Function.of("map, ...map", a -> merge(a, true)));
    all.put("dig", Function.of("...any", MapFunctions::dig));
    return all;
  }

  private static Object dict(Arguments a) {
    Map<String, @Nullable Object> map = new LinkedHashMap<>();
    for (int i = 0; i < a.size(); i += 2) {
      map.put(Casts.toText(a.any(i)), i + 1 < a.size() ? a.any(i + 1) : "");
    }
    return map;
  }

  private static @Nullable Object get(Arguments a) {
    return a.map(0).containsKey(a.string(1)) ? a.map(0).get(a.string(1)) : "";
  }

  private static Object set(Arguments a) {
    if (a.any(0) == null) {
      throw new FunctionException("assignment to entry in nil map");
    }
    a.map(0).put(a.string(1), a.any(2));
    return a.map(0);
  }

  private static Object unset(Arguments a) {
    if (a.any(0) != null) {
      a.map(0).remove(a.string(1));
    }
    return a.map(0);
  }

  private static Object pluck(Arguments a) {
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 1; i < a.size(); i++) {
      if (a.map(i).containsKey(a.string(0))) {
        values.add(a.map(i).get(a.string(0)));
      }
    }
    return values;
  }

  private static Object keys(Arguments a) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < a.size(); i++) {
      keys.addAll(new TreeMap<>(a.map(i)).keySet());
    }
    return new TypedList("string", keys);
  }

  private static Object select(Arguments a, boolean named) {
    List<@Nullable Object> names = a.from(1);
    Map<String, @Nullable Object> selected = new LinkedHashMap<>(a.map(0));
    selected.keySet().removeIf(key -> names.contains(key) != named);
    return selected;
  }

  private static Object merge(Arguments a, boolean overwrite) {
    if (a.any(0) == null) {
      throw new FunctionException("assignment to entry in nil map");
    }
    for (int i = 1; i < a.size(); i++) {
      merge(a.map(0), a.map(i), overwrite);
    }
    return a.map(0);
  }

  @SuppressWarnings("unchecked")
  private static void merge(
      Map<String, @Nullable Object> to, Map<String, @Nullable Object> from, boolean overwrite) {
    for (Map.Entry<String, @Nullable Object> entry : new LinkedHashMap<>(from).entrySet()) {
      String key = entry.getKey();
      Object value = entry.getValue();
      Object present = to.get(key);
      if (present instanceof Map<?, ?> inner && value instanceof Map<?, ?> outer) {
        merge(
            (Map<String, @Nullable Object>) inner,
            (Map<String, @Nullable Object>) outer,
            overwrite);
      } else if (overwrite || value != null && Casts.isEmpty(present)) {
        to.put(key, value);
      }
    }
  }

  private static @Nullable Object dig(Arguments a) {
    if (a.size() < 3) {
      throw new FunctionException("dig needs at least three arguments");
    }
    Object value = a.any(a.size() - 1);
    for (int i = 0; i < a.size() - 2; i++) {
      if (!(value instanceof Map<?, ?> map)) {
        throw notA(value, "map[string]interface {}");
      }
      if (!(a.any(i) instanceof String key)) {
        throw notA(a.any(i), "string");
      }
      if (!map.containsKey(key)) {
        return a.any(a.size() - 2);
      }
      value = map.get(key);
    }
    return value;
  }

  private static FunctionException notA(@Nullable Object value, String type) {
    return new FunctionException(
        "interface conversion: interface {} is "
            + (value == null ? "nil" : GoTypes.name(value))
            + ", not "
            + type);
  }
}
