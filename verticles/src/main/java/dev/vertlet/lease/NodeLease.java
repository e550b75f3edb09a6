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
 * Decides what to do about one node's lease. Pure but for its own fields: time comes from the two
 * clocks, requests are made by the verticle.
 *
 * <p>Expiry of somebody else's lease is judged by the wall clock (renewTime + duration), so the
 * clocks of two agents must agree to within a quarter of the lease. How long this agent holds its
 * own is judged by the monotonic clock alone.
 */
final class NodeLease {
  /** What the verticle shall do next. */
  sealed interface Step {
    record Read() implements Step {}

    /** Write {@code lease}, which does not exist. */
    record Create(LeaseRecord lease) implements Step {}

    /** Write {@code lease} over the version it names. */
    record Update(LeaseRecord lease) implements Step {}

    /** Write {@code lease}, which is another agent's from then on. */
    record HandOver(LeaseRecord lease) implements Step {}

    /** Nothing before {@code delay} has passed. */
    record Wait(Duration delay) implements Step {}

    /** Nothing before an event: a request's answer, a ping, or a turn. */
    record Idle() implements Step {}
  }

  /**
   * 200 ms doubling to 7 s, as kubelets retry a lease; jittered so that a thousand nodes do not
   * retry together.
   */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), Duration.ofSeconds(7), 2, 0.2);

  /**
   * Up to 4 % less than 10 s drifts a crowd of nodes apart, and leaves what a request takes as the
   * only thing that can make two renewals come later than the interval says.
   */
  private static final double JITTER = 0.04;

  /** How often is looked whether an agent that shall hand a lease over has done so. */
  private static final Duration HANDOVER_LOOK = Duration.ofSeconds(1);

  private final String node;
  private final Duration tick;
  private final Clock wall;
  private final LongSupplier nanos;
  private final RandomGenerator random;

  private LeaseOptions options;

  /** What the last request was made by. */
  private LeaseOptions sent;

  /** The shortest that the lease on the server may have been written by. */
  private LeaseOptions held;

  private LeaseState state = new LeaseState.Unread();
  private boolean pinged;
  private long pingedAt;

  /**
   * The lease was read as nobody's or another's while this agent still counted itself its holder.
   */
  private boolean dispossessed;

  /** Why the hold ended the last time it ended by itself. */
  private LeaseLoss loss = LeaseLoss.NOT_RENEWED;

  /** What this process wrote last, and tried to write since, by {@code renewTime}. */
  private final Set<String> renewals = new HashSet<>();

  /** Who shall serve the node; empty for nobody that is known. */
  private String owner;

  /** Whether other agents serve the node at times, and hand it over. */
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
      String node, LeaseOptions options, Clock wall, LongSupplier nanos, RandomGenerator random) {
    this.node = node;
    this.options = options;
    this.owner = options.identity();
    this.sent = options;
    this.held = options;
    this.tick = options.tick();
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

  /** Grows whenever somebody else may have served the node. */
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
   * Has these times from now on; a lease that is held is renewed at once. Until that is answered
   * the hold is the shorter one of both: nobody but this agent knows of the other.
   *
   * @param now with the same identity
   */
  void configure(LeaseOptions now) {
    if (!now.equals(options)) {
      options = now;
      if (state instanceof LeaseState.Held) {
        due = nanos.getAsLong();
      }
    }
  }

  /** What a request may take by the times that hold now. */
  Duration requestTimeout() {
    return options.requestTimeout();
  }

  /**
   * Who shall serve the node from now on. A lease that is held and another's is handed over; one
   * that is not is left alone.
   *
   * @param identity of an agent; empty for nobody that is known, which changes nothing of a lease
   *     that is held
   */
  void assign(String identity) {
    shared = true;
    if (!identity.equals(owner)) {
      owner = identity;
      due = nanos.getAsLong();
      failures = 0;
    }
  }

  /** Whether agents come and go by whom it is served: nothing that a person must hear of. */
  boolean shared() {
    return shared;
  }

  private boolean mine() {
    return owner.equals(options.identity());
  }

  /**
   * True when the node is served no longer because its lease is to be handed over; the caller tells
   * the others, who must have stopped writing before that.
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
   * The node has this UID from now on; the next renewal says so. It is due at once where the lease
   * names another, with which the server would take it for garbage.
   */
  void nodeIs(String uid) {
    nodeUid = uid;
    if (state instanceof LeaseState.Held held && held.lease().ownedByOther(uid)) {
      due = nanos.getAsLong();
    }
  }

  /**
   * True when the hold on the lease has just ended, because it ran out or because somebody else has
   * the lease; the caller tells the others.
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

  /** By what was so when a renewal was due: a process that stood still since had no pings, too. */
  private LeaseLoss lossWithoutRenewal() {
    boolean silent = due - pingedAt > options.pingValidity().toNanos();
    return pinged && !silent ? LeaseLoss.NOT_RENEWED : LeaseLoss.PROVIDER;
  }

  /** Why the hold ended when {@link #expireHold} last said so. */
  LeaseLoss loss() {
    return loss;
  }

  /** Whether a request is under way by which the lease is to become this agent's. */
  boolean taking() {
    return busy && !serving;
  }

  Step next() {
    return next(() -> true);
  }

  /**
   * @param turn whether the lease may be taken now; asked when it is to be. A lease that is held is
   *     renewed, and one that is another's handed over, without asking
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
   * A provider that answers at all is asked again and again: silence means that even the time-out
   * of its ping did not come through, because the provider blocks the thread of both.
   */
  private boolean alive() {
    if (!pinged) {
      return false;
    }
    boolean silent = nanos.getAsLong() - pingedAt > options.pingValidity().toNanos();
    if (silent) {
      lastProblem = "no ping was answered for " + options.pingValidity().toSeconds() + " s";
    }
    return !silent;
  }

  /**
   * When the hold runs out, whatever else happens; for a timer of its own while a request hangs.
   */
  Duration untilHoldEnds() {
    long left = holdFor().toNanos() - (nanos.getAsLong() - lastRenewal);
    return Duration.ofNanos(Math.max(left, 0));
  }

  private Duration holdFor() {
    return shorter(options, held).holdFor();
  }

  private static LeaseOptions shorter(LeaseOptions one, LeaseOptions other) {
    return one.duration().compareTo(other.duration()) < 0 ? one : other;
  }

  private Step request() {
    busy = true;
    requestStart = nanos.getAsLong();
    sent = options;
    held = shorter(sent, held); // it may be written though no answer comes
    if (state instanceof LeaseState.Taking taking) {
      LeaseRecord taken = renewed(taking.lease());
      return taking.absent() ? new Step.Create(taken) : new Step.Update(taken);
    }
    if (state instanceof LeaseState.Held held) {
      return new Step.Update(renewed(held.lease()));
    }
    return new Step.Read();
  }

  /** What was served until now goes to its owner; what was not is somebody else's business. */
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
        held.lease().handedTo(owner, node, nodeUid, options.duration(), wall.instant()));
  }

  void handedOver() {
    busy = false;
    renewals.clear();
    state = new LeaseState.Unread();
    due = nanos.getAsLong();
  }

  private LeaseRecord renewed(LeaseRecord lease) {
    LeaseRecord renewed =
        lease.renewed(node, options.identity(), nodeUid, options.duration(), wall.instant());
    renewals.add(renewed.renewTime());
    return renewed;
  }

  /**
   * Whether another process has renewed the lease under this agent's identity since this one did.
   * One that starts takes the lease of its own identity at once, as the agent before it may be
   * dead; if that one lives, it finds out here and leaves the node to the one that came last.
   */
  private boolean hasTwin(LeaseRecord lease) {
    return !renewals.isEmpty() && !renewals.contains(lease.renewTime());
  }

  void read(LeaseRecord lease) {
    busy = false;
    failures = 0;
    boolean sameIdentity = lease.lastHeldBy(node, options.identity());
    boolean ours = sameIdentity && (lease.handedOver() || !hasTwin(lease));
    String holder =
        sameIdentity
            ? "another agent with the identity " + options.identity()
            : lease.describeHolder();
    Instant now = wall.instant();
    if (!ours) {
      term++;
      dispossessed = serving;
      lastProblem = holder + " had the lease";
    }
    // who gave it away serves the node no longer, and who was to have it does not yet
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
   * @return true when this agent serves the node from now on and did not before
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
    due = sent.equals(options) ? nextRenewal(requestStart + interval()) : nanos.getAsLong();
    if (!serving && untilHoldEnds().isZero()) {
      // so late an answer, to a process that stood still, says nothing about who has the lease now
      state = new LeaseState.Unread();
      due = nanos.getAsLong();
      return false;
    }
    boolean acquired = !serving;
    serving = true;
    return acquired;
  }

  /** On a tick, and not later, so that the renewals of many nodes leave together. */
  private long nextRenewal(long at) {
    return at - Math.floorMod(at, tick.toNanos());
  }

  private long interval() {
    double base = options.renewInterval().toNanos();
    if (firstRenewal) {
      // a crowd of nodes that starts together shall not renew together
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
    // whatever failed before: a renewal whose answer was lost is found so before the hold runs out
    boolean atOnce = reread && !(state instanceof LeaseState.Unread);
    if (reread) {
      state = new LeaseState.Unread();
    }
    Duration delay = atOnce ? Duration.ZERO : BACKOFF.delay(failures, random, failure);
    due = nanos.getAsLong() + delay.toNanos();
  }

  /** The body that gives the lease back, or null when there is nothing to give. */
  @Nullable Buffer release() {
    return state instanceof LeaseState.Held held && serving ? held.lease().release() : null;
  }
}
