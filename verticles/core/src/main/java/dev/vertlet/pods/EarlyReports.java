package dev.vertlet.pods;

import dev.vertlet.bus.PodReport;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the reports of a node's pods until the node is served for the first time: a provider may
 * report as soon as it is started, about pods that it kept while no agent ran. Keeps the newest
 * report of each pod. Later reports, made while another agent serves the node, are dropped.
 */
final class EarlyReports {
  /** By node, then by UID; a missing node has been served already. */
  private final Map<String, Map<String, PodReport>> waiting = new HashMap<>();

  EarlyReports(Collection<String> nodes) {
    nodes.forEach(node -> waiting.put(node, new HashMap<>()));
  }

  /**
   * Keeps a report until the node is served.
   *
   * @return false if the node has been served already, and the report is dropped
   */
  boolean keep(PodReport report) {
    Map<String, PodReport> ofNode = waiting.get(report.node());
    if (ofNode != null) {
      ofNode.put(report.pod().uid(), report);
    }
    return ofNode != null;
  }

  /**
   * Drops the report of a pod that its source no longer holds: a standby must not accumulate
   * reports.
   */
  void gone(String node, String uid) {
    Map<String, PodReport> ofNode = waiting.get(node);
    if (ofNode != null) {
      ofNode.remove(uid);
    }
  }

  /** The provider was called to forget the node's pods: drops its reports. */
  void drop(String node) {
    waiting.remove(node);
  }

  /** Returns the reports made until now, once, when the node begins to be served. */
  List<PodReport> take(String node) {
    @Nullable Map<String, PodReport> ofNode = waiting.remove(node);
    return ofNode == null ? List.of() : List.copyOf(ofNode.values());
  }
}
