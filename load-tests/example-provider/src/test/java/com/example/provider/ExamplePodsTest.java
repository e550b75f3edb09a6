package com.example.provider;

import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.tck.PodProviderTck;
import dev.vertlet.tck.TckPod;
import java.util.Optional;
import java.util.function.UnaryOperator;

class ExamplePodsTest extends PodProviderTck {
  @Override
  protected ProviderFactory factory() {
    return new ExamplePodsFactory();
  }

  @Override
  protected Optional<UnaryOperator<TckPod>> impossible() {
    return Optional.of(pod -> pod.annotated(ExamplePods.REFUSED, "true"));
  }
}
