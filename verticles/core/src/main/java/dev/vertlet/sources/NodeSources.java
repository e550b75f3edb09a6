package dev.vertlet.sources;

import dev.vertlet.manifest.Manifests;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Sources of the static pods of one node.
 *
 * @param path directory of manifests, or one manifest; null for none
 * @param url of a Pod or a PodList; null for none
 */
public record NodeSources(String node, @Nullable Path path, @Nullable URI url) {
  /** A node without static pods. */
  public static NodeSources none(String node) {
    return new NodeSources(node, null, null);
  }

  /** Whether the node has a source. */
  public boolean any() {
    return path != null || url != null;
  }

  /** Names of the sources, as in annotations. */
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
