package dev.vertlet.kube.client;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.Outage;
import dev.vertlet.kube.ReturnGate;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks whether the API server is reachable and accepts our credentials, and logs changes
 * sparingly. A lost connection is not logged if the next one opens: an outage means that no
 * connection opens, or that an open one gets no answers. Confined to the client's context.
 */
final class ServerHealth {
  private static final Logger LOG = LoggerFactory.getLogger(KubeClient.class);

  private final String server;
  private final Clock clock;
  private final Outage connection;
  private final Outage login;
  private final Set<Runnable> onReturn = new LinkedHashSet<>();
  private final BiConsumer<Duration, Runnable> timer;
  private final ReturnGate gate = new ReturnGate();
  private long lastAnswerNanos = System.nanoTime();
  private boolean works;
  private volatile boolean reachable; // written on the client's loop, read by any thread

  /**
   * Creates the health of a server that has not answered yet.
   *
   * @param timer runs a task after a delay above zero, on the client's context
   */
  ServerHealth(String server, Clock clock, BiConsumer<Duration, Runnable> timer) {
    this.server = server;
    this.clock = clock;
    this.timer = timer;
    this.connection = new Outage("API server " + server + " is unreachable");
    this.login = new Outage("API server " + server + " refuses our credentials");
  }

  /** True from the first answer on; false while no request gets through. */
  boolean reachable() {
    return reachable;
  }

  /**
   * Calls {@code listener} whenever the server works again: after an outage, after it refused the
   * credentials, after errors of its own (5xx). A starting server answers with errors at first:
   * callers that returned on those would only prolong its start.
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
    troubled();
    connection.failed(clock.instant(), failure.getMessage()).ifPresent(LOG::warn);
  }

  /**
   * A request timed out.
   *
   * @param startedNanos when it was sent; the server counts as unreachable if it has answered
   *     nothing since
   */
  void silent(KubeException failure, long startedNanos) {
    if (lastAnswerNanos - startedNanos < 0) {
      unreachable(failure);
    }
  }

  /**
   * A request that was sent got no answer. Not logged, and no outage while the next connection
   * opens: what waits in back-off for the lost answer may nevertheless try again with the next
   * success.
   */
  void unanswered() {
    troubled();
  }

  /**
   * The server answered a request.
   *
   * @param status HTTP status
   * @param well whether the answer shows a working server
   */
  void answered(int status, boolean well) {
    lastAnswerNanos = System.nanoTime();
    if (status != 401) {
      login
          .succeeded(clock.instant())
          .ifPresent(
              line -> LOG.info("API server {} accepts the credentials again: {}", server, line));
    }
    reachable = true;
    connection
        .succeeded(clock.instant())
        .ifPresent(line -> LOG.info("API server {} is back {}", server, line));
    if (well) {
      works = true;
      gate.succeeded(clock.instant()).ifPresent(this::returned);
    } else if (status >= 500) {
      troubled();
    }
  }

  private void troubled() {
    works = false;
    gate.failed();
  }

  private void returned(Duration delay) {
    if (delay.isZero()) {
      tellReturn();
    } else {
      timer.accept(delay, this::tellReturn);
    }
  }

  private void tellReturn() {
    if (gate.due(clock.instant(), works)) {
      List.copyOf(onReturn).forEach(Runnable::run);
    }
  }

  /** The credentials were refused, and there are no fresh ones or they were refused, too. */
  void refused(KubeException failure) {
    troubled();
    login.failed(clock.instant(), failure.getMessage()).ifPresent(LOG::warn);
  }
}
