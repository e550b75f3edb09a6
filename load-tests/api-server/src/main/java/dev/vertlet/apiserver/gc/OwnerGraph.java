package dev.vertlet.apiserver.gc;

import dev.vertlet.apiserver.registry.Resource;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who names whom as owner, by UID. Objects without owners are not in it. */
final class OwnerGraph {
  /** An object, wherever it is kept. */
  record Item(Resource resource, String namespace, String name, String uid) {}

  private final Map<String, Set<Item>> dependents = new HashMap<>();
  private final Map<String, Set<String>> owners = new HashMap<>();

  /** Sets the owners of an item. */
  void put(Item item, Set<String> ownerUids) {
    remove(item);
    if (!ownerUids.isEmpty()) {
      owners.put(item.uid(), Set.copyOf(ownerUids));
      ownerUids.forEach(
          owner -> dependents.computeIfAbsent(owner, any -> new LinkedHashSet<>()).add(item));
    }
  }

  /** Forgets the owners of an item. */
  void remove(Item item) {
    Set<String> old = owners.remove(item.uid());
    if (old == null) {
      return;
    }
    for (String owner : old) {
      Set<Item> siblings = dependents.get(owner);
      if (siblings != null) {
        siblings.remove(item);
        if (siblings.isEmpty()) {
          dependents.remove(owner);
        }
      }
    }
  }

  /** The owners an item is known to have. */
  Set<String> owners(String uid) {
    return owners.getOrDefault(uid, Set.of());
  }

  /** Those that name this UID as an owner. */
  List<Item> dependents(String uid) {
    return List.copyOf(dependents.getOrDefault(uid, Set.of()));
  }
}
