package dev.vertlet.process.shim;

import dev.vertlet.model.status.ContainerStateView.Terminated;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * End of a container, as its shim wrote it, or the agent for a shim that was killed.
 *
 * @param code 0 to 255; 128 + n after signal n, 128 for a program that could not be started
 * @param outOfMemory whether the kernel killed the container for lack of memory
 * @param error why the program could not be started; empty if it was
 * @param lost whether the shim had ended before the container
 * @param droppedLines lines of the log that a full disk did not take
 * @param leftProcesses processes of the container that could not be killed
 */
public record Exit(
    int code,
    boolean outOfMemory,
    String error,
    boolean lost,
    @Nullable Instant finishedAt,
    long droppedLines,
    long leftProcesses) {
  /** Exit code of a program that could not be started, as runc reports it. */
  private static final int START_ERROR = 128;

  /** Exit code of a process that was killed. */
  private static final int KILLED = 137;

  /** Name of the file, beside {@code state}. */
  public static final String FILE = "exit";

  public static Exit of(KeyValues values) {
    return new Exit(
        (int) values.number("code"),
        values.number("oom") == 1,
        values.text("error"),
        values.number("lost") == 1,
        values.time("finishedAt"),
        values.number("droppedLines"),
        values.number("leftProcesses"));
  }

  /** End of a container whose shim was killed, which the kernel then kills. */
  public static Exit lost(Instant now) {
    return new Exit(KILLED, false, "", true, now, 0, 0);
  }

  /** The text from which {@link #of} reads a lost container's end. */
  public String text() {
    return "code=" + code + "\nlost=" + (lost ? 1 : 0) + "\nfinishedAt=" + finishedAt + "\n";
  }

  /** Whether the program was never started. */
  public boolean startFailed() {
    return !error.isEmpty() && code == START_ERROR;
  }

  private String reason() {
    if (startFailed()) {
      return "StartError";
    }
    if (lost) {
      return "ContainerStatusUnknown";
    }
    if (outOfMemory) {
      return "OOMKilled";
    }
    return code == 0 ? "Completed" : "Error";
  }

  private String message() {
    if (lost) {
      return "The container's shim ended before the container";
    }
    return droppedLines == 0
        ? error
        : "%d lines of the log could not be written, as the disk was full".formatted(droppedLines);
  }

  /** Returns the end as a status shows it. */
  public Terminated state(String containerId, @Nullable Instant startedAt) {
    String message = message();
    return new Terminated(
        code,
        0,
        reason(),
        message.isEmpty() ? null : message,
        startFailed() ? Instant.EPOCH : seconds(startedAt),
        seconds(finishedAt),
        containerId);
  }

  private static @Nullable Instant seconds(@Nullable Instant time) {
    return time == null ? null : time.truncatedTo(ChronoUnit.SECONDS);
  }
}
