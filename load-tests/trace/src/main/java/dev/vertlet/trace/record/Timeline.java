package dev.vertlet.trace.record;

import dev.vertlet.trace.TraceEvent;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Offsets of a trace: of now, and of times that the API server has written. */
final class Timeline {
  /**
   * The API server's times are whole seconds, so a change is seen up to 1 s after its time, and a
   * watch may be late by about as much again.
   */
  private static final long NEAR_MILLIS = 2000;

  private final Instant started;
  private final Consumer<TraceEvent> out;
  private long now;
  private boolean live;

  /**
   * @param out receives events whose offsets never decrease
   */
  Timeline(Instant started, Consumer<TraceEvent> out) {
    this.started = started;
    this.out = out;
  }

  /** Returns the offset of a time; negative before the start. */
  long of(Instant time) {
    return Duration.between(started, time).toMillis();
  }

  /** Sets the time of what is recorded from now on. A clock that goes back stops the timeline. */
  void advance(Instant time) {
    advance(of(time));
  }

  void advance(long offset) {
    now = Math.max(now, offset);
  }

  /** From now on changes are seen when they happen. */
  void live() {
    live = true;
  }

  boolean isLive() {
    return live;
  }

  long now() {
    return now;
  }

  /** Returns the better of two offsets: of the API server's own time and of now. */
  long better(@Nullable Instant stamp) {
    if (stamp == null) {
      return now;
    }
    long stamped = of(stamp);
    return live && Math.abs(now - stamped) <= NEAR_MILLIS ? now : stamped;
  }

  void emit(TraceEvent event) {
    out.accept(event);
  }

  /** Returns 8 bytes of a hash as 11 characters. */
  static String digest(String text) {
    try {
      byte[] full =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      byte[] part = Arrays.copyOf(full, 8);
      return Base64.getUrlEncoder().withoutPadding().encodeToString(part);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
