package dev.vertlet.model.resource;

import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.QosClass;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Computes the QoS class of one pod from its containers' requests and limits. Only CPU and memory
 * count, and only amounts above 0.
 *
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/apis/core/v1/helper/qos/qos.go">
 *     ComputePodQOS, Kubernetes 1.36.3</a>
 */
public final class QosTally {
  private static final List<String> COUNTED = List.of("cpu", "memory");

  private Map<String, Long> requests = Map.of();
  private Map<String, Long> limits = Map.of();
  private boolean limited = true;

  /** Adds one container of any kind except ephemeral. */
  public void add(ResourcesView resources) {
    requests = sum(requests, resources.requests());
    limits = sum(limits, resources.limits());
    limited &= sum(Map.of(), resources.limits()).size() == COUNTED.size();
  }

  /**
   * Returns the class.
   *
   * @param whole pod-level resources, which replace those of containers unless empty
   */
  public QosClass of(ResourcesView whole) {
    if (!whole.requests().isEmpty() || !whole.limits().isEmpty()) {
      QosTally own = new QosTally();
      own.add(whole);
      return own.of();
    }
    return of();
  }

  private QosClass of() {
    if (requests.isEmpty() && limits.isEmpty()) {
      return QosClass.BEST_EFFORT;
    }
    return limited && requests.equals(limits) ? QosClass.GUARANTEED : QosClass.BURSTABLE;
  }

  private static Map<String, Long> sum(Map<String, Long> before, Map<String, String> quantities) {
    Map<String, Long> sum = before;
    for (String resource : COUNTED) {
      String text = quantities.get(resource);
      long amount = text == null ? 0 : RequestTally.amount(resource, text);
      if (amount > 0) {
        sum = sum.isEmpty() ? new HashMap<>() : sum;
        sum.merge(resource, amount, Long::sum);
      }
    }
    return sum;
  }
}
