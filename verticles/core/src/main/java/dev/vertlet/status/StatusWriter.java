package dev.vertlet.status;

import dev.vertlet.bus.NotWritten;
import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.loop.BackoffTimers;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.Env;
import dev.vertlet.model.KeyedTable;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the statuses of one shard's pods: asks each pod's {@link StatusEntry} for the next
 * request, sends it and reports the result. Sole owner of the entries; confined to one loop.
 */
final class StatusWriter {
  private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);

  private final boolean brief;
  private final int window;
  private final Function<String, RequestScope> scopes;
  private final LongSupplier nanos;
  private final StatusRetries retries;
  private final RandomGenerator random;
  private final PodDecoder decoder = new PodDecoder();
  private final KeyedTable<String, StatusEntry> entries =
      new KeyedTable<>(entry -> entry.ref().uid());
  private final StaticReports statics = new StaticReports();

  /** Nodes with a held lease, with the scope of the requests of its term. */
  private final Map<String, RequestScope> served = new HashMap<>();

  private final BiConsumer<PodRef, NotWritten> notWritten;
  private final WriteQueue waiting = new WriteQueue();
  private final BackoffTimers<StatusEntry> backoffs;
  private int inFlight;
  private StatusObserver observer = StatusObserver.NONE;

  /** Set while the writer is leaving; completes when no request is in flight any more. */
  private @Nullable Promise<Void> leaving;

  /**
   * Creates a writer.
   *
   * @param brief profile {@code fast}: removes the object of a deleted pod without writing its
   *     final status first
   * @param window maximum number of requests passed to the client; of statuses that wait longer,
   *     and in profile {@code fast}, only the newest is written
   * @param scopes creates the requests of one term of a node's lease
   * @param retries decides about retries of failed requests
   * @param notWritten receives the reason for each reported status that is never sent
   */
  StatusWriter(
      boolean brief,
      int window,
      Function<String, RequestScope> scopes,
      StatusRetries retries,
      CoreLoop loop,
      Env env,
      BiConsumer<PodRef, NotWritten> notWritten) {
    this.brief = brief;
    this.window = window;
    this.scopes = scopes;
    this.retries = retries.guarded();
    this.nanos = env.nanos();
    this.random = env.random();
    this.notWritten = notWritten;
    this.backoffs = new BackoffTimers<>(loop, this::drive);
  }

  /**
   * Accepts no more reports. Completes when the newest status of every pod was sent once and
   * answered; a restarted agent repairs failures.
   */
  Future<Void> leave() {
    Promise<Void> left = Promise.promise();
    leaving = left;
    pump();
    leaveWhenIdle();
    return left.future();
  }

  private void leaveWhenIdle() {
    if (leaving != null && writes() == 0) {
      served.clear();
      leaving.tryComplete();
    }
  }

  /** Sets the observer; called before any other method. */
  void observer(StatusObserver told) {
    observer = told;
  }

  /** Number of statuses that wait to be sent or answered. */
  int writes() {
    return waiting.size() + inFlight;
  }

  /** Number of known pods. */
  int size() {
    return entries.size();
  }

  /** This agent serves the node. */
  void acquired(String node) {
    statics.begin(node);
    served.put(node, scopes.apply(node));
  }

  /** Gives up waiting requests: another agent may serve the node by the time they would be sent. */
  void lost(String node) {
    RequestScope scope = served.remove(node);
    if (scope != null) {
      scope.close();
    }
  }

  /** Takes a pod as the server holds it. */
  void observed(PodView pod) {
    StatusEntry entry = entries.get(pod.uid());
    if (entry == null) {
      StatusEntry made = new StatusEntry(pod);
      entries.put(made);
      observer.seen(made);
    } else {
      entry.observed(pod);
      observer.changed(entry);
      drive(entry);
    }
  }

  /** Takes a static pod, whose mirror shows its status. */
  void staticObserved(PodRef pod) {
    statics.add(pod);
  }

  /** Takes a mirror pod as the server holds it; its static pod may have been reported before. */
  void mirrorObserved(PodView mirror) {
    observed(mirror);
    StatusEntry entry = entries.get(mirror.uid());
    PodReport report = entry == null ? null : statics.mirrored(entry);
    if (entry != null && report != null) {
      report(entry, report, stepwise());
      pump();
    }
  }

  /** Makes the next request about a pod now instead of at its next retry. */
  void enqueued(PodRef pod) {
    StatusEntry entry = entries.get(pod.uid());
    if (entry != null && scope(entry) != null) {
      entry.enqueued(nanos.getAsLong());
      drive(entry);
    }
  }

  /** Makes the requests now that wait for the server, which works again. */
  void serverReturned() {
    for (StatusEntry entry : backoffs.waiting()) {
      if (scope(entry) != null && entry.serverReturned(nanos.getAsLong())) {
        drive(entry);
      }
    }
  }

  /**
   * Deletes the object of a pod now, if its node is served, or no more.
   *
   * @param wanted false to give up a deletion that is not in flight
   */
  void deletion(PodRef pod, boolean wanted) {
    StatusEntry entry = entries.get(pod.uid());
    if (entry == null || leaving != null || scope(entry) == null) {
      return;
    }
    if (wanted) {
      entry.enqueueDeletion(nanos.getAsLong());
    } else {
      entry.forgetDeletion();
    }
    drive(entry);
  }

  /** The pod's source no longer holds it. */
  void gone(PodRef pod) {
    statics.gone(pod);
    StatusEntry entry = entries.remove(pod.uid());
    if (entry != null) {
      if (entry.giveUp()) {
        notWritten.accept(pod, NotWritten.POD_GONE);
      }
      entry.removed();
      observer.gone(entry);
      statics.gone(entry);
    }
  }

  /**
   * Takes wanted statuses in the order of their reports; of those of one pod only the newest is
   * written, and steps before it as {@link StatusEntry} decides.
   */
  void reported(List<PodReport> reports) {
    boolean stepwise = stepwise();
    for (PodReport report : reports) {
      StatusEntry entry = entries.get(report.pod().uid());
      if (entry == null && served.containsKey(report.node())) {
        entry = statics.reported(report);
      }
      if (entry != null) {
        report(entry, report, stepwise);
      } else {
        notWritten.accept(report.pod(), withoutEntry(report));
      }
    }
    pump();
  }

  private NotWritten withoutEntry(PodReport report) {
    return served.containsKey(report.node())
        ? statics.notWritten(report)
        : NotWritten.NODE_NOT_SERVED;
  }

  private void report(StatusEntry entry, PodReport report, boolean stepwise) {
    if (leaving != null || scope(entry) == null) {
      notWritten.accept(
          entry.ref(), leaving != null ? NotWritten.STOPPING : NotWritten.NODE_NOT_SERVED);
      return;
    }
    if (entry.reported(report, stepwise)) {
      notWritten.accept(entry.ref(), NotWritten.SUPERSEDED);
    }
    observer.reported(entry, report);
    waiting.add(entry);
  }

  /**
   * Whether to write replaced statuses, as a kubelet does; while writes have to wait, only the
   * newest status is written.
   */
  private boolean stepwise() {
    return !brief && waiting.isEmpty() && inFlight < window;
  }

  /**
   * Returns the scope of the current term of the lease, having wiped what the entry holds of an
   * earlier one; null while the node is not served.
   */
  private @Nullable RequestScope scope(StatusEntry entry) {
    RequestScope scope = served.get(entry.node());
    if (scope != null && entry.wipeEarlierTerm(scope)) {
      notWritten.accept(entry.ref(), NotWritten.NODE_NOT_SERVED);
    }
    return scope;
  }

  private void drive(StatusEntry entry) {
    waiting.add(entry);
    pump();
  }

  private void pump() {
    while (inFlight < window) {
      StatusEntry entry = waiting.poll();
      if (entry == null) {
        return;
      }
      write(entry);
    }
  }

  private void write(StatusEntry entry) {
    RequestScope scope = scope(entry);
    if (scope == null) {
      if (entry.giveUp()) {
        notWritten.accept(entry.ref(), NotWritten.NODE_NOT_SERVED);
      }
      return;
    }
    StatusAction action = entry.next(brief, nanos.getAsLong());
    PodRef pod = entry.ref();
    if (action instanceof StatusAction.Patch patch) {
      KubePath path = KubePath.podStatus(pod.namespace(), pod.name());
      String type = MediaType.STRATEGIC_MERGE_PATCH;
      send(
          scope,
          entry,
          KubeRequest.patch(Lane.POD_STATUS, path, type, patch.body()).metadataOnly(),
          answer -> entry.patched(ObjectMeta.decode(answer.body()).resourceVersion()));
    } else if (action instanceof StatusAction.Delete delete) {
      if (delete.skipsStatus()) {
        notWritten.accept(pod, NotWritten.OBJECT_DELETED);
      }
      KubePath path = KubePath.pod(pod.namespace(), pod.name());
      send(
          scope,
          entry,
          KubeRequest.deleteNow(Lane.POD_STATUS, path, pod.uid()),
          answer -> entry.removed());
    } else if (action instanceof StatusAction.Reread) {
      KubePath path = KubePath.pod(pod.namespace(), pod.name());
      send(
          scope,
          entry,
          KubeRequest.get(Lane.POD_STATUS, path),
          answer -> reread(entry, decoder.decode(answer.body())));
    } else if (action instanceof StatusAction.Idle idle && idle.reason() != null) {
      notWritten.accept(pod, idle.reason());
    } else if (action instanceof StatusAction.Wait wait) {
      retryLater(entry, wait);
    }
  }

  private void retryLater(StatusEntry entry, StatusAction.Wait wait) {
    if (leaving == null) {
      backoffs.arm(entry, wait.delay());
    } else if (entry.giveUp()) {
      notWritten.accept(entry.ref(), NotWritten.STOPPING);
    }
  }

  private static void reread(StatusEntry entry, PodView found) {
    if (!found.uid().equals(entry.ref().uid())) {
      entry.removed();
      return;
    }
    KubeException refusal = entry.reread(found);
    if (refusal != null) {
      LOG.atError()
          .addKeyValue("pod", entry.ref().display())
          .addKeyValue("podUid", entry.ref().uid())
          .addKeyValue("error", refusal.getMessage())
          .log("the API server refuses the pod's status");
    }
  }

  private void send(RequestScope scope, StatusEntry entry, KubeRequest request, Answer answer) {
    // a request that waits for its own node's limit takes no slot of other nodes
    int place = scope.limited() ? 0 : 1;
    inFlight += place;
    scope
        .send(request)
        .map(response -> answer.accept(response))
        .otherwise(failure -> failed(entry, KubeException.from(failure)))
        .onComplete(
            v -> {
              inFlight -= place;
              observer.changed(entry);
              drive(entry);
              leaveWhenIdle();
            });
  }

  private @Nullable Void failed(StatusEntry entry, KubeException failure) {
    if (failure.kind() == KubeException.Kind.NOT_FOUND) {
      entry.removed();
      return null;
    }
    entry.failed(failure, nanos.getAsLong(), retries, random);
    if (failure.kind() != KubeException.Kind.CANCELLED) { // LeaseVerticle logs the lost lease
      LOG.atDebug()
          .addKeyValue("pod", entry.ref().display())
          .addKeyValue("podUid", entry.ref().uid())
          .addKeyValue("error", failure.getMessage())
          .log("pod status not written; trying again");
    }
    return null;
  }

  private interface Answer {
    void take(KubeResponse response);

    default @Nullable Void accept(KubeResponse response) {
      take(response);
      return null;
    }
  }
}
