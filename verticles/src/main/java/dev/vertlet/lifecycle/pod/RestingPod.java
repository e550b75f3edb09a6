package dev.vertlet.lifecycle.pod;

import dev.vertlet.admission.NodeLedger;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.ContainerStatusView;
import dev.vertlet.model.PodView;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod that runs and that nothing is about to happen to. What the core would remember of it is in
 * the object that the API server holds, which whoever handed it over holds anyway.
 *
 * @param view with the status that was reported last
 * @param ledger where the pod's part of its node stays kept; null while it takes none
 * @param share what it is counted as, see {@link PodMetricDelta}
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
