package dev.vertlet.bus;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.PodStatusView;
import java.util.Objects;

/**
 * A provider's report on a pod; passed unchanged from the provider to the status writer.
 *
 * @param node the pod is bound to
 * @param status for the API server
 * @param finished no container of the pod runs or will run again, and all its resources are
 *     released: the API object may be removed once it is being deleted
 */
public record PodReport(PodRef pod, String node, PodStatusView status, boolean finished)
    implements BusMessage {
  /** Rejects nulls at their origin, in the provider, before they cause harm elsewhere. */
  public PodReport {
    Objects.requireNonNull(pod, "pod");
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(status, "status");
  }
}
