package dev.vertlet.bus;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodStatusView;
import java.util.Objects;

/**
 * What a provider says of a pod; travels as it is from the provider to the status writer.
 *
 * @param node the pod is bound to
 * @param status what the API server should show
 * @param finished no container of the pod runs or will run again and all it held is released: once
 *     the API object is being deleted it may go
 */
public record PodReport(PodRef pod, String node, PodStatusView status, boolean finished)
    implements BusMessage {
  /** Refuses nulls where they are made, in the provider, and not where they would do harm. */
  public PodReport {
    Objects.requireNonNull(pod, "pod");
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(status, "status");
  }
}
