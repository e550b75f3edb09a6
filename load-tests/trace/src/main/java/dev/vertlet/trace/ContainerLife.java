package dev.vertlet.trace;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Life of one container of a pod.
 *
 * @param init whether it is an init container, restartable ones included
 * @param restarts as counted by the kubelet
 * @param runs in order of their starts; the last {@value #MAX_RUNS} at most, and only those that
 *     the recorder could see: a container that restarts faster than the kubelet reports loses runs,
 *     but not restarts
 * @param pullMillis how long its image was pulled, in milliseconds; null if no event said so. 0 for
 *     an image that was present already
 */
public record ContainerLife(
    String name, boolean init, int restarts, List<ContainerRun> runs, @Nullable Long pullMillis) {

  /** Bounds the record of a pod that crashes for days. */
  public static final int MAX_RUNS = 16;

  public ContainerLife {
    runs = List.copyOf(runs);
  }
}
