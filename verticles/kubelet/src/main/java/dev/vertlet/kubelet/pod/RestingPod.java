package dev.vertlet.kubelet.pod;

import dev.vertlet.admission.NodeLedger;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStatusView;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A running pod that nothing is about to happen to. All that the core would remember of it is in
 * the API object, which its source holds anyway.
 *
 * @param view with the last reported status
 * @param ledger that the pod's resources are charged to; null while they are not
 * @param share its counts in the meters, see {@link PodMetricDelta}
 */
public record RestingPod(PodView view, @Nullable NodeLedger ledger, int share) implements Held {
  @Override
  public PodReport report() {
    return new PodReport(view.ref(), view.nodeName(), OwnedStatus.of(view.status()), false);
  }

  @Override
  public void addImages(Set<String> ids) {
    for (ContainerStatusView status : view.status().containerStatuses()) {
      ids.add(status.imageId());
    }
  }
}
