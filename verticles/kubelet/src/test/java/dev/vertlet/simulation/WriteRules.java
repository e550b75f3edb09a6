package dev.vertlet.simulation;

import dev.vertlet.kubelet.SimulatedContainers;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.status.StatusPatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Judges each write of the agent by what was there before and what the agent knew. */
final class WriteRules {
  private final Journal journal;
  private final SimulatedContainers containers;
  private final Map<String, Pod> pods = new HashMap<>();
  private final Set<String> ended = new HashSet<>();

  WriteRules(Journal journal, SimulatedContainers containers) {
    this.journal = journal;
    this.containers = containers;
  }

  /** What is known of one pod's writes. */
  private static final class Pod {
    /** Statuses that the agent wanted, in order; reset with every term of a lease. */
    final List<PodStatusView> wanted = new ArrayList<>();

    /** The newest of these that the server has held. */
    int shown;

    /** Revision of the last change of the status, and of the last one by somebody else. */
    long written;

    long meddled;

    /** The newest revision that the watch, and that an answer, told the agent's writer. */
    long seen;

    long answered;

    int inFlight;
  }

  private Pod of(String uid) {
    return pods.computeIfAbsent(uid, u -> new Pod());
  }

  /** The writer was told what the server should show. */
  void wanted(String uid, PodStatusView status) {
    of(uid).wanted.add(status);
  }

  /** The newest status that the server should show; null for none since the lease was acquired. */
  @Nullable PodStatusView newest(String uid) {
    List<PodStatusView> wanted = of(uid).wanted;
    return wanted.isEmpty() ? null : wanted.get(wanted.size() - 1);
  }

  /** The writer was told by the watch what the server shows. */
  void seen(String uid, long revision) {
    Pod pod = of(uid);
    pod.seen = Math.max(pod.seen, revision);
  }

  /** The writer was told by an answer that its write made this revision. */
  void answered(String uid, long revision) {
    Pod pod = of(uid);
    pod.answered = Math.max(pod.answered, revision);
  }

  /** A new agent, or a new term of the lease: nothing is wanted yet. */
  void reset() {
    for (Pod pod : pods.values()) {
      pod.wanted.clear();
      pod.shown = 0;
      pod.seen = 0;
      pod.answered = 0;
      pod.inFlight = 0;
    }
  }

  void reset(String uid) {
    Pod pod = of(uid);
    pod.wanted.clear();
    pod.shown = 0;
  }

  /** A write leaves the agent. */
  Wire.Sent sent(String uid) {
    Pod pod = of(uid);
    if (++pod.inFlight > 1) {
      journal.broken(Invariant.ONE_WRITE_IN_FLIGHT, "a second request about " + uid);
    }
    return new Wire.Sent(uid, pod.seen, pod.answered);
  }

  /** Its answer reaches the agent. */
  void answered(String uid) {
    of(uid).inFlight--;
  }

  /** The status of a pod was changed. */
  void written(PodRef ref, long revision, boolean bySomebodyElse) {
    Pod pod = of(ref.uid());
    pod.written = revision;
    if (bySomebodyElse) {
      pod.meddled = revision;
    }
  }

  /** The agent changed a status. */
  void patched(PodStatusView before, PodView made, Wire.Sent sent) {
    PodRef ref = made.ref();
    PodStatusView after = made.status();
    Pod pod = of(ref.uid());
    boolean informed = pod.meddled <= sent.seen();
    if (before.phase().terminal() && before.phase() != after.phase() && informed) {
      journal.broken(
          Invariant.TERMINAL_PHASE_IS_STICKY,
          ref.uid() + " was " + before.phase() + " and is " + after.phase());
    }
    counts(ref, before.initContainerStatuses(), after.initContainerStatuses());
    counts(ref, before.containerStatuses(), after.containerStatuses());
    if (informed && pod.written <= Math.max(sent.seen(), sent.answered())) {
      newest(ref, pod, after);
    }
    if (!informed) {
      // what somebody else wrote is known once a version after this one is seen
      pod.meddled = made.resourceVersion();
    }
    // an end that somebody else wrote is not known to the agent yet
    if (!before.phase().terminal() && after.phase().terminal() && ended.add(ref.uid())) {
      containers.ended(ended);
    }
  }

  private void counts(
      PodRef ref, List<ContainerStatusView> before, List<ContainerStatusView> after) {
    for (ContainerStatusView was : before) {
      for (ContainerStatusView is : after) {
        if (is.name().equals(was.name()) && is.restartCount() < was.restartCount()) {
          journal.broken(
              Invariant.RESTART_COUNT_IS_MONOTONIC,
              ref.uid() + "/" + is.name() + ": " + was.restartCount() + " > " + is.restartCount());
        }
      }
    }
  }

  private void newest(PodRef ref, Pod pod, PodStatusView after) {
    for (int i = pod.wanted.size() - 1; i >= pod.shown; i--) {
      if (!StatusPatch.needed(after, pod.wanted.get(i).endedAs(after))) {
        pod.shown = i;
        return;
      }
    }
    journal.broken(
        Invariant.NEWEST_STATUS_WINS,
        ref.uid()
            + " shows a status that is older than the one before, or that nobody wanted; the newest"
            + " wants "
            + (pod.wanted.isEmpty()
                ? "nothing"
                : StatusPatch.encode(ref, after, pod.wanted.get(pod.wanted.size() - 1))));
  }

  /** The agent removes an object. */
  void removed(PodView pod) {
    if (!pod.deleting()) {
      journal.broken(
          Invariant.DELETED_POD_IS_STOPPED, pod.uid() + " is removed, and nobody deleted it");
    }
    if (containers.running(pod.ref()) > 0) {
      journal.broken(
          Invariant.DELETED_POD_IS_STOPPED, pod.uid() + " is removed and its containers run");
    }
  }

  /** A runtime was asked for something it must never be asked for. */
  void containers() {
    String violation = containers.violation();
    if (violation != null) {
      journal.broken(
          violation.contains("after the end")
              ? Invariant.TERMINAL_PHASE_IS_STICKY
              : Invariant.NO_DOUBLE_START,
          violation);
    }
  }
}
