package dev.vertlet.pods;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.OBJECT_EVENT;
import static dev.vertlet.bus.Addresses.PODS_SYNCED;
import static dev.vertlet.bus.Addresses.POD_GONE;
import static dev.vertlet.bus.Addresses.POD_OBSERVED;
import static dev.vertlet.bus.Addresses.POD_REPORTED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.bus.PodsSynced;
import dev.vertlet.kube.BackoffTimers;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.model.NodeDecoder;
import dev.vertlet.model.NodeView;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.pods.PodMailbox.Operation;
import dev.vertlet.provider.PodProvider;
import dev.vertlet.provider.ProviderCall;
import dev.vertlet.provider.ProviderContext;
import dev.vertlet.provider.ProviderException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings the pods of one shard to its provider; sole owner of their {@link PodMailbox}es. */
public final class PodSyncVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(PodSyncVerticle.class);

  /**
   * A provider call without an answer for so long counts as failed, so that a hung create cannot
   * hold up a deletion for ever.
   */
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);

  private static final long SWEEP_AGAIN_MILLIS = 10_000;

  private final int shard;
  private final Map<String, NodePods> nodes = new HashMap<>();
  private final PodProvider provider;
  private final KubeClient kube;
  private final Bus bus;
  private final Clock clock;
  private final LongSupplier nanos;
  private final RandomGenerator random;
  private final Map<String, PodMailbox> mailboxes = new HashMap<>();

  @SuppressWarnings("NullAway.Init") // set by start
  private BackoffTimers<PodMailbox> backoffs;

  private boolean sweeping;

  /**
   * @param nodes names of this shard's nodes
   * @param provider this shard's own instance
   * @param nanos monotonic nanoseconds, for back-off
   */
  public PodSyncVerticle(
      int shard,
      Collection<String> nodes,
      PodProvider provider,
      KubeClient kube,
      Bus bus,
      Clock clock,
      LongSupplier nanos,
      RandomGenerator random) {
    this.shard = shard;
    nodes.forEach(node -> this.nodes.put(node, new NodePods()));
    this.provider = provider;
    this.kube = kube;
    this.bus = bus;
    this.clock = clock;
    this.nanos = nanos;
    this.random = random;
  }

  @Override
  public Future<?> start() {
    backoffs = new BackoffTimers<>(vertx, this::drive);
    Context own = vertx.getOrCreateContext();
    return provider
        .start(new ShardContext(own))
        .compose(
            v ->
                Future.all(
                    List.of(
                        bus.consume(POD_OBSERVED.shard(shard), m -> onObserved(m.pod()))
                            .completion(),
                        bus.consume(POD_GONE.shard(shard), m -> onGone(m.pod())).completion(),
                        bus.consume(PODS_SYNCED, this::onSynced).completion(),
                        bus.consume(LEASE_ACQUIRED, this::onAcquired).completion(),
                        bus.consume(LEASE_LOST, m -> onLost(m.node())).completion())));
  }

  @Override
  public Future<?> stop() {
    nodes.values().forEach(NodePods::lost);
    return provider.stop();
  }

  private void onObserved(PodView pod) {
    NodePods node = nodes.get(pod.nodeName());
    if (node == null) {
      return;
    }
    PodMailbox mailbox = mailboxes.get(pod.uid());
    if (mailbox == null) {
      mailbox = new PodMailbox(pod);
      mailboxes.put(pod.uid(), mailbox);
      node.add(mailbox);
    } else {
      mailbox.observed(pod, nanos.getAsLong());
    }
    drive(mailbox);
  }

  private void onGone(PodRef pod) {
    PodMailbox mailbox = mailboxes.get(pod.uid());
    if (mailbox != null) {
      mailbox.gone(nanos.getAsLong());
      if (mailbox.untouched()) {
        // also while another agent serves the node: a standby must not collect what was
        forget(mailbox);
      } else {
        drive(mailbox);
      }
    }
  }

  private void onSynced(PodsSynced message) {
    for (String name : message.nodes()) {
      NodePods node = nodes.get(name);
      if (node != null && node.synced(message.term())) {
        begin(node);
      }
    }
  }

  private void onAcquired(LeaseAcquired message) {
    NodePods node = nodes.get(message.node());
    if (node != null && node.acquired(message.term())) {
      begin(node);
    }
  }

  private void onLost(String name) {
    NodePods node = nodes.get(name);
    if (node != null && node.lost()) {
      ask(() -> provider.release(name)).onFailure(failure -> warn("release", name, failure));
    }
  }

  private void begin(NodePods node) {
    for (PodMailbox mailbox : node.adoptionOrder()) {
      mailbox.reset(nanos.getAsLong());
      drive(mailbox);
    }
    if (!sweeping) {
      // one look at the provider serves all nodes that begin in this turn of the loop
      sweeping = true;
      context.runOnContext(v -> endOrphans());
    }
  }

  /** Pods that the provider runs and that should not run are ended. */
  private void endOrphans() {
    sweeping = false;
    ask(provider::list)
        .onSuccess(
            reports ->
                reports.stream()
                    .filter(report -> active(report.node()))
                    .filter(report -> isOrphan(report.pod()))
                    .forEach(this::endOrphan))
        .onFailure(
            failure -> {
              warn("list", "", failure);
              sweepLater();
            });
  }

  /** The API server does not hold it, or holds it as ended since before this agent saw it. */
  private boolean isOrphan(PodRef pod) {
    PodMailbox mailbox = mailboxes.get(pod.uid());
    return mailbox == null || mailbox.endedBefore();
  }

  /** An orphan that could not be ended is looked for again. */
  private void sweepLater() {
    if (!sweeping) {
      sweeping = true;
      vertx.setTimer(SWEEP_AGAIN_MILLIS, id -> endOrphans());
    }
  }

  private boolean active(String name) {
    NodePods node = nodes.get(name);
    return node != null && node.active();
  }

  private void endOrphan(PodReport orphan) {
    LOG.atInfo()
        .addKeyValue("node", orphan.node())
        .addKeyValue("pod", orphan.pod().display())
        .addKeyValue("podUid", orphan.pod().uid())
        .log("ending a pod that the API server does not hold, or holds as ended");
    ask(() -> provider.kill(orphan.pod()))
        .onFailure(
            failure -> {
              warn("kill", orphan.pod().display(), failure);
              sweepLater();
            });
  }

  private void drive(PodMailbox mailbox) {
    if (!active(mailbox.pod().nodeName())) {
      return;
    }
    Operation next = mailbox.next(nanos.getAsLong());
    if (next instanceof Operation.Wait wait) {
      backoffs.arm(mailbox, wait.delay());
    } else if (next instanceof Operation.Forget) {
      forget(mailbox);
    } else if (next instanceof Operation.Finish finish) {
      PodView pod = finish.pod();
      bus.send(
          POD_REPORTED.shard(shard), new PodReport(pod.ref(), pod.nodeName(), pod.status(), true));
    } else if (!(next instanceof Operation.Idle)) {
      ask(() -> call(next))
          .onSuccess(v -> onSucceeded(mailbox, next))
          .onFailure(failure -> onFailed(mailbox, failure));
    }
  }

  private void forget(PodMailbox mailbox) {
    mailboxes.remove(mailbox.ref().uid());
    NodePods node = nodes.get(mailbox.pod().nodeName());
    if (node != null) {
      node.remove(mailbox);
    }
  }

  private <T> Future<T> ask(Supplier<Future<T>> call) {
    return ProviderCall.in(context, CALL_TIMEOUT, call);
  }

  private Future<Void> call(Operation operation) {
    if (operation instanceof Operation.Create op) {
      return provider.create(op.pod());
    } else if (operation instanceof Operation.Update op) {
      return provider.update(op.pod());
    } else if (operation instanceof Operation.Delete op) {
      return provider.delete(op.pod(), op.grace());
    } else if (operation instanceof Operation.Kill op) {
      return provider.kill(op.pod());
    }
    throw new IllegalStateException("not a provider call: " + operation);
  }

  private void onSucceeded(PodMailbox mailbox, Operation done) {
    mailbox.succeeded();
    if (!provider.writesEvents()) {
      ProviderOutcome.succeeded(done).ifPresent(this::event);
    }
    drive(mailbox);
  }

  private void onFailed(PodMailbox mailbox, Throwable failure) {
    ProviderException.Kind kind = ProviderException.kindOf(failure);
    Operation failed = mailbox.failed(kind, nanos.getAsLong(), random);
    LOG.atDebug()
        .addKeyValue("pod", mailbox.ref().display())
        .addKeyValue("podUid", mailbox.ref().uid())
        .addKeyValue("error", failure.getMessage())
        .log("provider call failed");
    if (kind != ProviderException.Kind.NOT_FOUND) {
      tell(failed, kind, failure);
    }
    drive(mailbox);
  }

  private void tell(Operation failed, ProviderException.Kind kind, Throwable failure) {
    boolean permanent =
        kind == ProviderException.Kind.INVALID || kind == ProviderException.Kind.UNSUPPORTED;
    if (failed instanceof Operation.Create create) {
      if (permanent) {
        bus.send(POD_REPORTED.shard(shard), ProviderOutcome.rejected(create.pod(), failure));
        event(ProviderOutcome.rejectedEvent(create.pod(), failure));
        return;
      }
      bus.send(POD_REPORTED.shard(shard), ProviderOutcome.pendingRetry(create.pod(), failure));
    }
    if (!provider.writesEvents()) {
      ProviderOutcome.failed(failed, failure).ifPresent(this::event);
    }
  }

  private void event(ObjectEvent event) {
    bus.send(OBJECT_EVENT, event);
  }

  private static void warn(String call, String subject, Throwable failure) {
    LOG.atWarn()
        .addKeyValue("call", call)
        .addKeyValue("subject", subject)
        .addKeyValue("error", failure.getMessage())
        .log("provider call failed");
  }

  /** Gives the provider its way back; calls from other threads hop onto the shard. */
  private final class ShardContext implements ProviderContext {
    private final Context own;

    ShardContext(Context own) {
      this.own = own;
    }

    @Override
    public Vertx vertx() {
      return vertx;
    }

    @Override
    public Clock clock() {
      return clock;
    }

    @Override
    public RandomGenerator random() {
      return random;
    }

    /** In a turn of its own, as a provider may report from within a call. */
    @Override
    public void report(PodReport report) {
      own.runOnContext(v -> reported(report));
    }

    private void reported(PodReport report) {
      if (report.finished()) {
        PodMailbox mailbox = mailboxes.get(report.pod().uid());
        if (mailbox != null) {
          mailbox.finished();
        }
      }
      if (active(report.node())) {
        bus.send(POD_REPORTED.shard(shard), report);
      }
    }

    @Override
    public void event(ObjectEvent event) {
      bus.send(OBJECT_EVENT, event);
    }

    @Override
    public Future<Buffer> fullPod(PodRef pod) {
      return kube.send(KubeRequest.get(Lane.REST, KubePath.pod(pod.namespace(), pod.name())))
          .map(KubeResponse::body);
    }

    @Override
    public Future<NodeView> node(String name) {
      return kube.send(KubeRequest.get(Lane.NODE, KubePath.node(name)))
          .map(KubeResponse::body)
          .map(NodeDecoder::decode);
    }
  }
}
