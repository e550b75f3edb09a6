package dev.vertlet.simulated;

import dev.vertlet.provider.Backend;
import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.simulated.rule.Annotations;
import dev.vertlet.tck.ContainerRuntimeTck;
import dev.vertlet.tck.TckPod;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The simulated runtime keeps every promise of its interface. */
class SimulatedTckTest extends ContainerRuntimeTck {
  static SimulatedRuntime runtime(ProviderSetup setup) {
    return SimulatedRuntime.create(
        setup.vertx(),
        setup.clock(),
        1,
        node -> List.of(),
        node -> setup.node(node).podCidr(),
        node -> setup.node(node).capacity());
  }

  @Override
  protected ProviderFactory factory() {
    return ProviderFactory.of("simulated", setup -> new Backend.Containers(runtime(setup)));
  }

  @Override
  protected Optional<UnaryOperator<TckPod>> impossible() {
    return Optional.of(pod -> pod.annotated(Annotations.PREFIX + "start-delay", "soon"));
  }
}
