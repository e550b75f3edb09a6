package dev.vertlet.pods;

import dev.vertlet.model.KeyedTable;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mailboxes of one shard, by UID and by name. Pure except for its own fields.
 *
 * <p>At the API server a name belongs to one pod; here earlier pods of the name that have not ended
 * yet have it, too.
 */
final class PodIndex {
  private final KeyedTable<String, PodMailbox> byUid =
      new KeyedTable<>(mailbox -> mailbox.ref().uid());

  /** One pod of each name. */
  private final KeyedTable<Name, PodMailbox> byName =
      new KeyedTable<>(mailbox -> Name.of(mailbox.listedAs()));

  /** The other pods of a name, if there are any. */
  private final Map<Name, List<PodMailbox>> namesakes = new HashMap<>();

  private record Name(String namespace, String name) {
    static Name of(PodRef pod) {
      return new Name(pod.namespace(), pod.name());
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return this == other
          || other instanceof Name that
              && namespace.equals(that.namespace)
              && name.equals(that.name);
    }

    @Override
    public int hashCode() {
      int hash = namespace.hashCode();
      return 31 * hash + name.hashCode();
    }
  }

  int size() {
    return byUid.size();
  }

  @Nullable PodMailbox get(String uid) {
    return byUid.get(uid);
  }

  /** Adds a mailbox for a pod with a new UID. */
  PodMailbox add(PodView pod) {
    PodMailbox mailbox = new PodMailbox(pod);
    byUid.put(mailbox);
    name(mailbox);
    return mailbox;
  }

  void remove(PodMailbox mailbox) {
    if (byUid.get(mailbox.ref().uid()) == mailbox) {
      byUid.remove(mailbox.ref().uid());
    }
    unname(mailbox);
  }

  /** Updates the name of a pod, which may have changed. */
  void renamed(PodMailbox mailbox) {
    if (!mailbox.ref().equals(mailbox.listedAs())) {
      unname(mailbox);
      mailbox.listed();
      name(mailbox);
    }
  }

  private void name(PodMailbox mailbox) {
    Name name = Name.of(mailbox.ref());
    if (byName.contains(name)) {
      namesakes.computeIfAbsent(name, first -> new ArrayList<>(1)).add(mailbox);
    } else {
      byName.put(mailbox);
    }
  }

  private void unname(PodMailbox mailbox) {
    Name name = Name.of(mailbox.listedAs());
    List<PodMailbox> all = new ArrayList<>(named(name));
    if (all.remove(mailbox)) {
      byName.remove(name);
      namesakes.remove(name);
      all.forEach(this::name);
    }
  }

  /** The pods of one name, in no order. */
  List<PodMailbox> named(String namespace, String name) {
    return named(new Name(namespace, name));
  }

  private List<PodMailbox> named(Name name) {
    PodMailbox first = byName.get(name);
    List<PodMailbox> others = namesakes.get(name);
    if (first == null) {
      return List.of();
    }
    if (others == null) {
      return List.of(first);
    }
    List<PodMailbox> all = new ArrayList<>(others);
    all.add(first);
    return all;
  }
}
