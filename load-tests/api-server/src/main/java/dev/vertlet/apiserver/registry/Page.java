package dev.vertlet.apiserver.registry;

import dev.vertlet.apiserver.store.StoredObject;
import java.util.List;

/**
 * One page of a list.
 *
 * @param revision the revision the page is a snapshot of, 0 for what is not stored
 * @param continueToken how to ask for the next page, empty on the last
 * @param remaining objects after this page, 0 when unknown
 */
public record Page(List<StoredObject> items, long revision, String continueToken, int remaining) {
  public Page {
    items = List.copyOf(items);
  }
}
