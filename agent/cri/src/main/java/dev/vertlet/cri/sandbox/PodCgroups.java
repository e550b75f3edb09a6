package dev.vertlet.cri.sandbox;

import dev.vertlet.model.PodView;
import io.vertx.core.Future;

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

  /** Removes the group of a pod whose containers are gone. Succeeds when there is none. */
  Future<Void> remove(String uid);
}
