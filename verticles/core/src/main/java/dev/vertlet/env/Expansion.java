package dev.vertlet.env;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Kubernetes' {@code $(VAR)} syntax: {@code $$} stands for one {@code $}; a reference to an unknown
 * variable, and any other character after a {@code $}, stays unchanged. Inserted values are not
 * expanded again.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/third_party/forked/golang/expansion/expand.go">
 *     expansion of kubelet 1.36.3</a>
 */
public final class Expansion {
  private final String input;
  private final Function<String, @Nullable String> variables;
  private final StringBuilder output;

  private Expansion(String input, Function<String, @Nullable String> variables) {
    this.input = input;
    this.variables = variables;
    this.output = new StringBuilder(input.length());
  }

  /**
   * Replaces references with the values of variables.
   *
   * @param variables value by name, null for an unknown one
   */
  public static String expand(String input, Function<String, @Nullable String> variables) {
    return input.indexOf('$') < 0 ? input : new Expansion(input, variables).expand();
  }

  private String expand() {
    int at = 0;
    while (at < input.length()) {
      char next = input.charAt(at);
      if (next == '$' && at + 1 < input.length()) {
        at = afterDollar(at + 1);
      } else {
        output.append(next);
        at++;
      }
    }
    return output.toString();
  }

  /**
   * Handles the characters after a dollar sign.
   *
   * @return position at which parsing continues
   */
  private int afterDollar(int at) {
    char next = input.charAt(at);
    if (next == '$') {
      output.append('$');
      return at + 1;
    }
    int end = next == '(' ? input.indexOf(')', at) : -1;
    if (end < 0) {
      output.append('$').append(next);
      return at + 1;
    }
    String name = input.substring(at + 1, end);
    String value = variables.apply(name);
    if (value == null) {
      output.append("$(").append(name).append(')');
    } else {
      output.append(value);
    }
    return end + 1;
  }
}
