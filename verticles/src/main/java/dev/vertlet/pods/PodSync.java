package dev.vertlet.pods;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.bus.PodsAsked;
import dev.vertlet.bus.PodsKnown;
import dev.vertlet.loop.BackoffTimers;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.pods.PodMailbox.Operation;
import dev.vertlet.provider.PodProvider;
import dev.vertlet.provider.ProviderContext;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.RetryPolicy;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the pods of one shard to its provider: asks each pod's {@link PodMailbox} what to do, has
 * it done and tells what came of it. Sole owner of the mailboxes; everything here runs on one loop.
 */
final class PodSync {
  private static final Logger LOG = LoggerFactory.getLogger(PodSync.class);

  /** What is around the work on the pods of a shard. */
  interface Surroundings {
    /** Calls the provider, which gives exactly one answer, in time and on the loop. */
    <T> Future<T> ask(Supplier<Future<T>> call);

    /** Hands a report to whoever writes statuses. */
    void report(PodReport report);

    /** Has an event written. */
    void event(ObjectEvent event);

    /** A static pod that was to end has ended; may be told again. */
    void staticEnded(PodRef pod);
  }

  private final Map<String, NodePods> nodes = new HashMap<>();

  /** Nodes that are the shard's no longer, while calls of the provider for their pods last. */
  private final Map<String, NodePods> leaving = new HashMap<>();

  private final PodProvider provider;
  private final Surroundings around;
  private final LongSupplier nanos;
  private final RandomGenerator random;
  private final PodIndex mailboxes = new PodIndex();
  private final BackoffTimers<PodMailbox> backoffs;
  private final EarlyReports early;
  private final OrphanSweep orphans;
  private final StaticMailboxes statics;

  /** What the provider said at start: asked again, it might throw amid the work on a pod. */
  private boolean tellsItself;

  private RetryPolicy retries = RetryPolicy.ENDLESS;

  /**
   * @param nodes names of the shard's nodes
   * @param sourced those of them that have static pods, too: nothing unknown is ended there before
   *     {@link #sourcesSeen}
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
    nodes.forEach(node -> this.nodes.put(node, new NodePods(sourced.contains(node))));
    this.provider = provider;
    this.around = around;
    this.nanos = nanos;
    this.random = random;
    this.backoffs = new BackoffTimers<>(loop, this::drive);
    this.early = new EarlyReports(nodes);
    this.orphans = new OrphanSweep(provider, loop, around, this::isOrphan);
    this.statics = new StaticMailboxes(around::staticEnded);
  }

  /** Starts the provider. Nothing else may be called before that has succeeded. */
  Future<Boolean> start(ProviderContext given) {
    return around.ask(() -> provider.start(given)).map(v -> settle());
  }

  /** What the provider says of itself once and for all. */
  private boolean settle() {
    tellsItself = provider.writesEvents();
    retries = new GuardedRetries(provider.retries());
    if (!provider.tellsUnclaimed()) {
      orphans.repeat();
    }
    return tellsItself;
  }

  /** Nothing is done any more. */
  Future<Void> stop() {
    nodes.values().forEach(node -> node.term().lost());
    orphans.close();
    return around.ask(provider::stop);
  }

  /** The node is one of the shard's from now on. */
  void adopted(String name) {
    NodePods node = new NodePods(false);
    NodePods before = leaving.remove(name);
    if (before != null) {
      before.all().forEach(node::add);
    }
    nodes.put(name, node);
  }

  /** The node is none of the shard's any more: its pods are forgotten and none is ended. */
  void released(String name) {
    lost(name);
    early.drop(name);
    NodePods node = nodes.remove(name);
    if (node != null) {
      leaving.put(name, node);
      for (PodMailbox mailbox : node.all()) {
        mailbox.released();
        gone(mailbox.ref());
      }
      if (node.all().isEmpty()) {
        leaving.remove(name);
      }
    }
  }

  /** How many pods are known, of whatever node. */
  int size() {
    return mailboxes.size();
  }

  /** The pods that are asked for. */
  PodsKnown known(PodsAsked asked) {
    List<PodMailbox> found = new ArrayList<>(candidates(asked));
    found.removeIf(pod -> !asked.wants(pod.pod().nodeName(), pod.ref()));
    found.sort(PodMailbox.BEST_KNOWN);
    return new PodsKnown(
        found.stream().map(m -> new PodsKnown.Known(m.pod(), statics.mirrorUid(m.ref()))).toList());
  }

  /** No fewer than are asked for, found without a look at all pods where a name is given. */
  private List<PodMailbox> candidates(PodsAsked asked) {
    if (!asked.namespace().isEmpty() && !asked.name().isEmpty()) {
      return mailboxes.named(asked.namespace(), asked.name());
    }
    if (asked.node().isEmpty()) {
      return nodes.values().stream().flatMap(node -> node.all().stream()).toList();
    }
    NodePods node = nodes.get(asked.node());
    return node == null ? List.of() : node.all();
  }

  /** The newest state of a pod, new or changed. */
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
      mailbox.observed(pod, nanos.getAsLong());
    }
    drive(mailbox);
    if (mailbox.settled()) {
      settled(mailbox.pod());
    }
  }

  private void settled(PodView pod) {
    try {
      provider.settled(pod);
    } catch (RuntimeException e) {
      warn("settled", pod.ref().display(), e);
    }
  }

  /** The newest state of a pod that comes from a manifest. */
  void staticObserved(PodView pod) {
    statics.observed(pod.ref());
    PodMailbox mailbox = mailboxes.get(pod.uid());
    observed(mailbox == null ? statics.remembered(pod) : mailbox.inThisLife(pod));
  }

  /** The newest state of an object that only shows a static pod. */
  void mirrorObserved(PodView mirror) {
    statics.mirrored(mirror);
  }

  /** Every source of the node's static pods was heard: what none of them holds is unknown. */
  void sourcesSeen(String name) {
    NodePods node = nodes.get(name);
    if (node != null) {
      node.sourcesSeen();
      if (node.complete()) {
        orphans.sweep();
      }
    }
  }

  /** Somebody wants another look at a pod now, whenever its next try is due. */
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
      mailbox.released();
    }
    gone(pod);
  }

  /** Its source holds the pod no longer. */
  void gone(PodRef pod) {
    statics.gone(pod);
    PodMailbox mailbox = mailboxes.get(pod.uid());
    if (mailbox != null) {
      early.gone(mailbox.pod().nodeName(), pod.uid());
      mailbox.gone(nanos.getAsLong());
      drive(mailbox);
    }
  }

  /** The whole list of these nodes' pods has been delivered. */
  void synced(Collection<String> names, int term) {
    for (String name : names) {
      NodePods node = nodes.get(name);
      if (node != null && node.term().synced(term)) {
        begin(name, node);
      }
    }
  }

  /** This agent serves the node. */
  void acquired(String name, int term) {
    NodePods node = nodes.get(name);
    if (node != null && node.term().acquired(term)) {
      begin(name, node);
    }
  }

  /** This agent serves the node no longer. */
  void lost(String name) {
    NodePods node = nodes.get(name);
    if (node != null && node.term().lost()) {
      early.drop(name);
      around.ask(() -> provider.release(name)).onFailure(failure -> warn("release", name, failure));
    }
  }

  private void begin(String name, NodePods node) {
    statics.remind(node.all());
    List<PodMailbox> adopted = node.adoptionOrder();
    adopted.stream()
        .map(PodMailbox::pod)
        .filter(pod -> pod.status().phase().terminal() && !pod.deleting())
        .forEach(this::settled);
    adopted.forEach(mailbox -> mailbox.reset(nanos.getAsLong()));
    // before anything is asked of the provider: it may be done with a pod already
    early.take(name).forEach(this::reported);
    adopted.forEach(this::drive);
    orphans.sweep();
  }

  /** No source holds it, or the API server holds it as ended since before this agent saw it. */
  private boolean isOrphan(PodReport held) {
    NodePods node = nodes.get(held.node());
    PodMailbox mailbox = mailboxes.get(held.pod().uid());
    return node != null && node.complete() && (mailbox == null || mailbox.endedBefore());
  }

  private boolean active(String name) {
    NodePods node = nodes.get(name);
    return node != null && node.active();
  }

  private void drive(PodMailbox mailbox) {
    if (!active(mailbox.pod().nodeName())) {
      if (mailbox.over()) {
        // also while another agent serves the node: a standby must not collect what was
        forget(mailbox);
      }
      return;
    }
    PodView before = mailbox.pod();
    Operation next = mailbox.next(nanos.getAsLong());
    if (mailbox.pod() != before) {
      succeeded(mailbox, before);
    }
    if (next instanceof Operation.Wait wait) {
      backoffs.arm(mailbox, wait.delay());
    } else if (next instanceof Operation.Forget) {
      forget(mailbox);
    } else if (next instanceof Operation.Finish finish) {
      PodView pod = finish.pod();
      around.report(new PodReport(pod.ref(), pod.nodeName(), pod.status(), true));
    } else if (!(next instanceof Operation.Idle)) {
      around
          .ask(() -> call(next))
          .onSuccess(v -> succeeded(mailbox, next))
          .onFailure(failure -> failed(mailbox, failure));
    }
    statics.settled(mailbox);
  }

  /** The pod of this UID is another one by now, perhaps of another name and node. */
  private void succeeded(PodMailbox mailbox, PodView before) {
    mailboxes.renamed(mailbox);
    NodePods old = nodes.get(before.nodeName());
    NodePods now = nodes.get(mailbox.pod().nodeName());
    if (old != null && now != null && old != now) {
      old.remove(mailbox);
      now.add(mailbox);
    }
  }

  private void forget(PodMailbox mailbox) {
    mailboxes.remove(mailbox);
    String name = mailbox.pod().nodeName();
    NodePods node = nodes.get(name);
    if (node != null) {
      node.remove(mailbox);
    }
    NodePods left = leaving.get(name);
    if (left != null) {
      left.remove(mailbox);
      if (left.all().isEmpty()) {
        leaving.remove(name);
      }
    }
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

  private void succeeded(PodMailbox mailbox, Operation done) {
    mailbox.succeeded();
    if (!tellsItself) {
      ProviderOutcome.succeeded(done).ifPresent(around::event);
    }
    drive(mailbox);
  }

  private void failed(PodMailbox mailbox, Throwable failure) {
    ProviderException.Kind kind = ProviderException.kindOf(failure);
    Operation failed =
        mailbox.failed(kind, nanos.getAsLong(), tries -> retries.next(tries, failure, random));
    LOG.atDebug()
        .addKeyValue("pod", mailbox.ref().display())
        .addKeyValue("podUid", mailbox.ref().uid())
        .addKeyValue("error", failure.getMessage())
        .log("provider call failed");
    // virtual-kubelet tells of a delete that found nothing; nobody needs to hear of the others
    if (kind != ProviderException.Kind.NOT_FOUND || failed instanceof Operation.Delete) {
      tell(failed, kind, failure);
    }
    drive(mailbox);
  }

  private void tell(Operation failed, ProviderException.Kind kind, Throwable failure) {
    boolean permanent =
        kind == ProviderException.Kind.INVALID || kind == ProviderException.Kind.UNSUPPORTED;
    if (failed instanceof Operation.Create create) {
      if (permanent) {
        around.report(ProviderOutcome.rejected(create.pod(), failure));
        around.event(ProviderOutcome.rejectedEvent(create.pod(), failure));
        return;
      }
      boolean begun = create.pod().status().phase() != PodPhase.PENDING;
      if (!(begun && (tellsItself || ProviderOutcome.unresolved(failure)))) {
        // one that ran under an agent before this one goes on, and is taken over in a while
        around.report(ProviderOutcome.notCreated(create.pod(), failure, !tellsItself));
      }
    }
    if (failed instanceof Operation.Update update && kind == ProviderException.Kind.UNSUPPORTED) {
      around.event(ProviderOutcome.notUpdated(update.pod(), failure));
      return;
    }
    if (!tellsItself) {
      ProviderOutcome.failed(failed, failure).ifPresent(around::event);
    }
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
        statics.settled(mailbox);
      }
    }
    if (active(report.node())) {
      around.report(report);
    } else {
      early.keep(report);
    }
  }

  /** The provider holds a pod that it knows nothing of, because a call of long ago made it. */
  void unclaimed(PodReport held) {
    orphans.held(held);
  }
}
