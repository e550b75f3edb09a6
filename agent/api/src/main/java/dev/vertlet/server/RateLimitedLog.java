package dev.vertlet.server;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/** Limits log lines about a client-caused event to one a minute. Confined to one context. */
public final class RateLimitedLog {
  private static final long EACH = Duration.ofMinutes(1).toNanos();

  private final Logger log;
  private final String message;
  private final LongSupplier nanos;
  private long written;
  private boolean any;
  private long omitted;

  /**
   * @param message constant text of the line
   * @param nanos monotonic nanoseconds
   */
  public RateLimitedLog(Logger log, String message, LongSupplier nanos) {
    this.log = log;
    this.message = message;
    this.nanos = nanos;
  }

  /**
   * Counts an event, and logs it unless there was a line within the last minute. The stack trace is
   * logged at level debug.
   *
   * @param client address of the client
   */
  public void warn(String client, Throwable failure) {
    log.debug(message, failure);
    warn(client, String.valueOf(failure));
  }

  /** Does the same for an event without an exception. */
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
