package dev.vertlet.env;

import dev.vertlet.model.PodView;

/**
 * Makes the content of volumes available before a pod's sandbox is created, and keeps it up to
 * date. Called on the context of its shard.
 */
public interface VolumePreparer {
  /** Nothing to prepare. */
  VolumePreparer NONE =
      new VolumePreparer() {
        @Override
        public VolumeMounts.Outcome prepare(PodView pod, Runnable progress) {
          return new VolumeMounts.Outcome.Mounted();
        }

        @Override
        public void updated(PodView pod) {}
      };

  /**
   * Prepares the volumes of a pod, or continues to. After a failure the next call tries again.
   *
   * @param progress called once, on the same context, when another call has another outcome
   * @return Waiting while the content is read or written
   */
  VolumeMounts.Outcome prepare(PodView pod, Runnable progress);

  /** A pod that runs, or is about to, has a new version, or was taken over from another agent. */
  void updated(PodView pod);
}
