package dev.vertlet.pods;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mailboxes of one shard, by UID and by name. Pure but for its own fields.
 *
 * <p>A name belongs to one pod at the API server, but here also to those before it that still have
 * to end.
 */
final class PodIndex {
  private final Map<String, PodMailbox> byUid = new HashMap<>();
  private final Map<Name, List<PodMailbox>> byName = new HashMap<>();

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

  /** Begins a mailbox for a pod whose UID has none. */
  PodMailbox add(PodView pod) {
    PodMailbox mailbox = new PodMailbox(pod);
    byUid.put(pod.uid(), mailbox);
    name(mailbox);
    return mailbox;
  }

  void remove(PodMailbox mailbox) {
    byUid.remove(mailbox.ref().uid(), mailbox);
    unname(mailbox, mailbox.ref());
  }

  /** The pod of this UID may have another name by now. */
  void renamed(PodMailbox mailbox, PodRef before) {
    if (!mailbox.ref().equals(before)) {
      unname(mailbox, before);
      name(mailbox);
    }
  }

  private void name(PodMailbox mailbox) {
    byName.merge(Name.of(mailbox.ref()), List.of(mailbox), PodIndex::both);
  }

  private static List<PodMailbox> both(List<PodMailbox> some, List<PodMailbox> others) {
    List<PodMailbox> all = new ArrayList<>(some);
    all.addAll(others);
    return List.copyOf(all);
  }

  private void unname(PodMailbox mailbox, PodRef known) {
    byName.computeIfPresent(
        Name.of(known),
        (name, pods) -> {
          List<PodMailbox> others = pods.stream().filter(each -> each != mailbox).toList();
          return others.isEmpty() ? null : others;
        });
  }

  /** The pods of one name, in no order. */
  List<PodMailbox> named(String namespace, String name) {
    return byName.getOrDefault(new Name(namespace, name), List.of());
  }
}
