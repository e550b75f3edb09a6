package dev.vertlet.env;

import dev.vertlet.model.pod.PodView;
import java.util.List;

/**
 * Makes the content of volumes available before a pod's sandbox is created, and keeps it up to
 * date. Called on the context of its shard.
 */
public interface VolumePreparer {
  /** Nothing to prepare. */
  VolumePreparer NONE =
      new VolumePreparer() {
        @Override
        public Outcome prepare(PodView pod, Runnable progress) {
          return new Outcome.Mounted();
        }

        @Override
        public void updated(PodView pod) {}
      };

  /** Failure reason when a volume cannot be made available; a kubelet's term. */
  String UNMOUNTED = "ContainerCreating";

  /** Whether the volumes of a pod can be mounted. */
  sealed interface Outcome {
    /** All volumes can be mounted. */
    record Mounted() implements Outcome {}

    /**
     * An object is still being read.
     *
     * @param until end of the wait, epoch milliseconds
     */
    record Waiting(long until) implements Outcome {}

    /**
     * At least one volume cannot be mounted now.
     *
     * @param volumes names of those volumes
     * @param setUps a kubelet's messages for volumes whose setup fails, one for each
     * @param unprocessed its message for the other volumes; empty without any
     */
    record Failed(List<String> volumes, List<String> setUps, String unprocessed)
        implements Outcome {
      public Failed {
        volumes = List.copyOf(volumes);
        setUps = List.copyOf(setUps);
      }
    }
  }

  /**
   * Prepares the volumes of a pod, or continues to. After a failure the next call tries again.
   *
   * @param progress called once, on the same context, when another call has another outcome
   * @return Waiting while the content is read or written
   */
  Outcome prepare(PodView pod, Runnable progress);

  /** A pod that runs, or is about to, has a new version, or was taken over from another agent. */
  void updated(PodView pod);
}
