package dev.vertlet.status;

import dev.vertlet.bus.NotWritten;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.PodStatusView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Directs the statuses of static pods to their mirror pods. A mirror may be created after the
 * report, and again later, so the newest report of each static pod is kept. A mirror belongs to the
 * static pod whose UID it carries and whose name and namespace it has: a copy of a mirror under
 * another name belongs to none.
 */
final class StaticReports {
  private final Set<PodRef> statics = new HashSet<>();
  private final Map<PodRef, PodReport> reports = new HashMap<>();

  /** Static pods with a report, by node. */
  private final Map<String, Set<PodRef>> ofNodes = new HashMap<>();

  /** Entries of mirror pods, by their static pod. */
  private final Map<PodRef, StatusEntry> mirrors = new HashMap<>();

  void add(PodRef pod) {
    statics.add(pod);
  }

  /**
   * Takes a pod that may be a mirror.
   *
   * @return the last report of its static pod; null without one, or if the mirror is known already
   */
  @Nullable PodReport mirrored(StatusEntry entry) {
    PodRef of = entry.mirrorOf();
    return of == null || mirrors.put(of, entry) == entry ? null : reports.get(of);
  }

  /**
   * Takes the report of a pod without an entry.
   *
   * @return the entry of its mirror, null without one
   */
  @Nullable StatusEntry reported(PodReport report) {
    PodRef pod = report.pod();
    if (!statics.contains(pod) || resurrects(report, reports.get(pod))) {
      return null;
    }
    keep(report);
    return mirrors.get(pod);
  }

  /** Why {@link #reported} returned no entry. */
  NotWritten notWritten(PodReport report) {
    PodRef pod = report.pod();
    if (!statics.contains(pod)) {
      return NotWritten.POD_GONE;
    }
    return resurrects(report, reports.get(pod))
        ? NotWritten.PHASE_FINAL
        : NotWritten.MIRROR_MISSING;
  }

  private void keep(PodReport report) {
    reports.put(report.pod(), report);
    ofNodes.computeIfAbsent(report.node(), node -> new HashSet<>()).add(report.pod());
  }

  /**
   * Whether the report contradicts a terminal phase: terminal phases are final, whatever a provider
   * reports afterwards.
   */
  private static boolean resurrects(PodReport report, @Nullable PodReport before) {
    return before != null
        && before.status().phase().terminal()
        && before.status().phase() != report.status().phase();
  }

  /** The static pod has ended. */
  void gone(PodRef pod) {
    statics.remove(pod);
    PodReport report = reports.remove(pod);
    if (report != null) {
      ofNodes.computeIfPresent(
          report.node(), (node, pods) -> pods.remove(pod) && pods.isEmpty() ? null : pods);
    }
  }

  /**
   * A mirror is gone. Keeps the status of a pod that had ended before this agent started, since no
   * report follows: the next mirror shows it again.
   */
  void gone(StatusEntry entry) {
    PodRef of = entry.mirrorOf();
    PodStatusView shown = entry.known();
    if (of == null || !mirrors.remove(of, entry) || !statics.contains(of)) {
      return;
    }
    boolean over = shown.phase().terminal() && !shown.endedAsAWhole();
    if (over && !reports.containsKey(of)) {
      keep(new PodReport(of, entry.node(), shown, false));
    }
  }

  /** A new term of the node's lease begins: drops earlier reports of its pods. */
  void begin(String node) {
    Set<PodRef> pods = ofNodes.remove(node);
    if (pods != null) {
      pods.forEach(reports::remove);
    }
  }
}
