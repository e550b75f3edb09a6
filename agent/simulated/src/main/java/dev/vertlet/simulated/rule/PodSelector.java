package dev.vertlet.simulated.rule;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Selects pods and containers; all given criteria must match.
 *
 * @param namespace null for every namespace
 * @param matchLabels labels that the pod must have
 * @param matchAnnotations annotations that the pod must have
 * @param controllerKind kind of the pod's controlling owner ({@code Job}, {@code ReplicaSet}); null
 *     for any or none
 * @param image pattern of the container's image as written in the pod; null for any
 */
public record PodSelector(
    @Nullable String namespace,
    Map<String, String> matchLabels,
    Map<String, String> matchAnnotations,
    @Nullable String controllerKind,
    @Nullable Glob image) {
  /** Selects all containers of all pods. */
  public static final PodSelector ALL = new PodSelector(null, Map.of(), Map.of(), null, null);

  public PodSelector {
    matchLabels = Map.copyOf(matchLabels);
    matchAnnotations = Map.copyOf(matchAnnotations);
  }

  /**
   * @param container name of one of the pod's containers
   */
  public boolean matches(PodView pod, String container) {
    return (namespace == null || namespace.equals(pod.namespace()))
        && (controllerKind == null || controllerKind.equals(pod.controllerKind()))
        && pod.labels().entrySet().containsAll(matchLabels.entrySet())
        && pod.annotations().entrySet().containsAll(matchAnnotations.entrySet())
        && (image == null || image.matches(image(pod, container)));
  }

  private static String image(PodView pod, String container) {
    ContainerView known = pod.spec().container(container);
    return known == null ? "" : known.image();
  }
}
