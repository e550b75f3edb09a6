package dev.vertlet.provider;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which lines of a container's log are wanted, and in which form. They are chosen in this order:
 * stream, since, tail; the limit cuts what is left, in the middle of a line if need be.
 *
 * @param follow whether lines that come later are wanted too, until the container ends
 * @param previous whether the instance before the current one is meant; a target with a container
 *     id names it already
 * @param timestamps whether each line begins with its time, RFC 3339 with nanoseconds, and a blank
 * @param since only lines from then on; null for all
 * @param tailLines only so many of the last lines that are there now, 0 or more; null for all
 * @param limitBytes the most that is sent, 1 or more; null for all
 */
public record LogRequest(
    ContainerTarget target,
    boolean follow,
    boolean previous,
    boolean timestamps,
    @Nullable Instant since,
    @Nullable Long tailLines,
    @Nullable Long limitBytes,
    Stream stream) {
  /** What the container writes to. */
  public enum Stream {
    ALL,
    STDOUT,
    STDERR
  }

  /** The same lines of another target. */
  public LogRequest of(ContainerTarget other) {
    return new LogRequest(
        other, follow, previous, timestamps, since, tailLines, limitBytes, stream);
  }
}
