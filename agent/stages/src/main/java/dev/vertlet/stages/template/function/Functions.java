package dev.vertlet.stages.template.function;

import dev.vertlet.stages.template.value.Function;
import dev.vertlet.stages.template.value.ParameterType;
import dev.vertlet.stages.template.value.TemplateFunction;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Functions that a template may call, immutable. Go's own ({@code eq}, {@code printf}, …) are
 * always among them.
 */
public final class Functions {
  private static final Functions BUILTIN = new Functions(GoFunctions.all());

  private final Map<String, Function> byName;

  private Functions(Map<String, Function> byName) {
    this.byName = byName;
  }

  /** Go's own functions. */
  public static Functions builtin() {
    return BUILTIN;
  }

  /**
   * These functions and one more, which replaces one of the same name.
   *
   * @param parameters types, for example {@code "string, int, ...any"}; see {@link ParameterType}
   * @throws IllegalArgumentException if the name is no identifier or a type is unknown
   */
  public Functions with(String name, String parameters, TemplateFunction body) {
    return with(Map.of(name, Function.of(parameters, body)));
  }

  /** These functions and others, which replace those of the same names. */
  public Functions with(Map<String, Function> more) {
    Map<String, Function> all = new HashMap<>(byName);
    more.forEach(
        (name, function) -> {
          if (!name.matches("[\\p{L}_][\\p{L}\\p{Nd}_]*")) {
            throw new IllegalArgumentException("not a name of a function: " + name);
          }
          all.put(name, function);
        });
    return new Functions(all);
  }

  /** Names of all functions. */
  public Set<String> names() {
    return Set.copyOf(byName.keySet());
  }

  /** The function of a name, or null. */
  public @Nullable Function find(String name) {
    return byName.get(name);
  }

  /** Whether the name means Go's own function, not one that replaces it. */
  public boolean isBuiltin(String name) {
    return byName.get(name) == BUILTIN.byName.get(name);
  }
}
