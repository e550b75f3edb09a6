package dev.vertlet.status;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.loop.BackoffTimers;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.KeyedTable;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.PodDecoder;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.status.StatusEntry.Step;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the statuses of one shard's pods: asks each pod's {@link StatusEntry} what to send and
 * tells it what came of it. Sole owner of the entries; everything here runs on one loop.
 */
final class StatusWriter {
  private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);

  /** Requests that are only wanted while a node is served. */
  interface Requests {
    /** Fails with a {@link KubeException}; completes on the loop. */
    Future<KubeResponse> send(KubeRequest request);

    /** Whether they may wait for their node's own limit. */
    default boolean limited() {
      return false;
    }

    /** Gives up all of them. */
    void close();
  }

  private final boolean brief;
  private final int window;
  private final Function<String, Requests> scopes;
  private final CoreLoop loop;
  private final LongSupplier nanos;
  private final RandomGenerator random;
  private final PodDecoder decoder = new PodDecoder();
  private final KeyedTable<String, StatusEntry> entries =
      new KeyedTable<>(entry -> entry.ref().uid());
  private final StaticReports statics = new StaticReports();

  /** Nodes whose lease is held. */
  private final Map<String, Term> served = new HashMap<>();

  private final Set<StatusEntry> dirty = new LinkedHashSet<>();

  private final WriteQueue waiting = new WriteQueue();
  private final BackoffTimers<StatusEntry> backoffs;
  private int terms;
  private int inFlight;
  private Witness witness = Witness.NONE;

  /** Set when this writer leaves: completed when nothing is in flight any more. */
  private @Nullable Promise<Void> leaving;

  /**
   * @param brief profile {@code fast}: the object of a deleted pod is removed without writing its
   *     final status first
   * @param window requests handed to the client at most; of what has to wait longer, and in profile
   *     {@code fast}, only the newest is written
   * @param scopes makes the requests of one term of a node's lease
   * @param nanos monotonic nanoseconds, for back-off
   */
  StatusWriter(
      boolean brief,
      int window,
      Function<String, Requests> scopes,
      CoreLoop loop,
      LongSupplier nanos,
      RandomGenerator random) {
    this.brief = brief;
    this.window = window;
    this.scopes = scopes;
    this.loop = loop;
    this.nanos = nanos;
    this.random = random;
    this.backoffs = new BackoffTimers<>(loop, this::drive);
  }

  /**
   * Takes no more reports. Completes when the newest status of every pod was sent once and
   * answered; a restarted agent repairs what failed.
   */
  Future<Void> leave() {
    Promise<Void> left = Promise.promise();
    leaving = left;
    flush();
    leaveWhenIdle();
    return left.future();
  }

  private void leaveWhenIdle() {
    if (leaving != null && inFlight == 0 && waiting.isEmpty()) {
      served.clear();
      leaving.tryComplete();
    }
  }

  /** From now on this one is told. Before anything is. */
  void witness(Witness told) {
    witness = told;
  }

  /** Statuses that wait for their turn, or for an answer. */
  int writes() {
    return waiting.size() + inFlight;
  }

  /** How many pods are known. */
  int size() {
    return entries.size();
  }

  /** Requests without an answer, and pods that wait for one to be sent. */
  boolean idle() {
    return inFlight == 0 && dirty.isEmpty() && waiting.isEmpty();
  }

  /** This agent serves the node. */
  void acquired(String node) {
    statics.begin(node);
    served.put(node, new Term(++terms, scopes.apply(node)));
  }

  /** What still waits for its turn must not go out: the node may be another agent's by then. */
  void lost(String node) {
    Term term = served.remove(node);
    if (term != null) {
      term.requests.close();
    }
  }

  /** What the server holds. */
  void observed(PodView pod) {
    StatusEntry entry = entries.get(pod.uid());
    if (entry == null) {
      StatusEntry made = new StatusEntry(pod);
      entries.put(made);
      witness.seen(made);
    } else {
      entry.observed(pod);
      witness.changed(entry);
      mark(entry);
    }
  }

  /** A pod that the server does not hold: its mirror, if there is one, has its status. */
  void staticObserved(PodRef pod) {
    statics.add(pod);
  }

  /** What the server holds of a mirror, whose static pod may have been reported before. */
  void mirrorObserved(PodView mirror) {
    observed(mirror);
    StatusEntry entry = entries.get(mirror.uid());
    PodReport report = entry == null ? null : statics.mirrored(entry);
    if (entry != null && report != null) {
      report(entry, report);
    }
  }

  /** Its source holds the pod no longer. */
  void gone(PodRef pod) {
    statics.gone(pod);
    StatusEntry entry = entries.remove(pod.uid());
    if (entry != null) {
      entry.removed();
      witness.gone(entry);
      statics.gone(entry);
    }
  }

  /** What the server should hold. */
  void reported(PodReport report) {
    StatusEntry entry = entries.get(report.pod().uid());
    if (entry == null && served.containsKey(report.node())) {
      entry = statics.reported(report);
    }
    if (entry != null) {
      report(entry, report);
    }
  }

  private void report(StatusEntry entry, PodReport report) {
    if (leaving == null && term(entry) != null) {
      entry.reported(report, stepwise());
      witness.reported(entry, report);
      mark(entry);
    }
  }

  /** As a kubelet; it writes the newest alone, too, when writes have to wait. */
  private boolean stepwise() {
    return !brief && waiting.isEmpty() && inFlight < window;
  }

  /** Null while the entry's node is not served. */
  private @Nullable Term term(StatusEntry entry) {
    Term term = served.get(entry.node());
    if (term != null) {
      entry.inTerm(term.number);
    }
    return term;
  }

  /** Reports of one turn of the event loop become one write. */
  private void mark(StatusEntry entry) {
    if (dirty.isEmpty()) {
      loop.later(this::flush);
    }
    dirty.add(entry);
  }

  private void flush() {
    List<StatusEntry> due = new ArrayList<>(dirty);
    dirty.clear();
    due.forEach(waiting::add);
    pump();
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
    Term term = term(entry);
    if (term == null) {
      return;
    }
    Step step = entry.next(brief, nanos.getAsLong());
    PodRef pod = entry.ref();
    if (step instanceof Step.Patch patch) {
      KubePath path = KubePath.podStatus(pod.namespace(), pod.name());
      String type = MediaType.STRATEGIC_MERGE_PATCH;
      send(
          term,
          entry,
          KubeRequest.patch(Lane.POD_STATUS, path, type, patch.body()).metadataOnly(),
          answer -> entry.patched(ObjectMeta.decode(answer.body()).resourceVersion()));
    } else if (step instanceof Step.Delete) {
      KubePath path = KubePath.pod(pod.namespace(), pod.name());
      send(
          term,
          entry,
          KubeRequest.deleteNow(Lane.POD_STATUS, path, pod.uid()),
          answer -> entry.removed());
    } else if (step instanceof Step.Reread) {
      KubePath path = KubePath.pod(pod.namespace(), pod.name());
      send(
          term,
          entry,
          KubeRequest.get(Lane.POD_STATUS, path),
          answer -> reread(entry, decoder.decode(answer.body())));
    } else if (step instanceof Step.Wait wait && leaving == null) {
      backoffs.arm(entry, wait.delay());
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

  private void send(Term term, StatusEntry entry, KubeRequest request, Answer answer) {
    // one that waits for its own node's limit takes no place of another node's
    int place = term.requests.limited() ? 0 : 1;
    inFlight += place;
    term.requests
        .send(request)
        .map(response -> answer.accept(response))
        .otherwise(failure -> failed(entry, KubeException.from(failure)))
        .onComplete(
            v -> {
              inFlight -= place;
              witness.changed(entry);
              drive(entry);
              leaveWhenIdle();
            });
  }

  private @Nullable Void failed(StatusEntry entry, KubeException failure) {
    if (failure.kind() == KubeException.Kind.NOT_FOUND) {
      entry.removed();
      return null;
    }
    entry.failed(failure, nanos.getAsLong(), random);
    LOG.atDebug()
        .addKeyValue("pod", entry.ref().display())
        .addKeyValue("podUid", entry.ref().uid())
        .addKeyValue("error", failure.getMessage())
        .log("pod status not written; trying again");
    return null;
  }

  /**
   * From winning a node's lease to losing it: what was wanted in an earlier term counts no longer.
   */
  private record Term(int number, Requests requests) {}

  private interface Answer {
    void take(KubeResponse response);

    default @Nullable Void accept(KubeResponse response) {
      take(response);
      return null;
    }
  }
}
