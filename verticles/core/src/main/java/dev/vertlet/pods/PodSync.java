package dev.vertlet.pods;

import dev.vertlet.bus.NotWritten;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodQuery;
import dev.vertlet.bus.PodQueryResult;
import dev.vertlet.bus.PodReport;
import dev.vertlet.loop.BackoffTimers;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.GuardedRetries;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.failure.FailedTry;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.RetryPolicy;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the pods of one shard to its provider: asks each pod's {@link PodMailbox} for the next
 * operation, performs it and reports the result. Sole owner of the mailboxes; confined to one loop.
 */
final class PodSync {
  private static final Logger LOG = LoggerFactory.getLogger(PodSync.class);

  /** Environment of the sync: provider calls and outgoing messages. */
  interface Surroundings {
    /** Calls the provider and gives exactly one answer, in time and on the loop. */
    <T> Future<T> ask(Supplier<Future<T>> call);

    /** Passes a report to the status writer. */
    void report(PodReport report);

    /** Writes an event. */
    void event(ObjectEvent event);

    /** A static pod that was to end has ended; may be called repeatedly. */
    void staticEnded(PodRef pod);

    /** Whether the shard has to end what the provider still has of a node without an agent. */
    default boolean abandoned(String node) {
      return false;
    }
  }

  private final ShardNodes nodes;
  private final PodProvider provider;
  private final Surroundings around;
  private final LongSupplier nanos;
  private final RandomGenerator random;
  private final PodIndex mailboxes = new PodIndex();
  private final BackoffTimers<PodMailbox> backoffs;
  private final EarlyReports early;
  private final OrphanSweep orphans;
  private final StaticMailboxes statics;

  /** Depends on a property of the provider: replaced once, at start. */
  private OutcomeReporter outcomes;

  private RetryPolicy retries = RetryPolicy.ENDLESS;

  /**
   * Creates a sync.
   *
   * @param nodes names of the shard's nodes
   * @param sourced those of them that have static pods, too: unknown pods are not ended there
   *     before {@link #sourcesSeen}
   * @param nanos monotonic nanoseconds, for back-off
   */
  PodSync(
      Collection<String> nodes,
      Collection<String> sourced,
      PodProvider provider,
      CoreLoop loop,
      Surroundings around,
      LongSupplier nanos,
      RandomGenerator random) {
    this.nodes = new ShardNodes(nodes, sourced);
    this.provider = provider;
    this.around = around;
    this.nanos = nanos;
    this.random = random;
    this.backoffs = new BackoffTimers<>(loop, this::drive);
    this.early = new EarlyReports(nodes);
    this.orphans = new OrphanSweep(provider, loop, around, this::isOrphan);
    this.outcomes = new OutcomeReporter(around, false);
    this.statics = new StaticMailboxes(around::staticEnded);
  }

  /** Starts the provider. Must succeed before any other method is called. */
  Future<Boolean> start(ProviderContext given) {
    return around.ask(() -> provider.start(given)).map(v -> readProperties());
  }

  /**
   * Reads the provider's constant properties, once: a later call might throw during the work on a
   * pod. Returns whether the provider writes events of its own.
   */
  private boolean readProperties() {
    boolean writesEvents = provider.writesEvents();
    outcomes = new OutcomeReporter(around, writesEvents);
    retries = new GuardedRetries(provider.retries(), RetryPolicy.ENDLESS);
    if (!provider.tellsUnclaimed()) {
      orphans.repeat();
    }
    return writesEvents;
  }

  /** Ends all work on pods and stops the provider. */
  Future<Void> stop() {
    nodes.loseAll();
    orphans.close();
    return around.ask(provider::stop);
  }

  /** Adds a node to the shard. */
  void adopted(String name) {
    nodes.add(name);
  }

  /** Removes a node from the shard: its pods are forgotten, not ended. */
  void released(String name) {
    lost(name);
    early.drop(name);
    nodes.remove(name).forEach(mailbox -> elsewhere(mailbox.ref()));
  }

  /** Number of known pods on all nodes. */
  int size() {
    return mailboxes.size();
  }

  /** Returns the pods that match a query. */
  PodQueryResult known(PodQuery asked) {
    List<PodMailbox> found = new ArrayList<>(candidates(asked));
    found.removeIf(pod -> !asked.wants(pod.pod().nodeName(), pod.ref()));
    found.sort(PodMailbox.BEST_KNOWN);
    return new PodQueryResult(
        found.stream()
            .map(m -> new PodQueryResult.Known(m.pod(), statics.mirrorUid(m.ref())))
            .toList());
  }

  /** Returns a superset of the matching pods; a query by name does not scan all pods. */
  private List<PodMailbox> candidates(PodQuery asked) {
    if (!asked.namespace().isEmpty() && !asked.name().isEmpty()) {
      return mailboxes.named(asked.namespace(), asked.name());
    }
    return asked.node().isEmpty() ? nodes.mailboxes() : nodes.mailboxes(asked.node());
  }

  /** Takes the newest version of a pod, new or changed. */
  void observed(PodView pod) {
    NodePods node = nodes.get(pod.nodeName());
    if (node == null) {
      return;
    }
    PodMailbox mailbox = mailboxes.get(pod.uid());
    if (mailbox == null) {
      mailbox = mailboxes.add(pod);
      node.add(mailbox);
    } else {
      mailbox.observed(pod);
    }
    drive(mailbox);
    if (mailbox.settled()) {
      tellSettled(mailbox.pod());
    }
  }

  private void tellSettled(PodView pod) {
    try {
      provider.settled(pod);
    } catch (RuntimeException e) {
      warn("settled", pod.ref().display(), e);
    }
  }

  /** Takes the newest version of a pod from a manifest. */
  void staticObserved(PodView pod) {
    statics.observed(pod.ref());
    PodMailbox mailbox = mailboxes.get(pod.uid());
    observed(mailbox == null ? statics.remembered(pod) : mailbox.inThisLife(pod));
  }

  /** Takes the newest version of a mirror pod. */
  void mirrorObserved(PodView mirror) {
    statics.mirrored(mirror);
  }

  /**
   * Every source of the node's static pods has reported: a pod that none of them holds is unknown.
   */
  void sourcesSeen(String name) {
    NodePods node = nodes.get(name);
    if (node != null) {
      node.sourcesSeen();
      if (node.complete()) {
        orphans.sweep();
      }
    }
  }

  /** Processes a pod now instead of at its next retry. */
  void enqueued(PodRef pod) {
    PodMailbox mailbox = mailboxes.get(pod.uid());
    if (mailbox != null) {
      mailbox.enqueued(nanos.getAsLong());
      drive(mailbox);
    }
  }

  /** Another agent serves the pod's node by now, and the provider has released it. */
  void elsewhere(PodRef pod) {
    PodMailbox mailbox = mailboxes.get(pod.uid());
    if (mailbox != null) {
      mailbox.elsewhere();
    }
    gone(pod);
  }

  /** The pod's source no longer holds it. */
  void gone(PodRef pod) {
    statics.gone(pod);
    PodMailbox mailbox = mailboxes.get(pod.uid());
    if (mailbox != null) {
      early.gone(mailbox.pod().nodeName(), pod.uid());
      mailbox.gone(nanos.getAsLong());
      drive(mailbox);
    }
  }

  /** The complete list of these nodes' pods has been delivered. */
  void synced(Collection<String> names, int term) {
    for (String name : names) {
      if (nodes.synced(name, term)) {
        begin(name);
      }
    }
  }

  /** This agent serves the node. */
  void acquired(String name, int term) {
    if (nodes.acquired(name, term)) {
      begin(name);
    }
  }

  /** This agent no longer serves the node. */
  void lost(String name) {
    if (nodes.lost(name)) {
      early.drop(name);
      around.ask(() -> provider.release(name)).onFailure(failure -> warn("release", name, failure));
    }
  }

  private void begin(String name) {
    statics.remind(nodes.mailboxes(name));
    List<PodMailbox> adopted = nodes.adoptionOrder(name);
    adopted.stream()
        .map(PodMailbox::pod)
        .filter(pod -> pod.status().phase().terminal() && !pod.deleting())
        .forEach(this::tellSettled);
    adopted.forEach(PodMailbox::reset);
    // before the first call of the provider, which may have finished with a pod already
    early.take(name).forEach(this::reported);
    adopted.forEach(this::drive);
    orphans.sweep();
  }

  /**
   * Whether no source holds the pod, or the API server held it as ended before this agent saw it.
   * Pods of a node that the shard does not have may be those of another shard, unless the node is
   * abandoned.
   */
  private boolean isOrphan(PodReport held) {
    NodePods node = nodes.get(held.node());
    if (node == null) {
      return around.abandoned(held.node());
    }
    PodMailbox mailbox = mailboxes.get(held.pod().uid());
    return node.complete() && (mailbox == null || mailbox.endedBefore());
  }

  private void drive(PodMailbox mailbox) {
    if (!nodes.active(mailbox.pod().nodeName())) {
      if (mailbox.over()) {
        // also while another agent serves the node: a standby must not accumulate mailboxes
        forget(mailbox);
      }
      return;
    }
    PodView before = mailbox.pod();
    PodOperation next = mailbox.next(nanos.getAsLong());
    if (mailbox.pod() != before) {
      replaced(mailbox, before);
    }
    if (next instanceof PodOperation.Wait wait) {
      backoffs.arm(mailbox, wait.delay());
    } else if (next instanceof PodOperation.Forget) {
      forget(mailbox);
    } else if (next instanceof PodOperation.Finish finish) {
      PodView pod = finish.pod();
      around.report(new PodReport(pod.ref(), pod.nodeName(), pod.status(), true));
    } else if (!(next instanceof PodOperation.Idle)) {
      around
          .ask(() -> next.call(provider))
          .onSuccess(v -> succeeded(mailbox, next))
          .onFailure(failure -> failed(mailbox, failure));
    }
    statics.tellIfEnded(mailbox);
  }

  /**
   * Another pod of the same UID has replaced {@code before}, perhaps with another name and node.
   */
  private void replaced(PodMailbox mailbox, PodView before) {
    mailboxes.renamed(mailbox);
    nodes.move(mailbox, before.nodeName());
  }

  private void forget(PodMailbox mailbox) {
    mailboxes.remove(mailbox);
    nodes.forget(mailbox);
  }

  private void succeeded(PodMailbox mailbox, PodOperation done) {
    mailbox.succeeded();
    outcomes.succeeded(done);
    drive(mailbox);
  }

  private void failed(PodMailbox mailbox, Throwable failure) {
    PodOperation failed =
        mailbox.failed(
            ProviderException.kindOf(failure),
            nanos.getAsLong(),
            (tries, elapsed) ->
                retries.next(new FailedTry(mailbox.ref(), tries, elapsed, failure), random));
    LOG.atDebug()
        .addKeyValue("pod", mailbox.ref().display())
        .addKeyValue("podUid", mailbox.ref().uid())
        .addKeyValue("error", failure.getMessage())
        .log("provider call failed");
    outcomes.failed(failed, failure);
    drive(mailbox);
  }

  static void warn(String call, String subject, Throwable failure) {
    LOG.atWarn()
        .addKeyValue("call", call)
        .addKeyValue("subject", subject)
        .addKeyValue("error", failure.getMessage())
        .log("provider call failed");
  }

  /** The provider reports a pod's status. */
  void reported(PodReport report) {
    if (report.finished()) {
      PodMailbox mailbox = mailboxes.get(report.pod().uid());
      if (mailbox != null) {
        mailbox.finished();
        statics.tellIfEnded(mailbox);
      }
    }
    if (nodes.active(report.node())) {
      around.report(report);
    } else if (!early.keep(report)) {
      LOG.atDebug()
          .addKeyValue("pod", report.pod().display())
          .addKeyValue("podUid", report.pod().uid())
          .addKeyValue("reason", NotWritten.NODE_NOT_SERVED.text())
          .log("pod status not written");
    }
  }

  /** The provider holds a pod that it was not asked to run. */
  void unclaimed(PodReport held) {
    orphans.held(held);
  }
}
