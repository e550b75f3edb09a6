package dev.vertlet.sandbox.pool;

import dev.vertlet.loop.CoreLoop;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import dev.vertlet.sandbox.pool.Claim.Waiter;
import dev.vertlet.sandbox.pool.claim.ClaimRequest;
import dev.vertlet.sandbox.pool.claim.PendingClaim;
import dev.vertlet.sandbox.pool.claim.Sandbox;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Queue of the claims without a pod, and the requests that wait for each, with their deadlines.
 * Confined to its loop.
 */
final class Claims {
  /** agentbox's limit. A longer queue would only delay an answer that can be given immediately. */
  static final int CAPACITY = 8192;

  private final CoreLoop loop;
  private final Clock clock;
  private final PoolMeters meters;
  private final Runnable arrived;
  private final Deque<Claim> line = new ArrayDeque<>();
  private final Map<String, Claim> byId = new HashMap<>();

  /**
   * Creates an empty queue.
   *
   * @param arrived called when there is a claim to serve
   */
  Claims(CoreLoop loop, Clock clock, PoolMeters meters, Runnable arrived) {
    this.loop = loop;
    this.clock = clock;
    this.meters = meters;
    this.arrived = arrived;
  }

  /** Number of claims in the queue. */
  int waiting() {
    return line.size();
  }

  /**
   * Adds a request to the claim of its id, or begins that claim. Each request has its own deadline.
   */
  PendingClaim add(ClaimRequest request, Duration patience) {
    Claim known = byId.get(request.id());
    if (known != null && !known.over) {
      return join(known, patience);
    }
    if (known != null || line.size() >= CAPACITY) {
      SandboxException full =
          new SandboxException(
              Reason.QUEUE_FULL,
              known != null
                  ? "a claim with id \"" + request.id() + "\" is being taken back"
                  : Reason.QUEUE_FULL.text());
      meters.refused(full);
      return PendingClaim.answered(Future.failedFuture(full));
    }
    Claim claim = new Claim(request, clock.millis());
    byId.put(request.id(), claim);
    PendingClaim first = join(claim, patience);
    line.addLast(claim);
    arrived.run();
    return first;
  }

  private PendingClaim join(Claim claim, Duration patience) {
    Waiter waiter = new Waiter();
    waiter.timer = loop.setTimer(Math.max(1, patience.toMillis()), () -> expire(claim, waiter));
    claim.waiters.add(waiter);
    return new PendingClaim(waiter.promise.future(), () -> leave(claim, waiter));
  }

  /** Whether a claim with this id has no pod yet. */
  boolean knows(String id) {
    return byId.containsKey(id);
  }

  /**
   * Completes a claim that an existing pod serves already; false if a write for the claim is in
   * progress, which then decides.
   */
  boolean found(String id, Sandbox sandbox) {
    Claim claim = byId.get(id);
    boolean waits = claim != null && !claim.writing && !claim.over;
    if (claim != null && waits) {
      line.remove(claim);
      succeeded(claim, sandbox);
    }
    return waits;
  }

  /** Takes the oldest claim. */
  Optional<Claim> next() {
    return Optional.ofNullable(line.pollFirst());
  }

  /**
   * Puts a claim back at the head of the queue after its pod was lost, if a request still waits for
   * it.
   */
  void again(Claim claim) {
    if (claim.over) {
      failed(claim, new SandboxException(Reason.NO_IDLE_PODS));
    } else {
      List.copyOf(claim.waiters).stream()
          .filter(waiter -> waiter.late)
          .forEach(waiter -> refuse(claim, waiter, new SandboxException(Reason.NO_IDLE_PODS)));
      line.addFirst(claim);
      loop.later(arrived);
    }
  }

  void succeeded(Claim claim, Sandbox sandbox) {
    List<Waiter> answered = settle(claim);
    answered.forEach(waiter -> waiter.promise.complete(sandbox));
    if (!answered.isEmpty()) {
      meters.claimed(Duration.ofMillis(Math.max(0, clock.millis() - claim.begun)));
    }
  }

  void failed(Claim claim, Throwable why) {
    for (Waiter waiter : settle(claim)) {
      meters.refused(why);
      waiter.promise.fail(why);
    }
  }

  /** Ends a claim; returns the requests to answer. */
  private List<Waiter> settle(Claim claim) {
    claim.over = true;
    byId.remove(claim.request.id(), claim);
    List<Waiter> left = List.copyOf(claim.waiters);
    claim.waiters.clear();
    left.forEach(waiter -> loop.cancelTimer(waiter.timer));
    return left;
  }

  private void refuse(Claim claim, Waiter waiter, SandboxException why) {
    claim.waiters.remove(waiter);
    meters.refused(why);
    waiter.promise.fail(why);
  }

  /** Handles a passed deadline; a write in progress may still answer the request. */
  private void expire(Claim claim, Waiter waiter) {
    waiter.late = true;
    if (!claim.writing) {
      refuse(claim, waiter, new SandboxException(Reason.NO_IDLE_PODS));
    }
    endUnlessAwaited(claim);
  }

  /** Removes one request; other requests with its id continue. */
  private void leave(Claim claim, Waiter waiter) {
    if (!claim.waiters.remove(waiter)) {
      return; // answered already
    }
    loop.cancelTimer(waiter.timer);
    meters.refused(new SandboxException(Reason.NO_IDLE_PODS));
    waiter.promise.fail(new SandboxException(Reason.NO_IDLE_PODS));
    claim.cancelled = claim.waiters.isEmpty();
    endUnlessAwaited(claim);
  }

  private void endUnlessAwaited(Claim claim) {
    if (!claim.awaited()) {
      claim.over = true;
      if (!claim.writing) {
        line.remove(claim);
        settle(claim);
      }
    }
  }

  /** Cancels a claim and fails its requests; returns whether it exists. */
  boolean cancel(String id) {
    Claim claim = byId.get(id);
    if (claim == null) {
      return false;
    }
    claim.cancelled = true;
    end(claim);
    return true;
  }

  private void end(Claim claim) {
    List<Waiter> waiting = List.copyOf(claim.waiters);
    waiting.forEach(
        waiter -> {
          loop.cancelTimer(waiter.timer);
          refuse(claim, waiter, new SandboxException(Reason.NO_IDLE_PODS));
        });
    endUnlessAwaited(claim);
  }

  /** Fails all requests, except those that a write in progress may still answer. */
  void drain() {
    for (Claim claim : List.copyOf(byId.values())) {
      List.copyOf(claim.waiters).forEach(waiter -> expire(claim, waiter));
    }
  }
}
