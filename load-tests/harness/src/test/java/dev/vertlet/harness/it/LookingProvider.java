package dev.vertlet.harness.it;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Provider {@code looking}: a container runtime that sees the environment, which it writes to a
 * file, one variable a line; containers named {@code broken} do not start.
 */
final class LookingProvider {
  private static final String SOURCE =
      """
      package com.example.provider;

      import dev.vertlet.model.ContainerView;
      import dev.vertlet.model.PodView;
      import dev.vertlet.provider.Backend;
      import dev.vertlet.provider.ContainerRecord;
      import dev.vertlet.provider.ProviderFactory;
      import dev.vertlet.provider.ProviderSettings;
      import dev.vertlet.provider.ProviderSetup;
      import io.vertx.core.Future;
      import java.io.IOException;
      import java.io.UncheckedIOException;
      import java.nio.file.Files;
      import java.nio.file.Path;
      import java.nio.file.StandardOpenOption;
      import java.util.Map;

      public final class LookingFactory implements ProviderFactory {
        @Override
        public int spiVersion() {
          return ProviderFactory.SPI_VERSION;
        }

        @Override
        public String name() {
          return "looking";
        }

        @Override
        public void check(ProviderSettings settings) {}

        @Override
        public Backend create(ProviderSetup setup) {
          return new Backend.Containers(new Looking(setup));
        }

        private static final class Looking extends ExampleContainers {
          Looking(ProviderSetup setup) {
            super(setup);
          }

          @Override
          public boolean usesEnvironment() {
            return true;
          }

          @Override
          public Future<ContainerRecord> startContainer(
              PodView pod,
              ContainerView container,
              int attempt,
              String imageId,
              Map<String, String> environment) {
            if (container.name().equals("broken")) {
              return Future.failedFuture(new IllegalStateException("out of order"));
            }
            StringBuilder lines = new StringBuilder();
            environment.forEach((name, value) -> lines.append(name + "=" + value + "\\n"));
            try {
              Files.writeString(
                  Path.of("%s"),
                  lines,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.APPEND);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            return super.startContainer(pod, container, attempt, imageId);
          }
        }
      }
      """;

  private LookingProvider() {}

  /**
   * A directory for {@code providers.directory} with its jar alone.
   *
   * @param seen where the environment is written
   */
  static Path directory(Path folder, Path seen) throws IOException {
    return ExampleProvider.directory(folder, "LookingFactory", SOURCE.formatted(seen));
  }
}
