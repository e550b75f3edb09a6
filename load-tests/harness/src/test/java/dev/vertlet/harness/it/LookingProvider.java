package dev.vertlet.harness.it;

import java.io.IOException;
import java.nio.file.Path;

/**
 * Provider {@code looking}: a container runtime that sees environments and files of volumes, which
 * it writes to a file, one variable or file a line; containers named {@code broken} do not start.
 */
final class LookingProvider {
  private static final String SOURCE =
      """
      package com.example.provider;

      import dev.vertlet.provider.Backend;
      import dev.vertlet.provider.container.ContainerMount;
      import dev.vertlet.provider.container.ContainerRecord;
      import dev.vertlet.provider.container.ContainerStart;
      import dev.vertlet.provider.content.PodInput;
      import dev.vertlet.provider.ProviderFactory;
      import dev.vertlet.provider.ProviderSettings;
      import dev.vertlet.provider.ProviderSetup;
      import io.vertx.core.Future;
      import java.io.IOException;
      import java.io.UncheckedIOException;
      import java.nio.file.Files;
      import java.nio.file.Path;
      import java.nio.file.StandardOpenOption;
      import java.util.stream.Stream;

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
          public PodInput input() {
            return PodInput.FILES;
          }

          @Override
          public Future<ContainerRecord> startContainer(ContainerStart start) {
            if (start.container().name().equals("broken")) {
              return Future.failedFuture(new IllegalStateException("out of order"));
            }
            StringBuilder lines = new StringBuilder();
            start.environment().forEach((name, value) -> lines.append(name + "=" + value + "\\n"));
            try {
              for (ContainerMount mount : start.mounts()) {
                if (!mount.volume().isEmpty()) {
                  add(mount.hostPath(), lines);
                }
              }
              Files.writeString(
                  Path.of("%s"),
                  lines,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.APPEND);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            return super.startContainer(
                start.view(), start.container(), start.attempt(), start.imageId());
          }

          private static void add(Path volume, StringBuilder lines) throws IOException {
            try (Stream<Path> files = Files.list(volume)) {
              for (Path file : files.filter(Files::isRegularFile).toList()) {
                lines.append(file.getFileName() + ": " + Files.readString(file) + "\\n");
              }
            }
          }
        }
      }
      """;

  private LookingProvider() {}

  /**
   * A directory for {@code providers.directory} with its jar alone.
   *
   * @param seen where environments and files are written
   */
  static Path directory(Path folder, Path seen) throws IOException {
    return ExampleProvider.directory(folder, "LookingFactory", SOURCE.formatted(seen));
  }
}
