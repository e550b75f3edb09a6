package dev.vertlet.process.shim;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a running container, as its shim wrote it before the program began. A process is the
 * same only if its start time and the boot are the same: numbers of processes are used again.
 *
 * @param shim process id of the shim
 * @param shimStart its start, in clock ticks since boot
 * @param pid process id of the container's first process
 * @param pidStart its start, in clock ticks since boot
 * @param bootId of the kernel that runs them
 */
public record ShimState(
    long shim,
    long shimStart,
    long pid,
    long pidStart,
    String bootId,
    @Nullable Instant startedAt) {
  public static ShimState of(KeyValues values) {
    return new ShimState(
        values.number("shim"),
        values.number("shimStart"),
        values.number("pid"),
        values.number("pidStart"),
        values.text("bootId"),
        values.time("startedAt"));
  }
}
