package com.example.provider;

import dev.vertlet.provider.ProviderFactory;
import dev.vertlet.tck.ContainerRuntimeTck;

class ExampleContainersTest extends ContainerRuntimeTck {
  @Override
  protected ProviderFactory factory() {
    return new ExampleContainersFactory();
  }
}
