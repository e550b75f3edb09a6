package dev.vertlet.status;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodStatusView;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where the statuses of static pods go: to their mirrors. A mirror may come after the report, and
 * again after that, so the newest report of each is kept. A mirror belongs to the static pod whose
 * UID it carries and whose name and namespace it has: a pod that somebody copied from it belongs to
 * none.
 */
final class StaticReports {
  private final Set<PodRef> statics = new HashSet<>();
  private final Map<PodRef, PodReport> reports = new HashMap<>();

  /** Whose reports are kept, by their nodes. */
  private final Map<String, Set<PodRef>> ofNodes = new HashMap<>();

  /** Entries of mirrors by the static pod that they show. */
  private final Map<PodRef, StatusEntry> mirrors = new HashMap<>();

  void add(PodRef pod) {
    statics.add(pod);
  }

  /**
   * A pod was seen that may be a mirror.
   *
   * @return what its static pod last reported; null for nothing, or when it was seen before
   */
  @Nullable PodReport mirrored(StatusEntry entry) {
    PodRef of = entry.mirrorOf();
    return of == null || mirrors.put(of, entry) == entry ? null : reports.get(of);
  }

  /**
   * A pod that has no entry of its own reported.
   *
   * @return the entry of its mirror, null for none
   */
  @Nullable StatusEntry reported(PodReport report) {
    PodRef pod = report.pod();
    if (!statics.contains(pod) || resurrects(report, reports.get(pod))) {
      return null;
    }
    keep(report);
    return mirrors.get(pod);
  }

  private void keep(PodReport report) {
    reports.put(report.pod(), report);
    ofNodes.computeIfAbsent(report.node(), node -> new HashSet<>()).add(report.pod());
  }

  /** Terminal phases are final, whatever a provider says afterwards. */
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
   * A mirror is gone. A pod that had ended before this agent came is never reported: the next
   * mirror shows what this one did.
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

  /** A term of the node's lease begins: what was reported of its pods before counts no longer. */
  void begin(String node) {
    Set<PodRef> pods = ofNodes.remove(node);
    if (pods != null) {
      pods.forEach(reports::remove);
    }
  }
}
