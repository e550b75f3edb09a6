package dev.vertlet.lease;

import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides about one node's lease. Pure except for its own fields: it reads two clocks, and the
 * verticle sends the requests.
 *
 * <p>The wall clock decides about the expiry of another agent's lease (renewTime + duration), so
 * the clocks of two agents must agree to within a quarter of the lease. The monotonic clock alone
 * decides how long this agent holds its own.
 */
final class NodeLease {
  /** Next step of the verticle. */
  sealed interface Step {
    record Read() implements Step {}

    /** Create {@code lease}, which does not exist. */
    record Create(LeaseRecord lease) implements Step {}

    /** Replace the version of the lease that {@code lease} contains. */
    record Update(LeaseRecord lease) implements Step {}

    /** Write {@code lease}, which belongs to another agent from then on. */
    record HandOver(LeaseRecord lease) implements Step {}

    /** Do nothing before {@code delay} has passed. */
    record Wait(Duration delay) implements Step {}

    /** Do nothing before an event: a request's answer, a ping, or a turn. */
    record Idle() implements Step {}
  }

  /**
   * 200 ms doubling to 7 s, as kubelets retry a lease; with jitter, so that a thousand nodes do not
   * retry together.
   */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), Duration.ofSeconds(7), 2, 0.2);

  /**
   * Up to 4 % less than 10 s spreads the nodes; intervals are never longer than configured, except
   * by the duration of a request.
   */
  private static final double JITTER = 0.04;

  /** Interval of checks whether the previous agent has handed the lease over. */
  private static final Duration HANDOVER_LOOK = Duration.ofSeconds(1);

  private final String node;
  private final Duration tick;
  private final Clock wall;
  private final LongSupplier nanos;
  private final RandomGenerator random;

  private LeaseSettings settings;

  /** Options of the last request. */
  private LeaseSettings sent;

  /** Options with the shortest duration that the server's lease may have. */
  private LeaseSettings held;

  private LeaseState state = new LeaseState.Unread();
  private boolean pinged;
  private long pingedAt;

  /** A read found the lease free or held by another client during this agent's hold. */
  private boolean dispossessed;

  /** Why the hold was last lost. */
  private LeaseLoss loss = LeaseLoss.NOT_RENEWED;

  /** {@code renewTime} of the last successful write of this process and of later attempts. */
  private final Set<String> renewals = new HashSet<>();

  /** Agent that is to serve the node; empty if unknown. */
  private String owner;

  /** Whether other agents serve the node at times, with handovers. */
  private boolean shared;

  private boolean busy;
  private boolean serving;
  private int term;
  private boolean firstRenewal = true;
  private int failures;
  private @Nullable String nodeUid;
  private long requestStart;
  private long lastRenewal;
  private long due;
  private String lastProblem = "";

  NodeLease(
      String node, LeaseSettings settings, Clock wall, LongSupplier nanos, RandomGenerator random) {
    this.node = node;
    this.settings = settings;
    this.owner = settings.identity();
    this.sent = settings;
    this.held = settings;
    this.tick = settings.options().tick();
    this.wall = wall;
    this.nanos = nanos;
    this.random = random;
    this.due = nanos.getAsLong();
  }

  String node() {
    return node;
  }

  /** Whether this agent may write to the node's objects. */
  boolean serving() {
    return serving;
  }

  /** Increases whenever another agent may have served the node. */
  int term() {
    return term;
  }

  LeaseState state() {
    return state;
  }

  String lastProblem() {
    return lastProblem;
  }

  void pinged(boolean ok, String message) {
    pinged = ok;
    pingedAt = nanos.getAsLong();
    if (!ok) {
      lastProblem = "ping failed: " + message;
    }
  }

  /**
   * Changes the times; a held lease is renewed immediately. Until the renewal is answered, the
   * shorter of both holds applies: only this agent knows the new one.
   *
   * @param now with the same identity
   */
  void configure(LeaseSettings now) {
    if (!now.equals(settings)) {
      settings = now;
      if (state instanceof LeaseState.Held) {
        due = nanos.getAsLong();
      }
    }
  }

  /** Timeout of a request with the current times. */
  Duration requestTimeout() {
    return settings.options().requestTimeout();
  }

  /**
   * Sets the agent that is to serve the node. If it is another one, a held lease is handed over; a
   * lease that is not held is left alone.
   *
   * @param identity of an agent; empty if unknown, which does not affect a held lease
   */
  void assign(String identity) {
    shared = true;
    if (!identity.equals(owner)) {
      owner = identity;
      due = nanos.getAsLong();
      failures = 0;
    }
  }

  /** Whether agents regularly take the node over from each other, which needs no warning. */
  boolean shared() {
    return shared;
  }

  private boolean mine() {
    return owner.equals(settings.identity());
  }

  /**
   * Ends the service before a handover. If true, the caller must first make the other verticles
   * stop writing.
   */
  boolean leave() {
    if (serving && !mine() && !owner.isEmpty() && !busy) {
      serving = false;
      term++;
      lastProblem = "handed over to agent " + owner;
      due = nanos.getAsLong();
      return true;
    }
    return false;
  }

  /**
   * Sets the node's UID for the next renewal. A renewal is due immediately if the lease names
   * another UID, with which the server's garbage collection would delete it.
   */
  void nodeIs(String uid) {
    nodeUid = uid;
    if (state instanceof LeaseState.Held held && held.lease().ownedByOther(uid)) {
      due = nanos.getAsLong();
    }
  }

  /**
   * Ends the service if the hold has run out or another client has the lease. If true, the caller
   * informs the other verticles.
   */
  boolean expireHold() {
    if (serving && (dispossessed || untilHoldEnds().isZero())) {
      serving = false;
      term++;
      if (lastProblem.isEmpty()) {
        lastProblem = "not renewed for " + holdFor().toSeconds() + " s";
      }
      loss = dispossessed ? LeaseLoss.TAKEN : lossWithoutRenewal();
      state = dispossessed ? state : new LeaseState.Unread();
      dispossessed = false;
      return true;
    }
    return false;
  }

  /**
   * Judges by the time at which the renewal was due: a process that was paused received no pings,
   * either.
   */
  private LeaseLoss lossWithoutRenewal() {
    boolean silent = due - pingedAt > settings.pingValidity().toNanos();
    return pinged && !silent ? LeaseLoss.NOT_RENEWED : LeaseLoss.PROVIDER;
  }

  /** Cause of the loss that {@link #expireHold} last reported. */
  LeaseLoss loss() {
    return loss;
  }

  /** Whether a request to acquire the lease is in progress. */
  boolean taking() {
    return busy && !serving;
  }

  Step next() {
    return next(() -> true);
  }

  /**
   * Returns the next step.
   *
   * @param turn whether the lease may be acquired now; called only for an acquisition, not for a
   *     renewal or a handover
   */
  Step next(BooleanSupplier turn) {
    if (busy) {
      return new Step.Idle();
    }
    if (!serving && !mine()) {
      return handOver();
    }
    if (!alive()) {
      return serving ? new Step.Wait(untilHoldEnds()) : new Step.Idle();
    }
    long wait = due - nanos.getAsLong();
    if (wait > 0) {
      Duration delay = Duration.ofNanos(wait);
      boolean holdFirst = serving && untilHoldEnds().compareTo(delay) < 0;
      return new Step.Wait(holdFirst ? untilHoldEnds() : delay);
    }
    return serving || turn.getAsBoolean() ? request() : new Step.Idle();
  }

  /**
   * Whether the provider is alive. The node verticle reports every ping: silence means that not
   * even the ping's timeout was reported, because the provider blocks their thread.
   */
  private boolean alive() {
    if (!pinged) {
      return false;
    }
    boolean silent = nanos.getAsLong() - pingedAt > settings.pingValidity().toNanos();
    if (silent) {
      lastProblem = "no ping was answered for " + settings.pingValidity().toSeconds() + " s";
    }
    return !silent;
  }

  /** Time until the hold ends; for a separate timer while a request is in flight. */
  Duration untilHoldEnds() {
    long left = holdFor().toNanos() - (nanos.getAsLong() - lastRenewal);
    return Duration.ofNanos(Math.max(left, 0));
  }

  private Duration holdFor() {
    return shorter(settings, held).options().holdFor();
  }

  private static LeaseSettings shorter(LeaseSettings one, LeaseSettings other) {
    return one.duration().compareTo(other.duration()) < 0 ? one : other;
  }

  private Step request() {
    busy = true;
    requestStart = nanos.getAsLong();
    sent = settings;
    held = shorter(sent, held); // the write may succeed even without an answer
    if (state instanceof LeaseState.Taking taking) {
      LeaseRecord taken = renewed(taking.lease());
      return taking.absent() ? new Step.Create(taken) : new Step.Update(taken);
    }
    if (state instanceof LeaseState.Held held) {
      return new Step.Update(renewed(held.lease()));
    }
    return new Step.Read();
  }

  /** Hands over a lease that was held until now; leaves any other lease alone. */
  private Step handOver() {
    if (owner.isEmpty() || !(state instanceof LeaseState.Held held) || untilHoldEnds().isZero()) {
      state = new LeaseState.Unread();
      return new Step.Idle();
    }
    long wait = due - nanos.getAsLong();
    if (wait > 0) {
      return new Step.Wait(Duration.ofNanos(wait));
    }
    busy = true;
    return new Step.HandOver(
        held.lease().handedTo(owner, node, nodeUid, settings.duration(), wall.instant()));
  }

  void handedOver() {
    busy = false;
    renewals.clear();
    state = new LeaseState.Unread();
    due = nanos.getAsLong();
  }

  private LeaseRecord renewed(LeaseRecord lease) {
    LeaseRecord renewed =
        lease.renewed(node, settings.identity(), nodeUid, settings.duration(), wall.instant());
    renewals.add(renewed.renewTime());
    return renewed;
  }

  /**
   * Whether another process has renewed the lease under this agent's identity since this process
   * did. A starting agent takes the lease of its own identity immediately, as its predecessor may
   * be dead; a living predecessor detects this here and leaves the node to its successor.
   */
  private boolean hasTwin(LeaseRecord lease) {
    return !renewals.isEmpty() && !renewals.contains(lease.renewTime());
  }

  void read(LeaseRecord lease) {
    busy = false;
    failures = 0;
    boolean sameIdentity = lease.lastHeldBy(node, settings.identity());
    boolean ours = sameIdentity && (lease.handedOver() || !hasTwin(lease));
    String holder =
        sameIdentity
            ? "another agent with the identity " + settings.identity()
            : lease.describeHolder();
    Instant now = wall.instant();
    if (!ours) {
      term++;
      dispossessed = serving;
      lastProblem = holder + " had the lease";
    }
    // after a handover the previous agent has stopped and the next one has not started
    boolean free = lease.released() || lease.handedOver() || !lease.expiry().isAfter(now);
    if (ours || free) {
      state = new LeaseState.Taking(lease, false);
      due = nanos.getAsLong();
    } else {
      state = new LeaseState.Foreign(holder, lease.expiry());
      lastProblem = holder + " holds the lease";
      long left = Duration.between(now, lease.expiry()).toNanos() + 1;
      due = nanos.getAsLong() + (shared ? Math.min(left, HANDOVER_LOOK.toNanos()) : left);
    }
  }

  void absent() {
    busy = false;
    state = new LeaseState.Taking(LeaseRecord.create(node), true);
    due = nanos.getAsLong();
  }

  /**
   * A write was accepted.
   *
   * @return true if this agent serves the node from now on and did not before
   */
  boolean written(LeaseRecord lease) {
    busy = false;
    failures = 0;
    lastRenewal = requestStart;
    renewals.clear();
    renewals.add(lease.renewTime());
    lastProblem = "";
    state = new LeaseState.Held(lease);
    held = sent;
    due = sent.equals(settings) ? nextRenewal(requestStart + interval()) : nanos.getAsLong();
    if (!serving && untilHoldEnds().isZero()) {
      // an answer this late, after a pause of the process, does not show who holds the lease now
      state = new LeaseState.Unread();
      due = nanos.getAsLong();
      return false;
    }
    boolean acquired = !serving;
    serving = true;
    return acquired;
  }

  /** Rounds down to a tick, so that the renewals of many nodes leave together. */
  private long nextRenewal(long at) {
    return at - Math.floorMod(at, tick.toNanos());
  }

  private long interval() {
    double base = settings.options().renewInterval().toNanos();
    if (firstRenewal) {
      // spreads the renewals of nodes that start together
      firstRenewal = false;
      return (long) (base * (0.3 + 0.7 * random.nextDouble()));
    }
    return (long) (base * (1 - JITTER * random.nextDouble()));
  }

  void failed(KubeException failure) {
    busy = false;
    failures++;
    lastProblem = failure.getMessage() == null ? failure.kind().name() : failure.getMessage();
    boolean reread =
        switch (failure.kind()) {
          case CONFLICT, ALREADY_EXISTS, NOT_FOUND, EXPIRED, DECODE -> true;
          default -> false;
        };
    // regardless of earlier failures: if only a renewal's answer was lost, the read must find it
    // before the hold runs out
    boolean atOnce = reread && !(state instanceof LeaseState.Unread);
    if (reread) {
      state = new LeaseState.Unread();
    }
    Duration delay = atOnce ? Duration.ZERO : BACKOFF.delay(failures, random, failure);
    due = nanos.getAsLong() + delay.toNanos();
  }

  /** Body that releases the lease, or null if there is nothing to release. */
  @Nullable Buffer release() {
    return state instanceof LeaseState.Held held && serving ? held.lease().release() : null;
  }
}
