package dev.vertlet.provider;

import dev.vertlet.model.PodDefinition;
import java.util.List;
import java.util.Map;

/**
 * What a provider of whole pods receives besides the view.
 *
 * @param definition the pod as the API server holds it; its environments are not resolved
 * @param volumes empty without {@link PodInput#VALUES}
 * @param credentials by image of a container, those of the most specific registry first, to be
 *     tried one after the other; without entries for images that need none. Empty without {@link
 *     PodInput#VALUES}
 */
public record PodContent(
    PodDefinition definition,
    List<VolumeContent> volumes,
    Map<String, List<RegistryCredential>> credentials) {
  public PodContent {
    volumes = List.copyOf(volumes);
    credentials = Map.copyOf(credentials);
  }
}
