package dev.vertlet.remote;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.remote.client.PodPayload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the back end holds, beside what the agent wants of it, by UID.
 *
 * <p>States arrive on three ways: answers of calls, the event stream, lists. They may overtake one
 * another, so of two states the one with the higher revision counts. A pod is lost when a list that
 * began after it was last seen does not have it, or when the stream says so.
 *
 * <p>Makes no calls and reads no clock.
 */
final class PodBook implements HeldStates {
  /** Carries out decisions. */
  interface Effects {
    /** The status of a pod that the agent wants has changed. */
    void report(PodReport report);

    /** The back end has a pod that the agent has not asked for, as far as this object knows. */
    void unclaimed(PodReport report);

    /** The back end has lost a pod that may run again. */
    void createAgain(PodView pod);

    /** The back end has lost a pod; called before {@link #createAgain} or a report. */
    void lost(PodView pod);
  }

  /** What has to be done for a pod that the agent wants. */
  enum Claim {
    /** The back end runs it as it is wanted. */
    ADOPTED,
    /** It is to be sent. */
    SEND,
    /** It ran, is lost, and may not run again: it was reported as failed. */
    OVER
  }

  private final Function<String, String> hostIPs;
  private final Supplier<Instant> now;
  private final Effects effects;
  private final Map<String, Entry> entries = new HashMap<>();
  private final Set<String> released = new HashSet<>();
  private long lists;

  private static final class Entry {
    /** Null for a pod that was not asked for. */
    @Nullable PodView wanted;

    /** Null while the back end does not have the pod. */
    @Nullable PodState held;

    @Nullable PodReport reported;

    /** Number of the last list that had begun when the pod was last seen. */
    long seen;

    boolean ending;
    boolean killed;

    /** The loss was reported, and the pod was not seen since. */
    boolean lost;

    /** Status that restarts go by: the last one that is known. */
    PodStatusView last() {
      if (reported != null) {
        return reported.status();
      }
      return wanted == null ? PodStatusView.EMPTY : wanted.status();
    }
  }

  /**
   * @param hostIPs address of a node by its name, empty for none
   */
  PodBook(Function<String, String> hostIPs, Supplier<Instant> now, Effects effects) {
    this.hostIPs = hostIPs;
    this.now = now;
    this.effects = effects;
  }

  /** The agent wants this pod to run. */
  Claim claim(PodView pod) {
    Entry entry = entries.computeIfAbsent(pod.uid(), uid -> new Entry());
    released.remove(pod.nodeName());
    if (entry.wanted == null) {
      entry.reported = null; // it was raw: what the API server holds counts more
    }
    entry.wanted = pod;
    entry.killed = false;
    entry.ending = false;
    PodState held = entry.held;
    if (held != null) {
      report(entry, pod, held);
      return held.fingerprint().equals(PodPayload.fingerprint(pod)) ? Claim.ADOPTED : Claim.SEND;
    }
    return mayRun(entry, pod) ? Claim.SEND : Claim.OVER;
  }

  /** Decides about a pod that the back end does not have; reports one that may not run again. */
  private boolean mayRun(Entry entry, PodView pod) {
    PodStatusView last = entry.last();
    if (!Statuses.hasRun(last)) {
      return true;
    }
    if (!entry.lost) {
      entry.lost = true;
      effects.lost(pod);
    }
    boolean again = pod.spec().restartPolicy() != RestartPolicy.NEVER;
    Instant at = now.get();
    tell(
        entry,
        new PodReport(
            pod.ref(),
            pod.nodeName(),
            again ? Statuses.restarting(last, at) : Statuses.lost(last, at),
            !again));
    return again;
  }

  /** Restart counts with which the pod's containers begin when it is sent. */
  Map<String, Integer> restartCounts(PodView pod) {
    Entry entry = entries.get(pod.uid());
    return entry == null || entry.held != null ? Map.of() : Statuses.restartCounts(entry.last());
  }

  /** Whether the back end has the pod. */
  boolean holds(String uid) {
    Entry entry = entries.get(uid);
    return entry != null && entry.held != null;
  }

  /** Whether the back end has the pod with this definition. */
  boolean holds(PodView pod) {
    Entry entry = entries.get(pod.uid());
    PodState held = entry == null ? null : entry.held;
    return held != null && held.fingerprint().equals(PodPayload.fingerprint(pod));
  }

  /** The pod's definition has changed. */
  void updated(PodView pod) {
    Entry entry = entries.get(pod.uid());
    if (entry != null && entry.wanted != null) {
      entry.wanted = pod;
    }
  }

  /** Returns a pod that is to run and that the back end does not have; null otherwise. */
  @Nullable PodView missing(String uid) {
    Entry entry = entries.get(uid);
    if (entry == null || entry.held != null || entry.ending || entry.killed || over(entry)) {
      return null;
    }
    return entry.wanted;
  }

  private static boolean over(Entry entry) {
    PodReport reported = entry.reported;
    return reported != null && (reported.finished() || reported.status().phase().terminal());
  }

  /** The agent wants the pod to end. */
  void ending(String uid) {
    Entry entry = entries.get(uid);
    if (entry != null) {
      entry.ending = true;
    }
  }

  /** The agent wants the pod to end without a report. */
  void killing(String uid) {
    Entry entry = entries.get(uid);
    if (entry != null) {
      entry.killed = true;
    }
  }

  /** The pod could not be ended, and is listed again. */
  void notKilled(String uid) {
    Entry entry = entries.get(uid);
    if (entry != null) {
      entry.killed = false;
    }
  }

  /** The back end does not have the pod any more, as an answer to a call. */
  void forget(String uid) {
    entries.remove(uid);
  }

  /** A state arrived in an answer or on the stream. */
  void observed(PodState state) {
    Entry entry = entries.computeIfAbsent(state.pod().uid(), uid -> new Entry());
    entry.seen = lists;
    PodState before = entry.held;
    if (before != null && state.revision() <= before.revision()) {
      return;
    }
    entry.held = state;
    entry.lost = false;
    PodView wanted = entry.wanted;
    if (wanted != null && !entry.killed) {
      report(entry, wanted, state);
    } else if (wanted == null) {
      entry.reported = new PodReport(state.pod(), state.node(), state.status(), state.finished());
      effects.unclaimed(entry.reported);
    }
  }

  private void report(Entry entry, PodView pod, PodState state) {
    PodStatusView status =
        Statuses.completed(
            pod, state.status(), entry.last(), hostIPs.apply(pod.nodeName()), now.get());
    tell(entry, new PodReport(pod.ref(), pod.nodeName(), status, state.finished()));
  }

  private void tell(Entry entry, PodReport report) {
    boolean first = entry.reported == null || entry.wanted == null;
    if (first || !report.equals(entry.reported)) {
      entry.reported = report;
      effects.report(report);
    }
  }

  /** The back end has the pod, whatever it says about it. */
  void seen(String uid) {
    Entry entry = entries.get(uid);
    if (entry != null) {
      entry.seen = lists;
    }
  }

  @Override
  public void gone(String uid, long revision) {
    Entry entry = entries.get(uid);
    if (entry != null && entry.held != null && entry.held.revision() <= revision) {
      lost(uid, entry);
    }
  }

  private void lost(String uid, Entry entry) {
    PodView pod = entry.wanted;
    entry.held = null;
    if (pod == null || entry.killed) {
      entries.remove(uid);
    } else if (over(entry)) {
      return;
    } else if (entry.ending) {
      PodStatusView end = Statuses.ended(entry.last(), now.get());
      tell(entry, new PodReport(pod.ref(), pod.nodeName(), end, true));
    } else if (mayRun(entry, pod)) {
      effects.createAgain(pod);
    }
  }

  @Override
  public long listing() {
    return ++lists;
  }

  @Override
  public void listed(long number, Collection<String> uids) {
    Set<String> present = Set.copyOf(uids);
    for (String uid : List.copyOf(entries.keySet())) {
      Entry entry = entries.get(uid);
      if (entry != null && entry.held != null && entry.seen < number && !present.contains(uid)) {
        lost(uid, entry);
      }
    }
  }

  /** Forgets what is wanted of a node's pods; they run on. */
  void release(String node) {
    released.add(node);
    entries
        .values()
        .removeIf(entry -> entry.held == null && entry.wanted != null && at(entry.wanted, node));
    for (Entry entry : entries.values()) {
      if (entry.wanted != null && at(entry.wanted, node)) {
        entry.wanted = null;
        entry.ending = false;
      }
    }
  }

  private static boolean at(PodView pod, String node) {
    return pod.nodeName().equals(node);
  }

  /** The node may be served again: its pods are listed. */
  void served(String node) {
    released.remove(node);
  }

  /** The last report of each pod in the back end, without those of released nodes. */
  List<PodReport> reports() {
    List<PodReport> reports = new ArrayList<>();
    entries.values().forEach(entry -> shown(entry).ifPresent(reports::add));
    return reports;
  }

  Optional<PodReport> report(PodRef pod) {
    Entry entry = entries.get(pod.uid());
    return entry == null ? Optional.empty() : shown(entry);
  }

  private Optional<PodReport> shown(Entry entry) {
    PodReport reported = entry.reported;
    boolean hidden =
        entry.held == null
            || entry.killed
            || reported == null
            || released.contains(reported.node());
    return hidden ? Optional.empty() : Optional.ofNullable(reported);
  }

  /** The pod with this UID as the agent wants it; null if it does not. */
  @Nullable PodView wanted(String uid) {
    Entry entry = entries.get(uid);
    return entry == null ? null : entry.wanted;
  }
}
