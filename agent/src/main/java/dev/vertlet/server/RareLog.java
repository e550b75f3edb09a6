package dev.vertlet.server;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * Writes at most one line a minute of one kind, for what clients can bring about as often as they
 * like. Confined to one context.
 */
public final class RareLog {
  private static final long EACH = Duration.ofMinutes(1).toNanos();

  private final Logger log;
  private final String message;
  private final LongSupplier nanos;
  private long written;
  private boolean any;
  private long omitted;

  /**
   * @param message what happened, the same each time
   * @param nanos monotonic nanoseconds
   */
  public RareLog(Logger log, String message, LongSupplier nanos) {
    this.log = log;
    this.message = message;
    this.nanos = nanos;
  }

  /**
   * Counts one, and writes it down unless there was a line within the last minute. The stack trace
   * is for level debug.
   *
   * @param client its address
   */
  public void warn(String client, Throwable failure) {
    log.debug(message, failure);
    warn(client, String.valueOf(failure));
  }

  /** As the other one, for what is no exception. */
  public void warn(String client, String error) {
    long now = nanos.getAsLong();
    if (any && now - written < EACH) {
      omitted++;
      return;
    }
    log.atWarn()
        .addKeyValue("client", client)
        .addKeyValue("error", error)
        .addKeyValue("omitted", omitted)
        .log(message);
    any = true;
    written = now;
    omitted = 0;
  }
}
