package dev.vertlet.model.container;

import dev.vertlet.model.reference.ReferredKind;
import java.util.List;

/**
 * Definition of a container's environment, and the mount paths that use it.
 *
 * @param env {@code spec.containers[*].env}, in order
 * @param envFrom {@code spec.containers[*].envFrom}, in order
 * @param subPaths {@code subPathExpr} of those {@code volumeMounts} that have one, in order
 */
public record EnvironmentView(List<Variable> env, List<Source> envFrom, List<String> subPaths) {
  public EnvironmentView {
    env = List.copyOf(env);
    envFrom = List.copyOf(envFrom);
    subPaths = List.copyOf(subPaths);
  }

  /** Creates an environment that no mount uses. */
  public EnvironmentView(List<Variable> env, List<Source> envFrom) {
    this(env, envFrom, List.of());
  }

  /** Whether all variables are literal values, so that none can be missing. */
  public boolean literal() {
    if (!envFrom.isEmpty()) {
      return false;
    }
    for (Variable variable : env) {
      if (!(variable.from() instanceof ValueFrom.Literal)) {
        return false;
      }
    }
    return true;
  }

  /**
   * One element of {@code env}.
   *
   * @param value as written, empty if {@code from} applies
   * @param from source of the value if {@code value} is empty
   */
  public record Variable(String name, String value, ValueFrom from) {}

  /**
   * One element of {@code envFrom}: all entries of an object.
   *
   * @param prefix of every name, may be empty
   * @param kind CONFIG_MAP or SECRET
   * @param optional whether the object may be missing
   */
  public record Source(String prefix, ReferredKind kind, String name, boolean optional) {}

  /** {@code valueFrom} of one variable. */
  public sealed interface ValueFrom {
    /** The literal value. */
    record Literal() implements ValueFrom {}

    /** A field of the pod. */
    record Field(String apiVersion, String path) implements ValueFrom {}

    /**
     * A resource of a container.
     *
     * @param container empty for the container with the variable
     * @param divisor a quantity, empty or {@code 0} for 1
     */
    record Resource(String container, String resource, String divisor) implements ValueFrom {}

    /**
     * One entry of an object.
     *
     * @param kind CONFIG_MAP or SECRET
     * @param optional whether object or key may be missing
     */
    record Key(ReferredKind kind, String name, String key, boolean optional) implements ValueFrom {}

    /** A line of a file in a volume, which vertlet does not read. */
    record File(String volume, String path, String key, boolean optional) implements ValueFrom {}
  }

  /** Shared instance of a literal source. */
  public static final ValueFrom LITERAL = new ValueFrom.Literal();
}
