package dev.vertlet.remote.client;

import java.time.Clock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the back end answers, and since when it has said nothing. Confined to one context, except
 * {@link #silenceMillis}.
 */
final class Reachability {
  private static final Logger LOG = LoggerFactory.getLogger(Reachability.class);

  private final Clock clock;
  private final RemoteSettings settings;
  private final Consumer<String> listener;

  /** Milliseconds; read by scraping threads. */
  private volatile long heardAt;

  /** Why it is unreachable; empty if it is reachable, null before the first answer or failure. */
  private @Nullable String problem;

  /**
   * @param listener called with the problem when the back end has become unreachable, with an empty
   *     text when it has become reachable
   */
  Reachability(Clock clock, RemoteSettings settings, Consumer<String> listener) {
    this.clock = clock;
    this.settings = settings;
    this.listener = listener;
    this.heardAt = clock.millis();
  }

  /** Time without a line or an answer. Callable from any thread. */
  long silenceMillis() {
    return Math.max(0, clock.millis() - heardAt);
  }

  boolean silent() {
    return clock.millis() - heardAt >= settings.silence().toMillis();
  }

  /** Why the back end is unreachable; empty if it is reachable. */
  String problem() {
    String known = problem;
    return known == null ? settings.display() + " has not answered yet" : known;
  }

  /** A connection has been made: its silence counts from now on. */
  void connected() {
    heardAt = clock.millis();
  }

  /** The back end has said something. */
  void heard() {
    heardAt = clock.millis();
    if (problem == null || !problem.isEmpty()) {
      if (problem != null) {
        LOG.atInfo().addKeyValue("url", settings.display()).log("the back end answers again");
      }
      problem = "";
      listener.accept("");
    }
  }

  void lost(String why) {
    boolean news = problem == null || problem.isEmpty();
    problem = why;
    if (news) {
      LOG.atWarn()
          .addKeyValue("url", settings.display())
          .addKeyValue("error", why)
          .log("the back end cannot be reached");
      listener.accept(why);
    }
  }
}
