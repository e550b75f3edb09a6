package dev.vertlet.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param resourceVersion of the list, from which a watch may start
 * @param continueToken null on the last page
 */
public record ListPage<T>(List<T> items, long resourceVersion, @Nullable String continueToken) {
  public ListPage {
    items = List.copyOf(items);
  }
}
