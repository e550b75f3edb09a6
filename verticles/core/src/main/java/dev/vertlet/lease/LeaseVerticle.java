package dev.vertlet.lease;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_BACKDATED;
import static dev.vertlet.bus.Addresses.LEASE_CONFIGURED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.NODES_ASSIGNED;
import static dev.vertlet.bus.Addresses.NODE_ADOPTED;
import static dev.vertlet.bus.Addresses.NODE_PINGED;
import static dev.vertlet.bus.Addresses.NODE_REGISTERED;
import static dev.vertlet.bus.Addresses.NODE_RELEASED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.LeaseBackdated;
import dev.vertlet.bus.LeaseConfigured;
import dev.vertlet.bus.LeaseLost;
import dev.vertlet.bus.NodeAdopted;
import dev.vertlet.bus.NodePinged;
import dev.vertlet.bus.NodeRegistered;
import dev.vertlet.bus.NodesAssigned;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import dev.vertlet.model.ObjectMeta;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the leases of the agent's nodes; sole owner of their {@link NodeLease} states. */
public final class LeaseVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseVerticle.class);

  /** Leases that are lost already wait for those that are not. */
  private static final Duration LAST_TO_RETURN = Duration.ofDays(365);

  /**
   * Half of the in-flight window: an agent acquires thousands of leases at its start, and renewals
   * of those it has already must not wait for them.
   */
  private static final int TAKEN_AT_ONCE = 32;

  private final LeaseSettings settings;
  private final KubeClient kube;
  private final Bus bus;
  private final Env env;
  private final boolean assigned;
  private final LeaseMeters meters;
  private final Map<String, Entry> leases = new LinkedHashMap<>();
  private @Nullable Started started;

  /** What there is from the start on. */
  private record Started(LeaseReads reads, LeaseTicks<Entry> ticks) {}

  /** Leases that are being written for the first time; renewals need no turn. */
  private final AcquisitionQueue<Entry> taking = new AcquisitionQueue<>(TAKEN_AT_ONCE);

  private final LeaseLog log = new LeaseLog();

  /** Releases of nodes' Leases in progress. */
  private final Set<Future<?>> leaving = new HashSet<>();

  /**
   * Creates the verticle.
   *
   * @param nodes names of the nodes to hold leases for
   * @param assigned whether nodes are served only while they are assigned to this agent
   * @param env with the machine's own clock, for renewTime and the expiry of other holders' leases
   */
  public LeaseVerticle(
      LeaseSettings settings,
      Collection<String> nodes,
      boolean assigned,
      KubeClient kube,
      Bus bus,
      Env env) {
    this.settings = settings;
    this.kube = kube;
    this.bus = bus;
    this.env = env;
    this.assigned = assigned;
    this.meters = new LeaseMeters(env.meters());
    nodes.forEach(this::add);
  }

  private void add(String node) {
    NodeLease lease = new NodeLease(node, settings, env.clock(), env.nanos(), env.random());
    if (assigned) {
      lease.assign("");
    }
    leases.put(node, new Entry(lease));
  }

  @Override
  public Future<?> start() {
    started =
        new Started(
            new LeaseReads(kube, context),
            new LeaseTicks<>(vertx, env.nanos(), settings.options().tick(), this::wakeOne));
    kube.whenServerReturns(this::onServerReturned);
    List<Future<?>> ready = new ArrayList<>();
    ready.add(bus.consume(NODE_PINGED, this::onPing).completion());
    ready.add(bus.consume(NODE_REGISTERED, this::onRegistered).completion());
    ready.add(bus.consume(LEASE_CONFIGURED, this::onConfigured).completion());
    ready.add(bus.consume(NODES_ASSIGNED, this::onAssigned).completion());
    ready.add(bus.consume(NODE_ADOPTED, this::onAdopted).completion());
    ready.add(bus.consume(NODE_RELEASED, m -> onReleased(m.node())).completion());
    return Future.all(ready);
  }

  /** Releases the held leases, so that a successor need not wait for their expiry. */
  @Override
  public Future<?> stop() {
    started().reads().stop();
    List<Future<?>> releases = new ArrayList<>();
    leases.values().forEach(entry -> releases.add(end(entry)));
    releases.addAll(leaving);
    return Future.join(releases).otherwiseEmpty();
  }

  private Future<?> end(Entry entry) {
    entry.stopped = true;
    if (entry.lease.serving()) {
      // other verticles must stop writing before the release, after which a successor may serve the
      // node
      bus.publish(LEASE_LOST, new LeaseLost(entry.lease.node(), "released"));
    }
    // a renewal in flight changes the resourceVersion that the release must contain
    return entry.inFlight.otherwiseEmpty().compose(v -> release(entry.lease));
  }

  /**
   * Releases the node's lease, so that the next agent need not wait for its expiry. Ignores
   * failures: the Lease of a deleted node may be gone.
   */
  private void onReleased(String node) {
    Entry entry = leases.remove(node);
    if (entry != null) {
      log.forget(node);
      Future<?> released = end(entry);
      leaving.add(released);
      released.onComplete(done -> leaving.remove(released));
    }
  }

  private Future<?> release(NodeLease lease) {
    Buffer body = lease.release();
    return body == null ? Future.succeededFuture() : kube.send(update(lease.node(), body));
  }

  private void onAdopted(NodeAdopted adopted) {
    if (!adopted.selfManaged()) {
      add(adopted.node());
    }
  }

  private void onPing(NodePinged ping) {
    with(
        ping.node(),
        entry -> {
          entry.lease.pinged(ping.ok(), ping.message());
          drive(entry);
        });
  }

  private void onRegistered(NodeRegistered registered) {
    with(
        registered.node(),
        entry -> {
          entry.lease.nodeIs(registered.uid());
          drive(entry);
        });
  }

  private void onConfigured(LeaseConfigured now) {
    with(
        now.node(),
        entry -> {
          entry.lease.configure(
              settings.with(now.duration(), now.renewInterval(), now.pingValidity()));
          drive(entry);
        });
  }

  private void onAssigned(NodesAssigned assigned) {
    leases.forEach(
        (node, entry) -> {
          entry.lease.assign(assigned.owners().getOrDefault(node, ""));
          drive(entry);
        });
  }

  /** Repeats what failed, first for the leases whose hold ends first. */
  private void onServerReturned() {
    List<Entry> order = new ArrayList<>(leases.values());
    Map<Entry, Duration> left = new HashMap<>();
    order.forEach(
        entry ->
            left.put(entry, entry.lease.serving() ? entry.lease.untilHoldEnds() : LAST_TO_RETURN));
    order.sort(Comparator.comparing(left::get));
    for (Entry entry : order) {
      entry.lease.serverReturned();
      drive(entry);
    }
  }

  private void with(String node, Consumer<Entry> action) {
    Entry entry = leases.get(node);
    if (entry != null && !entry.stopped) {
      action.accept(entry);
    }
  }

  private void drive(Entry entry) {
    if (!entry.stopped) {
      step(entry);
    }
    if (entry.stopped || !entry.lease.taking()) {
      taking.end(entry, this::drive);
    }
  }

  private void step(Entry entry) {
    NodeLease lease = entry.lease;
    if (lease.expireHold()) {
      lost(lease);
    }
    if (lease.leave()) {
      log.left(lease);
      bus.publish(LEASE_LOST, new LeaseLost(lease.node(), lease.lastProblem()));
    }
    LeaseStep step = lease.next(() -> taking.take(entry));
    if (step instanceof LeaseStep.Wait wait) {
      wake(entry, wait.delay());
    } else if (step instanceof LeaseStep.Read) {
      read(entry);
    } else if (step instanceof LeaseStep.Create create) {
      var request =
          KubeRequest.create(Lane.LEASE, KubePath.nodeLeases(), create.lease().body())
              .metadataOnly();
      send(entry, request, (e, answer) -> onWritten(e, create.lease(), answer));
    } else if (step instanceof LeaseStep.Update update) {
      var request = update(lease.node(), update.lease().body());
      send(entry, request, (e, answer) -> onWritten(e, update.lease(), answer));
    } else if (step instanceof LeaseStep.HandOver given) {
      send(entry, update(lease.node(), given.lease().body()), this::onHandedOver);
    }
  }

  private @Nullable Void onHandedOver(Entry entry, KubeResponse answer) {
    entry.lease.handedOver();
    drive(entry);
    return null;
  }

  private static KubeRequest update(String node, Buffer body) {
    return KubeRequest.update(Lane.LEASE, KubePath.nodeLease(node), body).metadataOnly();
  }

  private Started started() {
    return Objects.requireNonNull(started, "the verticle is not started");
  }

  private void wake(Entry entry, Duration delay) {
    started().ticks().wake(entry, delay);
  }

  private void read(Entry entry) {
    watchHold(entry);
    entry.inFlight =
        started()
            .reads()
            .read(entry.lease.node(), entry.lease.requestTimeout())
            .map(lease -> onRead(entry, lease))
            .onFailure(failure -> onFailed(entry, failure));
  }

  private void send(Entry entry, KubeRequest request, Answer answer) {
    watchHold(entry);
    entry.inFlight =
        kube.send(request.withTimeout(entry.lease.requestTimeout()))
            .map(response -> answer.accept(entry, response))
            .onFailure(failure -> onFailed(entry, failure));
  }

  /** A hanging request must not extend the hold. */
  private void watchHold(Entry entry) {
    if (entry.lease.serving()) {
      wake(entry, entry.lease.untilHoldEnds());
    }
  }

  private @Nullable Void onRead(Entry entry, LeaseRecord lease) {
    entry.lease.read(lease);
    if (entry.lease.state() instanceof LeaseState.Foreign foreign) {
      log.foreign(entry.lease, foreign);
    }
    drive(entry);
    return null;
  }

  private @Nullable Void onWritten(Entry entry, LeaseRecord sent, KubeResponse answer) {
    NodeLease lease = entry.lease;
    boolean acquired = lease.written(sent.confirmed(ObjectMeta.decode(answer.body())));
    log.written(lease);
    if (acquired && !entry.stopped) {
      log.acquired(lease);
      bus.publish(LEASE_ACQUIRED, new LeaseAcquired(lease.node(), lease.term()));
    }
    if (lease.serving() && lease.renewTimes().backdated()) {
      bus.publish(LEASE_BACKDATED, new LeaseBackdated(lease.node()));
    }
    drive(entry);
    return null;
  }

  private void onFailed(Entry entry, Throwable failure) {
    KubeException problem = KubeException.from(failure);
    boolean absent =
        problem.kind() == KubeException.Kind.NOT_FOUND
            && entry.lease.state() instanceof LeaseState.Unread;
    if (absent) {
      entry.lease.absent();
    } else {
      entry.lease.failed(problem);
      LOG.atDebug()
          .addKeyValue("node", entry.lease.node())
          .addKeyValue("error", problem.getMessage())
          .log("lease request failed");
    }
    drive(entry);
  }

  private void lost(NodeLease lease) {
    log.lost(lease);
    meters.lost(lease.loss());
    bus.publish(LEASE_LOST, new LeaseLost(lease.node(), lease.lastProblem()));
  }

  private interface Answer {
    @Nullable Void accept(Entry entry, KubeResponse response);
  }

  /** Isolates failures: one node's lease must not prevent the renewal of others. */
  private void wakeOne(Entry entry) {
    try {
      drive(entry);
    } catch (RuntimeException e) {
      LOG.atError()
          .addKeyValue("node", entry.lease.node())
          .setCause(e)
          .log("the node's lease cannot be renewed; trying again after its next ping");
    }
  }

  /** One node's lease and its request in flight. */
  private static final class Entry {
    final NodeLease lease;
    private Future<?> inFlight = Future.succeededFuture();
    private boolean stopped;

    Entry(NodeLease lease) {
      this.lease = lease;
    }
  }
}
