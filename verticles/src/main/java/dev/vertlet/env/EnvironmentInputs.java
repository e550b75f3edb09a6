package dev.vertlet.env;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What environments are made of besides the pod.
 *
 * @param references null without an API server: containers that refer to an object then wait
 * @param allocatable of a node by its name: resource name to quantity
 */
public record EnvironmentInputs(
    @Nullable ReferenceSource references, Function<String, Map<String, String>> allocatable) {
  /** Nothing but the pod. */
  public static final EnvironmentInputs NONE = new EnvironmentInputs(null, node -> Map.of());
}
