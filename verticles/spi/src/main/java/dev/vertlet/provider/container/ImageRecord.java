package dev.vertlet.provider.container;

import java.util.List;

/**
 * An image on a node.
 *
 * @param id as returned by {@link ContainerRuntime#imageId} and {@link ContainerRuntime#pull}
 * @param names its tags and digests
 * @param size bytes on the image file system, 0 or more
 * @param pinned whether the image is never removed
 */
public record ImageRecord(String id, List<String> names, long size, boolean pinned) {
  public ImageRecord {
    names = List.copyOf(names);
  }

  /** Creates an image that may be removed. */
  public ImageRecord(String id, List<String> names, long size) {
    this(id, names, size, false);
  }
}
