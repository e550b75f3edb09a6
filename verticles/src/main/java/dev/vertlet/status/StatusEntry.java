package dev.vertlet.status;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodStatusView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.StatusPatch;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to write for one pod: it knows what the server holds and what it should hold. Pure
 * but for its own fields.
 *
 * <p>What the server holds is the newest, by resourceVersion, of what the watch delivered and what
 * was written here, so an echo of an older state never causes a write, and a status that somebody
 * else changed is put right once.
 */
final class StatusEntry {
  /** What the verticle shall do next. */
  sealed interface Step {
    /**
     * Write a status.
     *
     * @param status that the object has once the body is applied
     */
    record Patch(Buffer body, PodStatusView status) implements Step {}

    /** Remove the API object now, only this UID. */
    record Delete() implements Step {}

    /** Read the object: somebody said that it conflicts, or nobody knows what it is like. */
    record Reread() implements Step {}

    /** Nothing before {@code delay} has passed. */
    record Wait(Duration delay) implements Step {}

    /** Nothing before an event. */
    record Idle() implements Step {}
  }

  /** 100 ms doubling to 10 s: the kubelet re-checks its statuses every 10 s. */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10), 2, 0.2);

  /** What a write may have ended in although it happened. */
  private static final Set<KubeException.Kind> UNSURE =
      EnumSet.of(
          KubeException.Kind.SERVER_ERROR,
          KubeException.Kind.TRANSPORT,
          KubeException.Kind.TIMEOUT,
          KubeException.Kind.DECODE);

  private static final Step IDLE = new Step.Idle();

  private final PodRef ref;
  private final String node;

  /**
   * The static pod that this one only shows: it is as that is, whatever others write, and whoever
   * made it removes it.
   */
  private final @Nullable PodRef mirrorOf;

  private PodStatusView known;
  private long knownVersion;
  private boolean deleting;
  private @Nullable PodStatusView wanted;
  private @Nullable PodStatusView writing;

  /** Statuses to write before the wanted one; null while there are none. */
  private @Nullable StatusSteps steps;

  /**
   * A status that the server may hold or not: its write was not answered. Writing it again is safe;
   * what else is to be written next depends on whether it is there.
   */
  private @Nullable PodStatusView unsure;

  /**
   * A status that the server refused as wrong; not sent again once the object is known to be still
   * this pod.
   */
  private @Nullable PodStatusView refused;

  private @Nullable KubeException refusal;

  private int term;

  /** What {@link PodJournal} counts it as; 0 for nothing. */
  private byte counted;

  private boolean finished;
  private boolean removed;
  private boolean busy;
  private boolean reread;

  /**
   * The watch has brought a newer state since the request in flight was made: if it is the one that
   * this made, it is the truth, as the patch may have met a state that nobody here knew.
   */
  private boolean seenSince;

  private int failures;
  private long due;

  StatusEntry(PodView pod) {
    this.ref = pod.ref();
    this.node = pod.nodeName();
    this.mirrorOf = pod.mirrorOf();
    this.known = pod.status();
    this.knownVersion = pod.resourceVersion();
    this.deleting = pod.deleting();
  }

  PodRef ref() {
    return ref;
  }

  String node() {
    return node;
  }

  /** The static pod that this one only shows, null for a pod of its own. */
  @Nullable PodRef mirrorOf() {
    return mirrorOf;
  }

  /** What the server holds. */
  PodStatusView known() {
    return known;
  }

  boolean deleting() {
    return deleting;
  }

  int counted() {
    return counted;
  }

  void counted(int kind) {
    counted = (byte) kind;
  }

  void observed(PodView pod) {
    deleting = pod.deleting();
    if (isNews(pod)) {
      seenSince |= pod.resourceVersion() > knownVersion;
      known = pod.status();
      knownVersion = pod.resourceVersion();
    } else if (pod.resourceVersion() == knownVersion) {
      known = pod.status(); // it says the same, and others hold it anyway
    }
    shareWanted();
  }

  /** What the server holds and what it should hold is one object once it is one status. */
  private void shareWanted() {
    boolean undisputed = !busy && unsure == null && refused == null;
    if (undisputed && wanted != null && wanted != known && wanted.equals(known)) {
      wanted = known;
    }
  }

  /**
   * Also of a version that was written here: the patch may have met a state that the watch had not
   * brought yet, and what it did not name is as somebody else left it.
   */
  private boolean isNews(PodView pod) {
    return pod.resourceVersion() > knownVersion
        || (pod.resourceVersion() == knownVersion && StatusPatch.needed(pod.status(), known));
  }

  /**
   * What the server should hold.
   *
   * @param stepwise whether a status that was not written yet is written first where it shows what
   *     neither the one before nor this one shows, as long as no write has failed
   */
  void reported(PodReport report, boolean stepwise) {
    PodStatusView before = wanted;
    wanted = report.status();
    finished |= report.finished();
    boolean late = failures > 0;
    if (stepwise && !late && before != null && before != writing && before != known) {
      step(before, wanted);
    }
  }

  private void step(PodStatusView before, PodStatusView after) {
    if (StatusSteps.differ(before, after)) {
      steps = steps == null ? new StatusSteps() : steps;
      steps.add(before);
    }
  }

  /** In a new term of the node's lease nothing is wanted yet: the provider started anew, too. */
  void inTerm(int number) {
    if (term != number) {
      term = number;
      wanted = null;
      steps = null;
      unsure = null;
      refused = null;
      refusal = null;
      finished = false;
      failures = 0;
    }
  }

  /**
   * @param brief whether a deleted pod's final status may be skipped, profile {@code fast}
   * @param now monotonic nanoseconds
   */
  Step next(boolean brief, long now) {
    if (busy || removed) {
      return IDLE;
    }
    Step step = decide(brief);
    if (step == IDLE) {
      return step;
    }
    if (failures > 0 && due - now > 0) {
      return new Step.Wait(Duration.ofNanos(due - now));
    }
    busy = true;
    seenSince = false;
    writing = step instanceof Step.Patch patch ? patch.status() : null;
    return step;
  }

  /**
   * Whether the final status is written and the object has yet to go. Cheap: it may say no where
   * {@link #next} removes the object all the same.
   */
  boolean onlyRemovalIsLeft() {
    return ending() && known == wanted;
  }

  private boolean ending() {
    return finished && deleting && mirrorOf == null;
  }

  private Step decide(boolean brief) {
    if (reread || (unsure != null && wanted != null && wanted != unsure)) {
      return new Step.Reread();
    }
    boolean ending = ending();
    PodStatusView want = nextStep(ending);
    want = want == null ? endedAsKnown() : want;
    boolean differs = want != null && differs(want);
    if (!differs && !ending) {
      return IDLE;
    }
    if (differs && want != null && !(brief && ending)) {
      return new Step.Patch(StatusPatch.encode(ref, known, want), want);
    }
    return new Step.Delete();
  }

  /** Null where the wanted status comes next. */
  private @Nullable PodStatusView nextStep(boolean ending) {
    StatusSteps left = steps;
    steps = null;
    if (left == null || ending || mirrorOf != null) {
      return null;
    }
    PodStatusView step =
        left.next(overtaken -> StatusSteps.differ(known, overtaken) && differs(overtaken));
    steps = left.isEmpty() ? null : left;
    return step;
  }

  private boolean differs(PodStatusView want) {
    return want != refused && !resurrects(want) && StatusPatch.needed(known, want);
  }

  /**
   * A pod that somebody else let fail, say, keeps that phase, and shows how its containers ended.
   */
  private @Nullable PodStatusView endedAsKnown() {
    if (wanted != null && mirrorOf == null) {
      wanted = wanted.endedAs(known);
    }
    return wanted;
  }

  /** Terminal phases are final, whatever a provider says afterwards. */
  private boolean resurrects(PodStatusView want) {
    return mirrorOf == null && known.phase().terminal() && known.phase() != want.phase();
  }

  /** The patch was accepted and made this resourceVersion. */
  void patched(long resourceVersion) {
    settle();
    boolean watched = resourceVersion == knownVersion && seenSince;
    if (resourceVersion >= knownVersion && writing != null && !watched) {
      known = writing;
      knownVersion = resourceVersion;
    }
    writing = null;
    shareWanted();
  }

  /**
   * The object is gone or is being removed by others, or it is another pod by now: nothing more to
   * write.
   */
  void removed() {
    settle();
    removed = true;
  }

  /**
   * The object was read again, and is still this pod.
   *
   * @return why the server refuses the status as such, when it does; worth telling once
   */
  @Nullable KubeException reread(PodView found) {
    busy = false;
    reread = false;
    unsure = null;
    observed(found);
    KubeException why = refusal;
    refusal = null;
    return why;
  }

  private void settle() {
    busy = false;
    reread = false;
    unsure = null;
    failures = 0;
  }

  /** The request in flight failed. */
  void failed(KubeException failure, long now, RandomGenerator random) {
    busy = false;
    steps = null; // what comes late shows the newest
    if (writing != null && UNSURE.contains(failure.kind())) {
      unsure = writing;
    }
    failures++;
    due = now + BACKOFF.delay(failures, random, failure).toNanos();
    switch (failure.recovery()) {
      case REREAD, RELIST -> reread = true;
      case GIVE_UP -> {
        // a server also answers 422 when the object is another pod by now (metadata.uid is
        // immutable)
        reread = true;
        refused = writing;
        refusal = writing == null ? null : failure;
      }
      case RETRY, REAUTHENTICATE -> {}
    }
    writing = null;
  }
}
