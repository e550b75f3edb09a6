package dev.vertlet.model;

import java.util.List;

/**
 * How a container's environment is made and what is made of it, as its definition says it.
 *
 * @param env {@code spec.containers[*].env}, in order
 * @param envFrom {@code spec.containers[*].envFrom}, in order
 * @param subPaths {@code subPathExpr} of its {@code volumeMounts}, where there is one, in order
 */
public record EnvironmentView(List<Variable> env, List<Source> envFrom, List<String> subPaths) {
  public EnvironmentView {
    env = List.copyOf(env);
    envFrom = List.copyOf(envFrom);
    subPaths = List.copyOf(subPaths);
  }

  /** Of a container whose mounts ask for none of its variables. */
  public EnvironmentView(List<Variable> env, List<Source> envFrom) {
    this(env, envFrom, List.of());
  }

  /** Made of values alone: no variable of it can be missing. */
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
   * @param value as written, empty when {@code from} counts
   * @param from where the value comes from when {@code value} is empty
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
    /** The value is the literal one. */
    record Literal() implements ValueFrom {}

    /** A field of the pod itself. */
    record Field(String apiVersion, String path) implements ValueFrom {}

    /**
     * A resource of a container.
     *
     * @param container empty for the container that has the variable
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

    /** A line of a file in a volume, which needs the volume: nothing here reads it. */
    record File(String volume, String path, String key, boolean optional) implements ValueFrom {}
  }

  /** The one literal there is. */
  public static final ValueFrom LITERAL = new ValueFrom.Literal();
}
