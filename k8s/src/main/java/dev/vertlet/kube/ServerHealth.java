package dev.vertlet.kube;

import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the API server is there and lets us in, and the few log lines about it. A lost connection
 * is nothing to talk about when the next one opens: what counts is that none opens, or that one is
 * open and nobody answers. Confined to the client's context.
 */
final class ServerHealth {
  private static final Logger LOG = LoggerFactory.getLogger(KubeClient.class);

  private final String server;
  private final Clock clock;
  private final Outage connection;
  private final Outage login;
  private final Set<Runnable> onReturn = new LinkedHashSet<>();
  private long lastAnswerNanos = System.nanoTime();
  private boolean away;
  private volatile boolean reachable; // written on the client's loop, read by any thread

  ServerHealth(String server, Clock clock) {
    this.server = server;
    this.clock = clock;
    this.connection = new Outage("API server " + server + " is unreachable");
    this.login = new Outage("API server " + server + " refuses our credentials");
  }

  /** True from the first answer on, false while nothing gets through. */
  boolean reachable() {
    return reachable;
  }

  /**
   * Called whenever the server answers well again after an outage. One that starts up answers
   * nothing but errors at first: who hurried back for those would only wait longer for it.
   */
  void onReturn(Runnable listener) {
    onReturn.add(listener);
  }

  void offReturn(Runnable listener) {
    onReturn.remove(listener);
  }

  /** No connection could be opened. */
  void unreachable(KubeException failure) {
    reachable = false;
    away = true;
    connection.failed(clock.instant(), failure.getMessage()).ifPresent(LOG::warn);
  }

  /**
   * A request got no answer in time.
   *
   * @param startedNanos when it was sent; the server is away when nothing was answered since
   */
  void silent(KubeException failure, long startedNanos) {
    if (lastAnswerNanos - startedNanos < 0) {
      unreachable(failure);
    }
  }

  /**
   * The server answered something.
   *
   * @param status HTTP status
   * @param well whether it did, or could have done, what was asked
   */
  void answered(int status, boolean well) {
    lastAnswerNanos = System.nanoTime();
    if (status != 401) {
      login
          .succeeded(clock.instant())
          .ifPresent(line -> LOG.info("API server {} lets us in again: {}", server, line));
    }
    reachable = true;
    connection
        .succeeded(clock.instant())
        .ifPresent(line -> LOG.info("API server {} is back {}", server, line));
    if (away && well) {
      away = false;
      List.copyOf(onReturn).forEach(Runnable::run);
    }
  }

  /** A 401 that fresh credentials did not help. */
  void refused(KubeException failure) {
    login.failed(clock.instant(), failure.getMessage()).ifPresent(LOG::warn);
  }
}
