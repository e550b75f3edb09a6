package dev.vertlet.remote;

import dev.vertlet.model.PodView;
import dev.vertlet.provider.PodContent;
import dev.vertlet.provider.RegistryCredential;
import dev.vertlet.provider.VolumeContent;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Newest content of each pod's volumes, and its credentials, by UID: for a pod that has to be sent
 * again. Holds secrets: never logged.
 */
final class SentContent {
  private final Map<String, Map<String, VolumeContent>> volumes = new HashMap<>();
  private final Map<String, Map<String, List<RegistryCredential>>> credentials = new HashMap<>();

  /** Takes the content of a pod, in place of that of an earlier version. */
  void keep(PodView pod, PodContent content) {
    keep(pod.uid(), content.volumes());
    if (content.credentials().isEmpty()) {
      credentials.remove(pod.uid());
    } else {
      credentials.put(pod.uid(), content.credentials());
    }
  }

  /** Takes new content of some volumes. */
  void keep(String uid, List<VolumeContent> changed) {
    if (!changed.isEmpty()) {
      Map<String, VolumeContent> own = volumes.computeIfAbsent(uid, unused -> new HashMap<>());
      changed.forEach(volume -> own.put(volume.volume(), volume));
    }
  }

  Collection<VolumeContent> volumes(String uid) {
    return volumes.getOrDefault(uid, Map.of()).values();
  }

  /** Credentials of a pod by image. */
  Map<String, List<RegistryCredential>> credentials(String uid) {
    return credentials.getOrDefault(uid, Map.of());
  }

  void drop(String uid) {
    volumes.remove(uid);
    credentials.remove(uid);
  }

  void dropUnless(Predicate<String> wanted) {
    volumes.keySet().removeIf(wanted.negate());
    credentials.keySet().removeIf(wanted.negate());
  }
}
