package dev.vertlet.pods;

import dev.vertlet.bus.PodReport;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is reported of a node's pods before the node is served for the first time: a provider may
 * speak as soon as it is started, from the pods that it kept while no agent ran. Of each pod the
 * newest counts. What is said later, while another agent serves the node, is none of ours.
 */
final class EarlyReports {
  /** By node, then by UID; a node that is not here was served already. */
  private final Map<String, Map<String, PodReport>> waiting = new HashMap<>();

  EarlyReports(Collection<String> nodes) {
    nodes.forEach(node -> waiting.put(node, new HashMap<>()));
  }

  /** Keeps it until the node is served; nothing where that was before. */
  void keep(PodReport report) {
    Map<String, PodReport> ofNode = waiting.get(report.node());
    if (ofNode != null) {
      ofNode.put(report.pod().uid(), report);
    }
  }

  /** Its source holds the pod no longer: a standby must not collect what was. */
  void gone(String node, String uid) {
    Map<String, PodReport> ofNode = waiting.get(node);
    if (ofNode != null) {
      ofNode.remove(uid);
    }
  }

  /** The provider was told to forget the node's pods: nothing that it says of them is kept. */
  void drop(String node) {
    waiting.remove(node);
  }

  /** The node is served: what was reported until now, once. */
  List<PodReport> take(String node) {
    @Nullable Map<String, PodReport> ofNode = waiting.remove(node);
    return ofNode == null ? List.of() : List.copyOf(ofNode.values());
  }
}
