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
 * again after that, so the newest report of each is kept.
 */
final class StaticReports {
  /** UIDs. */
  private final Set<String> statics = new HashSet<>();

  private final Map<String, PodReport> reports = new HashMap<>();

  /** Entries of mirrors by the UID of their static pod. */
  private final Map<String, StatusEntry> mirrors = new HashMap<>();

  void add(String uid) {
    statics.add(uid);
  }

  /**
   * A pod was seen that may be a mirror.
   *
   * @return what its static pod last reported; null for nothing, or when it was seen before
   */
  @Nullable PodReport mirrored(StatusEntry entry) {
    String of = entry.mirrorOf();
    return of == null || mirrors.put(of, entry) == entry ? null : reports.get(of);
  }

  /**
   * A pod that has no entry of its own reported.
   *
   * @return the entry of its mirror, null for none
   */
  @Nullable StatusEntry reported(PodReport report) {
    String uid = report.pod().uid();
    if (!statics.contains(uid) || resurrects(report, reports.get(uid))) {
      return null;
    }
    reports.put(uid, report);
    return mirrors.get(uid);
  }

  /** Terminal phases are final, whatever a provider says afterwards. */
  private static boolean resurrects(PodReport report, @Nullable PodReport before) {
    return before != null
        && before.status().phase().terminal()
        && before.status().phase() != report.status().phase();
  }

  /** The static pod has ended. */
  void gone(String uid) {
    statics.remove(uid);
    reports.remove(uid);
  }

  /**
   * A mirror is gone. A pod that had ended before this agent came is never reported: the next
   * mirror shows what this one did.
   */
  void gone(StatusEntry entry) {
    String of = entry.mirrorOf();
    PodStatusView shown = entry.known();
    if (of == null || !mirrors.remove(of, entry) || !statics.contains(of)) {
      return;
    }
    if (shown.phase().terminal() && !shown.endedAsAWhole()) {
      PodRef pod = new PodRef(entry.ref().namespace(), entry.ref().name(), of);
      reports.putIfAbsent(of, new PodReport(pod, entry.node(), shown, false));
    }
  }

  /** A term of the node's lease begins: what was reported of its pods before counts no longer. */
  void begin(String node) {
    reports.values().removeIf(report -> report.node().equals(node));
  }
}
