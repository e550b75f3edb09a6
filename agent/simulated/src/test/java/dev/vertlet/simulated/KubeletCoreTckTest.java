package dev.vertlet.simulated;

import dev.vertlet.kubelet.KubeletCore;
import dev.vertlet.kubelet.KubeletNodes;
import dev.vertlet.kubelet.KubeletOptions;
import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.tck.PodProviderTck;

/** The kubelet core on the simulated runtime keeps every promise of a provider of whole pods. */
class KubeletCoreTckTest extends PodProviderTck {
  @Override
  protected ProviderFactory factory() {
    return ProviderFactory.of(
        "core",
        setup ->
            new Backend.Pods(
                new KubeletCore(
                    SimulatedTckTest.runtime(setup),
                    KubeletOptions.DEFAULTS,
                    new KubeletNodes(node -> setup.node(node).hostIPs()))));
  }
}
