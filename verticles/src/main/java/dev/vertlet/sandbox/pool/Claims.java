package dev.vertlet.sandbox.pool;

import dev.vertlet.loop.CoreLoop;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The claims that have no pod yet, in line, each with its deadline. Confined to its loop. */
final class Claims {
  /** agentbox's. Beyond it, waiting would only make a late answer of a quick one. */
  static final int CAPACITY = 8192;

  private final CoreLoop loop;
  private final Clock clock;
  private final PoolMeters meters;
  private final Runnable arrived;
  private final Deque<Claim> line = new ArrayDeque<>();
  private final Map<String, Claim> byId = new HashMap<>();

  /**
   * @param arrived called when there is one to serve
   */
  Claims(CoreLoop loop, Clock clock, PoolMeters meters, Runnable arrived) {
    this.loop = loop;
    this.clock = clock;
    this.meters = meters;
    this.arrived = arrived;
  }

  /** How many wait in line. */
  int waiting() {
    return line.size();
  }

  Future<Sandbox> add(ClaimRequest request, Duration patience) {
    Claim known = byId.get(request.id());
    if (known != null && !known.over) {
      return known.promise.future();
    }
    if (known != null || line.size() >= CAPACITY) {
      SandboxException full =
          new SandboxException(
              Reason.QUEUE_FULL,
              known != null
                  ? "a claim with id \"" + request.id() + "\" is being taken back"
                  : Reason.QUEUE_FULL.text());
      meters.refused(full);
      return Future.failedFuture(full);
    }
    Claim claim = new Claim(request, clock.millis());
    byId.put(request.id(), claim);
    claim.timer = loop.setTimer(Math.max(1, patience.toMillis()), () -> expire(claim));
    line.addLast(claim);
    arrived.run();
    return claim.promise.future();
  }

  /** Whether one with this id has no pod yet. */
  boolean knows(String id) {
    return byId.containsKey(id);
  }

  /** A pod has turned up that serves this claim already; one that is being written for decides. */
  boolean found(String id, Sandbox sandbox) {
    Claim claim = byId.get(id);
    boolean waits = claim != null && !claim.writing && !claim.over;
    if (claim != null && waits) {
      line.remove(claim);
      succeeded(claim, sandbox);
    }
    return waits;
  }

  /** The one that waits longest. */
  Optional<Claim> next() {
    return Optional.ofNullable(line.pollFirst());
  }

  /** Had no luck with its pod: it is the next one again, if anybody waits for it. */
  void again(Claim claim) {
    if (claim.over) {
      failed(claim, new SandboxException(Reason.NO_IDLE_PODS));
    } else {
      line.addFirst(claim);
      loop.later(arrived);
    }
  }

  void succeeded(Claim claim, Sandbox sandbox) {
    settle(claim);
    if (claim.promise.tryComplete(sandbox)) {
      meters.claimed(Duration.ofMillis(Math.max(0, clock.millis() - claim.begun)));
    }
  }

  void failed(Claim claim, Throwable why) {
    settle(claim);
    if (claim.promise.tryFail(why)) {
      meters.refused(why);
    }
  }

  private void settle(Claim claim) {
    claim.over = true;
    loop.cancelTimer(claim.timer);
    byId.remove(claim.request.id(), claim);
  }

  /** A write that is on its way is waited for: it may be the answer. */
  private void expire(Claim claim) {
    claim.over = true;
    if (!claim.writing) {
      line.remove(claim);
      failed(claim, new SandboxException(Reason.NO_IDLE_PODS));
    }
  }

  /** Whether there was such a claim. */
  boolean cancel(String id) {
    Claim claim = byId.get(id);
    if (claim == null) {
      return false;
    }
    claim.cancelled = true;
    expire(claim);
    if (claim.writing && claim.promise.tryFail(new SandboxException(Reason.NO_IDLE_PODS))) {
      meters.refused(new SandboxException(Reason.NO_IDLE_PODS));
    }
    return true;
  }

  void drain() {
    for (Claim claim : List.copyOf(byId.values())) {
      expire(claim);
    }
  }
}
