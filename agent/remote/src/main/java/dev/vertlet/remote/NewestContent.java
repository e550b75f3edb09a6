package dev.vertlet.remote;

import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Newest content of a pod's volumes, and its credentials. */
final class NewestContent {
  /** A kubelet's reason for a pod whose volumes cannot be mounted. */
  private static final String UNMOUNTED = "ContainerCreating";

  private final Map<String, VolumeContent> volumes = new HashMap<>();
  private final Set<String> missing = new HashSet<>(0);
  private Map<String, List<RegistryCredential>> credentials = Map.of();

  /** Takes what comes with a create or an update. */
  void take(PodContent content) {
    missing.addAll(content.missing());
    missing.removeAll(volumes.keySet());
    take(content.volumes());
    credentials = content.credentials();
  }

  /** Takes new versions of volumes. */
  void take(List<VolumeContent> newer) {
    for (VolumeContent volume : newer) {
      volumes.put(volume.volume(), volume);
      missing.remove(volume.volume());
    }
  }

  Collection<VolumeContent> volumes() {
    return volumes.values();
  }

  /** Credentials by image. */
  Map<String, List<RegistryCredential>> credentials() {
    return credentials;
  }

  /** Names of volumes of which no content was ever known: the pod cannot be sent without them. */
  Set<String> missing() {
    return missing;
  }

  /** Returns the failure of a pod that cannot be sent. */
  static ProviderException incomplete(Collection<String> missing) {
    return new ProviderException(
        Kind.TEMPORARY, UNMOUNTED, "content of volumes is missing: " + String.join(", ", missing));
  }
}
