package dev.vertlet.lease;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.LeaseExpiry;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides about one node's lease. Pure except for its own fields: it reads two clocks, and the
 * verticle sends the requests.
 *
 * <p>The wall clock decides about the expiry of another agent's lease (renewTime + duration), so
 * the clocks of two agents must agree to within a quarter of the lease; see {@link LeaseExpiry} for
 * a clock that is behind. The monotonic clock alone decides how long this agent holds its own.
 */
final class NodeLease {
  /** Interval of checks whether the previous agent has handed the lease over. */
  private static final Duration HANDOVER_LOOK = Duration.ofSeconds(1);

  private final String node;
  private final Clock wall;
  private final LongSupplier nanos;

  private LeaseSettings settings;
  private final LeaseHold hold;
  private final RenewalSchedule schedule;
  private LeaseState state = new LeaseState.Unread();
  private final ProviderPings pings = new ProviderPings();

  /** A read found the lease free or held by another client during this agent's hold. */
  private boolean dispossessed;

  /** Why the hold was last lost. */
  private LeaseLoss loss = LeaseLoss.NOT_RENEWED;

  private final RenewTimes renewTimes = new RenewTimes();
  private final LeaseExpiry expiry = new LeaseExpiry();

  /** Agent that is to serve the node; empty if unknown. */
  private String owner;

  /** Whether other agents serve the node at times, with handovers. */
  private boolean shared;

  private boolean busy;
  private boolean serving;
  private int term;
  private int failures;

  /** Whether the back-off of the last failure ends when the server works again. */
  private boolean endsWithReturn;

  private @Nullable String nodeUid;
  private long due;
  private String lastProblem = "";

  NodeLease(
      String node, LeaseSettings settings, Clock wall, LongSupplier nanos, RandomGenerator random) {
    this.node = node;
    this.settings = settings;
    this.owner = settings.identity();
    this.hold = new LeaseHold(settings);
    this.schedule = new RenewalSchedule(settings.options().tick(), random);
    this.wall = wall;
    this.nanos = nanos;
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
    pings.answered(ok, nanos.getAsLong());
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
        lastProblem = "not renewed for " + hold.length(settings).toSeconds() + " s";
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
    return pings.alive(due, settings.pingValidity()) ? LeaseLoss.NOT_RENEWED : LeaseLoss.PROVIDER;
  }

  /** Cause of the loss that {@link #expireHold} last reported. */
  LeaseLoss loss() {
    return loss;
  }

  /** Whether a request to acquire the lease is in progress. */
  boolean taking() {
    return busy && !serving;
  }

  LeaseStep next() {
    return next(() -> true);
  }

  /**
   * Returns the next step.
   *
   * @param turn whether the lease may be written now; called only for an acquisition, not for a
   *     read, a renewal or a handover
   */
  LeaseStep next(BooleanSupplier turn) {
    if (busy) {
      return new LeaseStep.Idle();
    }
    if (!serving && !mine()) {
      return handOver();
    }
    if (!alive()) {
      return serving ? new LeaseStep.Wait(untilHoldEnds()) : new LeaseStep.Idle();
    }
    long wait = due - nanos.getAsLong();
    if (wait > 0) {
      Duration delay = Duration.ofNanos(wait);
      boolean holdFirst = serving && untilHoldEnds().compareTo(delay) < 0;
      return new LeaseStep.Wait(holdFirst ? untilHoldEnds() : delay);
    }
    boolean acquires = !serving && state instanceof LeaseState.Taking;
    return !acquires || turn.getAsBoolean() ? request() : new LeaseStep.Idle();
  }

  private boolean alive() {
    Duration validity = settings.pingValidity();
    if (pings.silent(nanos.getAsLong(), validity)) {
      lastProblem = "no ping was answered for " + validity.toSeconds() + " s";
    }
    return pings.alive(nanos.getAsLong(), validity);
  }

  /** Time until the hold ends; for a separate timer while a request is in flight. */
  Duration untilHoldEnds() {
    return hold.left(settings, nanos.getAsLong());
  }

  private LeaseStep request() {
    busy = true;
    hold.requested(settings, nanos.getAsLong());
    if (state instanceof LeaseState.Taking taking) {
      LeaseRecord taken = renewed(taking.lease());
      return taking.absent() ? new LeaseStep.Create(taken) : new LeaseStep.Update(taken);
    }
    if (state instanceof LeaseState.Held held) {
      return new LeaseStep.Update(renewed(held.lease()));
    }
    return new LeaseStep.Read();
  }

  /** Hands over a lease that was held until now; leaves any other lease alone. */
  private LeaseStep handOver() {
    if (owner.isEmpty() || !(state instanceof LeaseState.Held held) || untilHoldEnds().isZero()) {
      state = new LeaseState.Unread();
      return new LeaseStep.Idle();
    }
    long wait = due - nanos.getAsLong();
    if (wait > 0) {
      return new LeaseStep.Wait(Duration.ofNanos(wait));
    }
    busy = true;
    LeaseRecord given =
        held.lease().handedTo(owner, node, nodeUid, settings.duration(), wall.instant());
    renewTimes.attempted(given);
    return new LeaseStep.HandOver(given);
  }

  void handedOver() {
    busy = false;
    renewTimes.givenUp();
    state = new LeaseState.Unread();
    due = nanos.getAsLong();
  }

  private LeaseRecord renewed(LeaseRecord lease) {
    LeaseRecord renewed =
        lease.renewed(node, settings.identity(), nodeUid, settings.duration(), wall.instant());
    renewTimes.attempted(renewed);
    return renewed;
  }

  void read(LeaseRecord lease) {
    busy = false;
    failures = 0;
    boolean sameIdentity = lease.lastHeldBy(node, settings.identity());
    boolean ours = sameIdentity && (lease.handedOver() || !renewTimes.hasTwin(lease));
    String holder =
        sameIdentity
            ? "another agent with the identity " + settings.identity()
            : lease.describeHolder();
    expiry.observed(lease.renewed(), nanos.getAsLong());
    Duration left = expiry.left(lease.duration(), wall.instant(), nanos.getAsLong());
    if (!ours) {
      term++;
      dispossessed = serving;
      lastProblem = holder + " had the lease";
    }
    // after a handover the previous agent has stopped and the next one has not started
    boolean free = lease.released() || lease.handedOver() || left.isZero();
    if (ours || free) {
      renewTimes.found(lease);
      state = new LeaseState.Taking(lease, false);
      due = nanos.getAsLong();
    } else {
      state = new LeaseState.Foreign(holder, wall.instant().plus(left));
      lastProblem = holder + " holds the lease";
      Duration delay = shared && left.compareTo(HANDOVER_LOOK) > 0 ? HANDOVER_LOOK : left;
      due = nanos.getAsLong() + delay.toNanos();
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
    long sentAt = hold.renewed();
    renewTimes.written(lease);
    lastProblem = "";
    state = new LeaseState.Held(lease);
    due = hold.isWith(settings) ? schedule.next(settings.options(), sentAt) : nanos.getAsLong();
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

  void failed(KubeException failure) {
    busy = false;
    failures++;
    endsWithReturn = failure.endsWithReturn();
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
    Duration delay = atOnce ? Duration.ZERO : schedule.retry(failures, failure);
    due = nanos.getAsLong() + delay.toNanos();
  }

  /**
   * Repeats a failed request now if the server's return ends its back-off: the server works again.
   */
  void serverReturned() {
    if (failures > 0 && !busy && endsWithReturn) {
      failures = 0;
      due = nanos.getAsLong();
    }
  }

  RenewTimes renewTimes() {
    return renewTimes;
  }

  /** Body that releases the lease, or null if there is nothing to release. */
  @Nullable Buffer release() {
    return state instanceof LeaseState.Held held && serving ? held.lease().release() : null;
  }
}
