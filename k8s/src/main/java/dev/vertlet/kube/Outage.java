package dev.vertlet.kube;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Turns a stream of failures and successes into few log lines: one when an outage begins, one per
 * back-off step while it lasts, one when it ends. Pure; the caller writes the lines.
 */
public final class Outage {
  /** 1 s, 2 s, 4 s, … 30 s, then one line every 30 s. */
  private static final long FIRST_STEP_SECONDS = 1;

  private static final long LONGEST_STEP_SECONDS = 30;

  private final String subject;
  private @Nullable Instant since;
  private Instant nextLine = Instant.MIN;
  private long stepSeconds = FIRST_STEP_SECONDS;
  private long failures;

  public Outage(String subject) {
    this.subject = subject;
  }

  /** Whether the latest result was a failure. */
  boolean ongoing() {
    return since != null;
  }

  /** Returns the line to log for this failure, if any. */
  public Optional<String> failed(Instant now, String reason) {
    failures++;
    Instant began = since;
    if (began == null) {
      since = now;
      stepSeconds = FIRST_STEP_SECONDS;
      nextLine = now.plusSeconds(stepSeconds);
      return Optional.of(subject + ": " + reason + "; trying again");
    }
    if (now.isBefore(nextLine)) {
      return Optional.empty();
    }
    stepSeconds = Math.min(stepSeconds * 2, LONGEST_STEP_SECONDS);
    nextLine = now.plusSeconds(stepSeconds);
    return Optional.of(
        "%s for %s (%d failures): %s; trying again"
            .formatted(subject, text(Duration.between(began, now)), failures, reason));
  }

  /** Returns the line to log for this success, if any. */
  public Optional<String> succeeded(Instant now) {
    Instant began = since;
    if (began == null) {
      return Optional.empty();
    }
    since = null;
    failures = 0;
    return Optional.of("after " + text(Duration.between(began, now)));
  }

  private static String text(Duration duration) {
    return duration.toSeconds() >= 1 ? duration.toSeconds() + " s" : duration.toMillis() + " ms";
  }
}
