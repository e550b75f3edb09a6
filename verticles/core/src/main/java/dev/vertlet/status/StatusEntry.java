package dev.vertlet.status;

import dev.vertlet.bus.NotWritten;
import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.RequestScope;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.status.StatusPatch;
import dev.vertlet.provider.failure.FailedTry;
import dev.vertlet.provider.failure.RetryPolicy;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides what to write for one pod, from the status that the server holds and the wanted one. Pure
 * except for its own fields.
 *
 * <p>The status that the server holds is the newest, by resourceVersion, from the watch and from
 * own writes. So an outdated watch event never causes a write, and a status that another client has
 * changed is corrected once.
 */
final class StatusEntry {
  private static final StatusAction IDLE = new StatusAction.Idle(null);

  private final PodRef ref;
  private final String node;

  /**
   * The static pod of a mirror pod, null for other pods. A mirror shows its static pod's status
   * whatever other clients write, and the mirror keeper removes it.
   */
  private final @Nullable PodRef mirrorOf;

  private PodStatusView known;
  private long knownVersion;
  private boolean deleting;
  private @Nullable PodStatusView wanted;
  private @Nullable PodStatusView writing;

  /** Statuses to write before the wanted one; null while there are none. */
  private @Nullable StatusSteps steps;

  private FailedWrites failures = FailedWrites.NONE;

  private @Nullable RequestScope term;

  /** What {@link PodJournal} counts the pod as; 0 for nothing. */
  private byte counted;

  private boolean finished;
  private boolean removed;
  private boolean busy;

  /** A program asked for the deletion of the object. */
  private boolean deletionEnqueued;

  /** The request in flight deletes the object. */
  private boolean deletes;

  /** The newest reported status was neither sent nor found needless yet. */
  private boolean undecided;

  /**
   * The watch has delivered a newer version since the request in flight was made. If it is the
   * version of that request, the watch's status is the truth: the patch may have been applied to an
   * unknown version.
   */
  private boolean seenSince;

  /** When the request in flight was made. */
  private long began;

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

  /** The static pod of a mirror pod, null for other pods. */
  @Nullable PodRef mirrorOf() {
    return mirrorOf;
  }

  /** The status that the server holds. */
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
      known = pod.status(); // equal, and other owners share this object
    }
    shareWanted();
  }

  /** Shares one object between the server's status and the wanted one once they are equal. */
  private void shareWanted() {
    boolean undisputed = !busy && !failures.disputes();
    if (undisputed && wanted != null && wanted != known && wanted.equals(known)) {
      wanted = known;
    }
  }

  /**
   * Whether the watch has news, also of a version that was written here: the patch may have been
   * applied to an unknown version, and fields outside the patch are as another client left them.
   */
  private boolean isNews(PodView pod) {
    return pod.resourceVersion() > knownVersion
        || (pod.resourceVersion() == knownVersion && StatusPatch.needed(pod.status(), known));
  }

  /**
   * Sets the wanted status.
   *
   * @param stepwise whether to write the previous unwritten status first if it shows a state that
   *     neither its predecessor nor its successor shows, provided that no write has failed
   * @return whether an undecided status was dropped for this one
   */
  boolean reported(PodReport report, boolean stepwise) {
    PodStatusView before = wanted;
    boolean dropped = undecided;
    wanted = report.status();
    undecided = true;
    finished |= report.finished();
    boolean late = failures.isRetry();
    failures = failures.startedOver();
    if (stepwise && !late && before != null && before != writing && before != known) {
      dropped &= !step(before, wanted);
    }
    return dropped;
  }

  /** Whether the status is kept as a step. */
  private boolean step(PodStatusView before, PodStatusView after) {
    if (!StatusSteps.differ(before, after)) {
      return false;
    }
    steps = steps == null ? new StatusSteps() : steps;
    return steps.add(before);
  }

  /**
   * Permits an immediate retry; a request that was given up starts over.
   *
   * @param now monotonic nanoseconds
   */
  void enqueued(long now) {
    failures = failures.startedOver();
    failures.due(now);
  }

  /** Ends a back-off that lasts until the server works again; returns whether there was one. */
  boolean serverReturned(long now) {
    return failures.serverReturned(now);
  }

  /** Deletes the object now, without its last status, whether or not its containers have ended. */
  void enqueueDeletion(long now) {
    deletionEnqueued = mirrorOf == null;
    enqueued(now);
  }

  /** Deletes the object no more until it is asked for, or the provider reports the end again. */
  void forgetDeletion() {
    deletionEnqueued = false;
    finished = false;
    failures = failures.startedOver();
  }

  /** Gives up the newest reported status; returns whether it was undecided. */
  boolean giveUp() {
    boolean before = undecided;
    undecided = false;
    return before;
  }

  /**
   * Wipes all that an earlier term of the node's lease has left here, such as the wanted status:
   * the provider starts over, too.
   *
   * @param current scope of the requests of the current term
   * @return whether an undecided status was wiped
   */
  boolean wipeEarlierTerm(RequestScope current) {
    boolean wiped = false;
    if (term != current) {
      wiped = giveUp();
      term = current;
      wanted = null;
      steps = null;
      failures = failures.wiped();
      finished = false;
      deletionEnqueued = false;
    }
    return wiped;
  }

  /**
   * Returns the next action.
   *
   * @param brief whether to skip a deleted pod's final status, profile {@code fast}
   * @param now monotonic nanoseconds
   */
  StatusAction next(boolean brief, long now) {
    if (busy) {
      return IDLE;
    }
    StatusAction action = action(brief);
    if (action instanceof StatusAction.Idle) {
      undecided = false;
      return action;
    }
    Duration wait = failures.left(now);
    if (wait.compareTo(Duration.ZERO) > 0) {
      return new StatusAction.Wait(wait);
    }
    busy = true;
    began = now;
    deletes = action instanceof StatusAction.Delete;
    seenSince = false;
    writing = action instanceof StatusAction.Patch patch ? patch.status() : null;
    undecided &= action instanceof StatusAction.Reread || (writing != null && writing != wanted);
    return action;
  }

  private StatusAction action(boolean brief) {
    if (removed) {
      return idle(NotWritten.POD_GONE);
    }
    return failures.givenUp() ? idle(NotWritten.GIVEN_UP) : decide(brief);
  }

  private StatusAction idle(NotWritten reason) {
    return undecided ? new StatusAction.Idle(reason) : IDLE;
  }

  /**
   * Whether the final status is written and only the object's removal remains. Cheap: may return
   * false although {@link #next} removes the object.
   */
  boolean onlyRemovalIsLeft() {
    return deletionEnqueued || (ending() && known == wanted);
  }

  private boolean ending() {
    return finished && deleting && mirrorOf == null;
  }

  private StatusAction decide(boolean brief) {
    if (failures.requireReadBefore(wanted)) {
      return new StatusAction.Reread();
    }
    if (deletionEnqueued) {
      return new StatusAction.Delete(undecided);
    }
    boolean ending = ending();
    PodStatusView want = nextStep(ending);
    boolean overruled = want == null && wanted != null && resurrects(wanted);
    want = want == null ? endedAsKnown() : want;
    boolean differs = want != null && differs(want);
    if (!differs && !ending) {
      NotWritten needless = failures.refuse(want) ? NotWritten.REFUSED : NotWritten.UNCHANGED;
      return idle(overruled ? NotWritten.PHASE_FINAL : needless);
    }
    if (differs && want != null && !(brief && ending)) {
      return new StatusAction.Patch(StatusPatch.encode(ref, known, want), want);
    }
    return new StatusAction.Delete(differs && undecided);
  }

  /** Returns null if the wanted status is next. */
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
    return !failures.refuse(want) && !resurrects(want) && StatusPatch.needed(known, want);
  }

  /** Keeps a terminal phase that another client has set, with the containers' final states. */
  private @Nullable PodStatusView endedAsKnown() {
    if (wanted != null && mirrorOf == null) {
      wanted = wanted.endedAs(known);
    }
    return wanted;
  }

  /** Terminal phases are final, whatever a provider reports afterwards. */
  private boolean resurrects(PodStatusView want) {
    return mirrorOf == null && known.phase().terminal() && known.phase() != want.phase();
  }

  /** The patch succeeded and created this resourceVersion. */
  void patched(long resourceVersion) {
    answered();
    boolean watched = resourceVersion == knownVersion && seenSince;
    if (resourceVersion >= knownVersion && writing != null && !watched) {
      known = writing;
      knownVersion = resourceVersion;
    }
    writing = null;
    shareWanted();
  }

  /**
   * The object is gone, is being removed by others, or is another pod by now: nothing is written
   * any more.
   */
  void removed() {
    answered();
    removed = true;
  }

  /**
   * The object was read, and is still this pod.
   *
   * @return why the server rejects the status, if it does; returned once
   */
  @Nullable KubeException reread(PodView found) {
    busy = false;
    KubeException why = failures.refusal();
    failures = failures.reread();
    observed(found);
    return why;
  }

  private void answered() {
    busy = false;
    failures = failures.answered();
  }

  /**
   * The request in flight failed.
   *
   * @param now monotonic nanoseconds
   * @param retries decides about the next try
   */
  void failed(KubeException failure, long now, StatusRetries retries, RandomGenerator random) {
    busy = false;
    undecided |= writing != null && writing == wanted;
    steps = null; // a late write shows the newest status only
    RetryPolicy policy = deletes ? retries.deletion() : retries.status();
    failures =
        failures.failed(
            failure,
            writing,
            began,
            now,
            (count, elapsed) -> policy.next(new FailedTry(ref, count, elapsed, failure), random));
    writing = null;
  }
}
