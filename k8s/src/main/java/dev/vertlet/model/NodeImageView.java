package dev.vertlet.model;

import java.util.List;

/**
 * An image that a node has, as its status shows it.
 *
 * @param names by which it can be asked for, digests first
 * @param sizeBytes 0 where nobody knows
 */
public record NodeImageView(List<String> names, long sizeBytes) {
  public NodeImageView {
    names = List.copyOf(names);
  }
}
