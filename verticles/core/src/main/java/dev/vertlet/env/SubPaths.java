package dev.vertlet.env;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The {@code subPathExpr} of a mount: a path in its volume, expanded with the container's
 * variables. A container with an invalid path, or one that leads out of the volume, does not start.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kubelet_pods.go">
 *     makeMounts, kubelet 1.36.3</a>
 */
public final class SubPaths {
  private SubPaths() {}

  /**
   * Expands the variables.
   *
   * @throws IllegalArgumentException with the kubelet's message, if the path is invalid
   */
  public static String expand(String expression, Map<String, String> variables) {
    try {
      return expand(expression, variables::get);
    } catch (EnvironmentException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Returns a path without variables.
   *
   * @throws IllegalArgumentException with the kubelet's message, if the path is invalid
   */
  public static String checked(String path) {
    try {
      return inVolume(path);
    } catch (EnvironmentException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /**
   * Expands the variables.
   *
   * @param variables value by name, null for an unknown one; an empty value counts as missing
   * @throws EnvironmentException with the kubelet's message, if the path is invalid
   */
  static String expand(String expression, Function<String, @Nullable String> variables)
      throws EnvironmentException {
    Set<String> missing = new TreeSet<>();
    String path =
        Expansion.expand(
            expression,
            name -> {
              String value = variables.apply(name);
              if (value == null || value.isEmpty()) {
                missing.add(name);
              }
              return value;
            });
    if (!missing.isEmpty()) {
      throw new EnvironmentException("missing value for " + String.join(", ", missing));
    }
    return inVolume(path);
  }

  private static String inVolume(String path) throws EnvironmentException {
    if (path.startsWith("/")) {
      throw new EnvironmentException("error SubPath `" + path + "` must not be an absolute path");
    }
    if (Arrays.asList(path.split("/")).contains("..")) {
      throw new EnvironmentException(
          "unable to provision SubPath `" + path + "`: must not contain '..'");
    }
    return path;
  }
}
