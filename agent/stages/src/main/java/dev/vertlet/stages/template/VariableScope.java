package dev.vertlet.stages.template;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Variables of one invocation of a template, the latest last. */
final class VariableScope {
  private static final class Variable {
    private final String name;
    private @Nullable Object value;

    Variable(String name, @Nullable Object value) {
      this.name = name;
      this.value = value;
    }
  }

  private final String template;
  private final List<Variable> variables = new ArrayList<>();

  /** Variables of a template that gets {@code data} as {@code $}. */
  VariableScope(String template, @Nullable Object data) {
    this.template = template;
    declare("$", data);
  }

  /** Name of the template that runs. */
  String template() {
    return template;
  }

  void declare(String name, @Nullable Object value) {
    variables.add(new Variable(name, value));
  }

  /** Sets a variable; whether there is one of the name. */
  boolean assign(String name, @Nullable Object value) {
    Variable variable = find(name);
    if (variable != null) {
      variable.value = value;
    }
    return variable != null;
  }

  /** Sets the variable that was declared as the {@code n}th from the last, from 1. */
  void assignLatest(int n, @Nullable Object value) {
    variables.get(variables.size() - n).value = value;
  }

  @Nullable Object get(String name) {
    Variable variable = find(name);
    if (variable == null) {
      throw new IllegalStateException("the parser refuses undefined variables: " + name);
    }
    return variable.value;
  }

  int mark() {
    return variables.size();
  }

  /** Forgets what was declared since the mark. */
  void reset(int mark) {
    variables.subList(mark, variables.size()).clear();
  }

  private @Nullable Variable find(String name) {
    for (int i = variables.size() - 1; i >= 0; i--) {
      if (variables.get(i).name.equals(name)) {
        return variables.get(i);
      }
    }
    return null;
  }
}
