package dev.vertlet.provider.stream;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Lines of a container's log that a client requests, and their format. Filters apply in this order:
 * stream, since, tail; the limit then cuts the rest, in the middle of a line if necessary.
 *
 * @param follow whether to continue with later lines until the container ends
 * @param previous whether to read the instance before the current one; redundant if the target has
 *     a container id
 * @param timestamps whether each line begins with its time, RFC 3339 with nanoseconds, and a space
 * @param since earliest time of a line; null for all lines
 * @param tailLines number of the last existing lines, 0 or more; null for all
 * @param limitBytes maximum number of bytes to send, 1 or more; null for no limit
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
  /** The container's output streams. */
  public enum Stream {
    ALL,
    STDOUT,
    STDERR
  }

  /** Requests the same lines from another target. */
  public LogRequest of(ContainerTarget other) {
    return new LogRequest(
        other, follow, previous, timestamps, since, tailLines, limitBytes, stream);
  }
}
