package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Arguments;
import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.FunctionException;
import dev.vertlet.stages.template.value.GoTypes;
import dev.vertlet.stages.template.value.TemplateFunction;
import dev.vertlet.stages.template.value.TypedList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** sprig's functions of lists; a list in the arguments is never changed. */
final class ListFunctions {
  private ListFunctions() {}

  static Map<String, Function> all() {
    Map<String, Function> all = new HashMap<>();
    all.put("list", Function.of("...any", a -> a.from(0)));
    all.put("tuple", Function.of("...any", a -> a.from(0)));
    both(all, "first", "any", a -> end(list(a, "Cannot find first on type"), 0));
    both(all, "last", "any", a -> end(list(a, "Cannot find last on type"), -1));
    both(all, "rest", "any", a -> part(list(a, "Cannot find rest on type"), 1, 0));
    both(all, "initial", "any", a -> part(list(a, "Cannot find initial on type"), 0, 1));
    both(all, "reverse", "any", ListFunctions::reverse);
    both(all, "uniq", "any", ListFunctions::unique);
    both(all, "compact", "any", ListFunctions::compact);
    both(all, "append", "any, any", a -> append(a, "Cannot push on type", false));
    both(all, "push", "any, any", a -> append(a, "Cannot push on type", false));
    both(all, "prepend", "any, any", a -> append(a, "Cannot prepend on type", true));
    both(all, "without", "any, ...any", ListFunctions::without);
    both(all, "has", "any, any", ListFunctions::has);
    both(all, "slice", "any, ...any", ListFunctions::slice);
    both(all, "chunk", "int, any", ListFunctions::chunk);
    all.put("concat", Function.of("...any", ListFunctions::concat));
    all.put("sortAlpha", Function.of("any", ListFunctions::sort));
    return all;
  }

  private static void both(
      Map<String, Function> all, String name, String parameters, TemplateFunction body) {
    Function function = Function.of(parameters, body);
    all.put(name, function);
    all.put("must" + Character.toUpperCase(name.charAt(0)) + name.substring(1), function);
  }

  private static List<?> list(Arguments a, String cannot) {
    return Casts.list(a.any(0), cannot);
  }

  private static @Nullable Object end(List<?> list, int index) {
    return list.isEmpty() ? null : list.get(index < 0 ? list.size() - 1 : index);
  }

  private static List<@Nullable Object> part(List<?> list, int skipped, int left) {
    return list.isEmpty()
        ? new ArrayList<>()
        : new ArrayList<>(list.subList(skipped, list.size() - left));
  }

  private static Object reverse(Arguments a) {
    List<@Nullable Object> copy = new ArrayList<>(list(a, "Cannot find reverse on type"));
    Collections.reverse(copy);
    return copy;
  }

  private static Object unique(Arguments a) {
    List<@Nullable Object> unique = new ArrayList<>();
    for (Object element : list(a, "Cannot find uniq on type")) {
      if (!contains(unique, element)) {
        unique.add(element);
      }
    }
    return unique;
  }

  private static Object compact(Arguments a) {
    List<@Nullable Object> compact = new ArrayList<>(list(a, "Cannot compact on type"));
    compact.removeIf(Casts::isEmpty);
    return compact;
  }

  private static Object append(Arguments a, String cannot, boolean first) {
    List<@Nullable Object> longer = new ArrayList<>(list(a, cannot));
    longer.add(first ? 0 : longer.size(), a.any(1));
    return longer;
  }

  private static Object without(Arguments a) {
    List<@Nullable Object> rest = new ArrayList<>(list(a, "Cannot find without on type"));
    List<@Nullable Object> omitted = a.from(1);
    rest.removeIf(element -> contains(omitted, element));
    return rest;
  }

  private static Object has(Arguments a) {
    return a.any(1) != null && contains(Casts.list(a.any(1), "Cannot find has on type"), a.any(0));
  }

  private static boolean contains(List<?> list, @Nullable Object sought) {
    return list.stream().anyMatch(element -> ValueFunctions.deepEqual(element, sought));
  }

  private static @Nullable Object slice(Arguments a) {
    List<?> list = list(a, "list should be type of slice or array but");
    if (list.isEmpty()) {
      return null;
    }
    long from = a.size() > 1 ? Casts.toLong(a.any(1)) : 0;
    long to = a.size() > 2 ? Casts.toLong(a.any(2)) : list.size();
    if (from < 0 || to < from || to > list.size()) {
      throw new FunctionException("reflect.Value.Slice: slice index out of bounds");
    }
    List<?> part = new ArrayList<>(list.subList((int) from, (int) to));
    return list instanceof TypedList typed ? new TypedList(typed.elementType(), part) : part;
  }

  private static Object chunk(Arguments a) {
    List<?> list = Casts.list(a.any(1), "Cannot chunk type");
    if (a.integer(0) < 1) {
      throw new FunctionException("runtime error: makeslice: len out of range");
    }
    int size = (int) Math.min(a.integer(0), Math.max(1, list.size()));
    List<Object> chunks = new ArrayList<>();
    for (int i = 0; i < list.size(); i += size) {
      chunks.add(new ArrayList<>(list.subList(i, Math.min(i + size, list.size()))));
    }
    return new TypedList("[]interface {}", chunks);
  }

  private static Object concat(Arguments a) {
    List<@Nullable Object> all = new ArrayList<>();
    for (Object argument : a.from(0)) {
      if (argument != null && !(argument instanceof List)) {
        throw new FunctionException(
            "Cannot concat type " + GoTypes.kindName(argument) + " as list");
      }
      all.addAll(Casts.list(argument, ""));
    }
    return all;
  }

  private static Object sort(Arguments a) {
    List<String> texts = Casts.toTexts(a.any(0));
    if (a.any(0) == null) {
      texts.add("<nil>");
    }
    texts.sort(Texts::compare);
    return new TypedList("string", texts);
  }
}
