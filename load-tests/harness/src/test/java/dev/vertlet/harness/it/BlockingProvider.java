package dev.vertlet.harness.it;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Provider {@code blocking}: a container runtime that answers until it is asked to start a
 * container, which blocks the thread that asks for ever.
 */
final class BlockingProvider {
  private static final String SOURCE =
      """
      package com.example.provider;

      import dev.vertlet.model.container.ContainerView;
      import dev.vertlet.model.pod.PodView;
      import dev.vertlet.provider.Backend;
      import dev.vertlet.provider.container.ContainerRecord;
      import dev.vertlet.provider.ProviderFactory;
      import dev.vertlet.provider.ProviderSettings;
      import dev.vertlet.provider.ProviderSetup;
      import io.vertx.core.Future;
      import java.util.concurrent.CountDownLatch;

      public final class BlockingFactory implements ProviderFactory {
        @Override
        public int spiVersion() {
          return ProviderFactory.SPI_VERSION;
        }

        @Override
        public String name() {
          return "blocking";
        }

        @Override
        public void check(ProviderSettings settings) {}

        @Override
        public Backend create(ProviderSetup setup) {
          return new Backend.Containers(new Blocking(setup));
        }

        private static final class Blocking extends ExampleContainers {
          Blocking(ProviderSetup setup) {
            super(setup);
          }

          @Override
          public Future<ContainerRecord> startContainer(
              PodView pod, ContainerView container, int attempt, String imageId) {
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            return Future.failedFuture("interrupted");
          }
        }
      }
      """;

  private BlockingProvider() {}

  /** A directory for {@code providers.directory} with its jar alone. */
  static Path directory(Path folder) throws IOException {
    return ExampleProvider.directory(folder, "BlockingFactory", SOURCE);
  }
}
