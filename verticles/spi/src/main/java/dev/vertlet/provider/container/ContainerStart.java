package dev.vertlet.provider.container;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.definition.ContainerDefinition;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.pod.PodView;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a runtime receives to start an instance of a container.
 *
 * @param container with {@code $(X)} expanded in its command and arguments, if the runtime uses
 *     environments
 * @param attempt 0 for the first instance, then increased by one for each restart
 * @param environment name to value, complete and in a fixed order; empty for a runtime that
 *     {@linkplain ContainerRuntime#usesEnvironment does not use} environments. May hold secrets: do
 *     not log
 * @param pod definition of the pod now
 * @param definition of the container: ports, security context, working directory, standard input
 * @param mounts of the container, with {@code /etc/hosts}, {@code /etc/resolv.conf} and the file of
 *     its termination message, for {@link dev.vertlet.provider.content.PodInput#FILES}; otherwise
 *     empty
 * @param directory the pod's own, for {@link dev.vertlet.provider.content.PodInput#FILES};
 *     otherwise null
 */
public record ContainerStart(
    PodView view,
    ContainerView container,
    int attempt,
    String imageId,
    Map<String, String> environment,
    PodDefinition pod,
    ContainerDefinition definition,
    List<ContainerMount> mounts,
    @Nullable Path directory) {
  public ContainerStart {
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    mounts = List.copyOf(mounts);
  }

  /** Leaves out the environment. */
  @Override
  public String toString() {
    return "ContainerStart of " + view.ref().display() + "/" + container.name() + " #" + attempt;
  }
}
