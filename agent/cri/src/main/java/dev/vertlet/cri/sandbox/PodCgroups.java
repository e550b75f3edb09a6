package dev.vertlet.cri.sandbox;

import dev.vertlet.model.pod.PodView;
import io.vertx.core.Future;
import java.util.Set;

/** Control groups of pods, above those of their containers. */
public interface PodCgroups {
  /** No groups of pods: the runtime's default counts. */
  PodCgroups NONE =
      new PodCgroups() {
        @Override
        public Future<String> prepare(PodView pod) {
          return Future.succeededFuture("");
        }

        @Override
        public Future<Void> remove(String uid) {
          return Future.succeededFuture();
        }
      };

  /**
   * Makes the group of a pod with its limits. Idempotent.
   *
   * @return the group as {@code cgroup_parent} of a sandbox names it; empty for the runtime's
   *     default
   */
  Future<String> prepare(PodView pod);

  /** Gives the group of a pod the limits of its newest version. Succeeds without groups. */
  default Future<Void> limit(PodView pod) {
    return Future.succeededFuture();
  }

  /**
   * Gives the group of a pod the limits of its newest version where they are larger: before its
   * containers grow. Succeeds without groups.
   */
  default Future<Void> grow(PodView pod) {
    return Future.succeededFuture();
  }

  /** Removes the group of a pod whose containers are gone. Succeeds when there is none. */
  Future<Void> remove(String uid);

  /** UIDs of the pods that have a group, also of pods that are over. None without groups. */
  default Future<Set<String>> uids() {
    return Future.succeededFuture(Set.of());
  }

  /** Removes what is above the groups of pods, unless there are some. */
  default Future<Void> leave() {
    return Future.succeededFuture();
  }
}
