package dev.vertlet.provider;

import java.util.List;

/**
 * An image that a node has.
 *
 * @param id as {@link ContainerRuntime#imageId} and {@link ContainerRuntime#pull} name it
 * @param names tags and digests by which it can be asked for
 * @param size bytes on the file system that holds images, 0 or more
 * @param pinned whether it is never removed
 */
public record ImageRecord(String id, List<String> names, long size, boolean pinned) {
  public ImageRecord {
    names = List.copyOf(names);
  }

  /** An image that may be removed. */
  public ImageRecord(String id, List<String> names, long size) {
    this(id, names, size, false);
  }
}
