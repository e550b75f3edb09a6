package dev.vertlet.provider.content;

import dev.vertlet.model.definition.PodDefinition;
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
 * @param missing names of volumes whose content cannot be known now, because an object is gone, for
 *     example. Empty unless the provider holds the pod: its containers keep what they have, and
 *     nothing new may start without these volumes. They follow as {@link
 *     dev.vertlet.provider.pod.PodProvider#contentChanged}
 */
public record PodContent(
    PodDefinition definition,
    List<VolumeContent> volumes,
    Map<String, List<RegistryCredential>> credentials,
    List<String> missing) {
  public PodContent {
    volumes = List.copyOf(volumes);
    credentials = Map.copyOf(credentials);
    missing = List.copyOf(missing);
  }

  /** Creates the content of a pod of which nothing is missing. */
  public PodContent(
      PodDefinition definition,
      List<VolumeContent> volumes,
      Map<String, List<RegistryCredential>> credentials) {
    this(definition, volumes, credentials, List.of());
  }
}
