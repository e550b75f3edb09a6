package dev.vertlet.provider.container;

import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.content.VolumeContent;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a runtime receives to create a sandbox.
 *
 * @param config host name and name servers; null for a runtime that {@linkplain
 *     ContainerRuntime#usesEnvironment does not use} environments
 * @param definition of the pod now
 * @param volumes first content of the pod's volumes, for {@link
 *     dev.vertlet.provider.content.PodInput#VALUES}; otherwise empty
 * @param directory the pod's own, for {@link dev.vertlet.provider.content.PodInput#FILES};
 *     otherwise null. It exists, and is removed when the pod is gone; everything but {@code
 *     etc-hosts}, {@code resolv.conf}, {@code volumes}, {@code volume-subpaths}, {@code containers}
 *     and {@code pod.json} in it belongs to the runtime
 */
public record SandboxStart(
    PodView pod,
    int attempt,
    @Nullable SandboxConfig config,
    PodDefinition definition,
    List<VolumeContent> volumes,
    @Nullable Path directory) {
  public SandboxStart {
    volumes = List.copyOf(volumes);
  }
}
