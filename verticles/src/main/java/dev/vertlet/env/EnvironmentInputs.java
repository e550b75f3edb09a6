package dev.vertlet.env;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What environments and sandboxes are made of besides the pod.
 *
 * @param references null without an API server: containers that refer to an object then wait
 * @param secrets whether Secrets have to be there for a runtime that does not look at their
 *     content; otherwise they are not read for it, and taken to be there
 * @param allocatable of a node by its name: resource name to quantity
 * @param dns whom the pods of a node ask for names, by the node's name
 */
public record EnvironmentInputs(
    @Nullable ReferenceSource references,
    boolean secrets,
    Function<String, Map<String, String>> allocatable,
    Function<String, DnsSettings> dns) {
  /** Nothing but the pod. */
  public static final EnvironmentInputs NONE = new EnvironmentInputs(null, node -> Map.of());

  /** In a cluster of which no name servers are known, and whose Secrets are read. */
  public EnvironmentInputs(
      @Nullable ReferenceSource references, Function<String, Map<String, String>> allocatable) {
    this(references, true, allocatable, node -> DnsSettings.DEFAULTS);
  }
}
