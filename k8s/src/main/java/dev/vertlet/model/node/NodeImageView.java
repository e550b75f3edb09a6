package dev.vertlet.model.node;

import java.util.List;

/**
 * An image in a node's status.
 *
 * @param names of the image, digests first
 * @param sizeBytes 0 when unknown
 */
public record NodeImageView(List<String> names, long sizeBytes) {
  public NodeImageView {
    names = List.copyOf(names);
  }
}
