package dev.vertlet.env;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The {@code subPathExpr} of a mount: where in its volume it begins, made of the container's
 * variables. A container whose path cannot be made, or leads out of the volume, does not start.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kubelet_pods.go">
 *     makeMounts, kubelet 1.36.3</a>
 */
final class SubPaths {
  private SubPaths() {}

  /**
   * Puts in the variables.
   *
   * @param variables value by name, null for an unknown one; an empty one is as good as missing
   * @throws EnvironmentException with the kubelet's message, when there is no such path
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
