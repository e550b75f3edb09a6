package dev.vertlet.sources;

import dev.vertlet.manifest.Manifests;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the static pods of one node come from.
 *
 * @param path directory of manifests, or one manifest; null for none
 * @param url of a Pod or a PodList; null for none
 */
public record NodeSources(String node, @Nullable Path path, @Nullable URI url) {
  /** A node whose pods all come from the API server. */
  public static NodeSources none(String node) {
    return new NodeSources(node, null, null);
  }

  /** Whether there is any. */
  public boolean any() {
    return path != null || url != null;
  }

  /** As annotations name them. */
  Set<String> names() {
    Set<String> names = new LinkedHashSet<>();
    if (path != null) {
      names.add(Manifests.FILE);
    }
    if (url != null) {
      names.add(Manifests.HTTP);
    }
    return names;
  }
}
