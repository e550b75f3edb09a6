package dev.vertlet.kubelet.podworker;

import dev.vertlet.env.DnsSettings;
import dev.vertlet.env.ReferenceSource;
import dev.vertlet.env.VolumePreparer;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Inputs of environments and sandboxes besides the pod.
 *
 * @param references null without an API server: containers that refer to an object then wait
 * @param secrets whether Secrets must exist for a runtime that does not read their content; if
 *     false, they are not read for such a runtime, and count as existing
 * @param allocatable of a node by its name: resource name to quantity
 * @param dns DNS settings of a node by its name
 * @param volumes prepares the content of volumes
 */
public record EnvironmentInputs(
    @Nullable ReferenceSource references,
    boolean secrets,
    Function<String, Map<String, String>> allocatable,
    Function<String, DnsSettings> dns,
    VolumePreparer volumes) {
  /** No inputs besides the pod. */
  public static final EnvironmentInputs NONE = new EnvironmentInputs(null, node -> Map.of());

  /** Creates inputs without known name servers, with Secrets. */
  public EnvironmentInputs(
      @Nullable ReferenceSource references, Function<String, Map<String, String>> allocatable) {
    this(references, true, allocatable, node -> DnsSettings.DEFAULTS);
  }

  /** Creates inputs without content of volumes. */
  public EnvironmentInputs(
      @Nullable ReferenceSource references,
      boolean secrets,
      Function<String, Map<String, String>> allocatable,
      Function<String, DnsSettings> dns) {
    this(references, secrets, allocatable, dns, VolumePreparer.NONE);
  }
}
