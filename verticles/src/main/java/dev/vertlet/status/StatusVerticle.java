package dev.vertlet.status;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.bus.Addresses.LEASE_LOST;
import static dev.vertlet.bus.Addresses.POD_GONE;
import static dev.vertlet.bus.Addresses.POD_OBSERVED;
import static dev.vertlet.bus.Addresses.POD_REPORTED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.BackoffTimers;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.status.StatusEntry.Step;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the statuses of one shard's pods; sole owner of their {@link StatusEntry}s. */
public final class StatusVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(StatusVerticle.class);

  private final int shard;
  private final boolean brief;
  private final int window;
  private final KubeClient kube;
  private final Bus bus;
  private final LongSupplier nanos;
  private final RandomGenerator random;
  private final Map<String, StatusEntry> entries = new HashMap<>();

  /** Nodes whose lease is held. */
  private final Map<String, Term> served = new HashMap<>();

  private final Set<StatusEntry> dirty = new LinkedHashSet<>();

  private final WriteQueue waiting = new WriteQueue();

  @SuppressWarnings("NullAway.Init") // set by start
  private BackoffTimers<StatusEntry> backoffs;

  private int terms;
  private int inFlight;

  /** Set when this verticle leaves: completed when nothing is in flight any more. */
  private @Nullable Promise<Void> leaving;

  /**
   * @param brief profile {@code fast}: the object of a deleted pod is removed without writing its
   *     final status first
   * @param window requests handed to the client at most; of what has to wait longer, only the
   *     newest is written
   * @param nanos monotonic nanoseconds, for back-off
   */
  public StatusVerticle(
      int shard,
      boolean brief,
      int window,
      KubeClient kube,
      Bus bus,
      LongSupplier nanos,
      RandomGenerator random) {
    this.shard = shard;
    this.brief = brief;
    this.window = window;
    this.kube = kube;
    this.bus = bus;
    this.nanos = nanos;
    this.random = random;
  }

  @Override
  public Future<?> start() {
    backoffs = new BackoffTimers<>(vertx, this::drive);
    return Future.all(
        List.of(
            bus.consume(POD_OBSERVED.shard(shard), m -> onObserved(m.pod())).completion(),
            bus.consume(POD_GONE.shard(shard), m -> onGone(m.pod())).completion(),
            bus.consume(POD_REPORTED.shard(shard), this::onReported).completion(),
            bus.consume(LEASE_ACQUIRED, m -> onAcquired(m.node())).completion(),
            bus.consume(LEASE_LOST, m -> onLost(m.node())).completion()));
  }

  /**
   * Takes no more reports. Completes when the newest status of every pod was sent once and
   * answered; a restarted agent repairs what failed.
   */
  @Override
  public Future<?> stop() {
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

  private void onAcquired(String node) {
    served.put(node, new Term(++terms, kube.scope()));
  }

  /** What still waits for its turn must not go out: the node may be another agent's by then. */
  private void onLost(String node) {
    Term term = served.remove(node);
    if (term != null) {
      term.requests.close();
    }
  }

  private void onObserved(PodView pod) {
    StatusEntry entry = entries.get(pod.uid());
    if (entry == null) {
      entries.put(pod.uid(), new StatusEntry(pod));
    } else {
      entry.observed(pod);
      mark(entry);
    }
  }

  private void onGone(PodRef pod) {
    StatusEntry entry = entries.remove(pod.uid());
    if (entry != null) {
      entry.removed();
    }
  }

  private void onReported(PodReport report) {
    StatusEntry entry = entries.get(report.pod().uid());
    if (entry != null && leaving == null && term(entry) != null) {
      entry.reported(report);
      mark(entry);
    }
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
      context.runOnContext(v -> flush());
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
          KubeRequest.get(Lane.POD_STATUS, path).metadataOnly(),
          answer -> onReread(entry, ObjectMeta.decode(answer.body())));
    } else if (step instanceof Step.Wait wait && leaving == null) {
      backoffs.arm(entry, wait.delay());
    }
  }

  private static void onReread(StatusEntry entry, ObjectMeta found) {
    if (!found.uid().equals(entry.ref().uid())) {
      entry.removed();
      return;
    }
    KubeException refusal = entry.confirmed();
    if (refusal != null) {
      LOG.atError()
          .addKeyValue("pod", entry.ref().display())
          .addKeyValue("podUid", entry.ref().uid())
          .addKeyValue("error", refusal.getMessage())
          .log("the API server refuses the pod's status");
    }
  }

  private void send(Term term, StatusEntry entry, KubeRequest request, Answer answer) {
    inFlight++;
    term.requests
        .send(request)
        .map(response -> answer.accept(response))
        .otherwise(failure -> onFailed(entry, KubeException.from(failure)))
        .onComplete(
            v -> {
              inFlight--;
              drive(entry);
              leaveWhenIdle();
            });
  }

  private @Nullable Void onFailed(StatusEntry entry, KubeException failure) {
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
  private record Term(int number, RequestScope requests) {}

  private interface Answer {
    void take(KubeResponse response);

    default @Nullable Void accept(KubeResponse response) {
      take(response);
      return null;
    }
  }
}
