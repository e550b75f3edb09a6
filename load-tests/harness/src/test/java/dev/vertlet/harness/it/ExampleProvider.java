package dev.vertlet.harness.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The project load-tests/example-provider, which is not part of the build. */
final class ExampleProvider {
  private static final Path PROJECT = Path.of("..", "example-provider").toAbsolutePath();

  private ExampleProvider() {}

  /** Its classes and service file. */
  static Path classes(Path folder) throws IOException {
    return JavaBuild.compile(
        PROJECT.resolve("src/main/java"), Files.createDirectories(folder.resolve("classes")));
  }

  /** Its tests, which extend the test kit. */
  static Path testClasses(Path folder, Path classes) throws IOException {
    return JavaBuild.compile(
        PROJECT.resolve("src/test/java"),
        Files.createDirectories(folder.resolve("test-classes")),
        classes);
  }

  /** A directory for {@code providers.directory} with its jar alone. */
  static Path directory(Path folder) throws IOException {
    Path directory = folder.resolve("providers");
    JavaBuild.jar(
        directory.resolve("example-provider.jar"),
        classes(folder),
        PROJECT.resolve("src/main/resources"));
    return directory;
  }

  /**
   * A directory for {@code providers.directory} with the jar of a provider that is made of its
   * classes.
   *
   * @param factory simple name of the factory, of the package {@code com.example.provider}
   * @param source of the factory's file
   */
  static Path directory(Path folder, String factory, String source) throws IOException {
    Path example = classes(folder);
    Path sources = Files.createDirectories(folder.resolve(factory + "-source"));
    Files.writeString(sources.resolve(factory + ".java"), source);
    Path compiled =
        JavaBuild.compile(
            sources, Files.createDirectories(folder.resolve(factory + "-classes")), example);
    Path services = folder.resolve(factory + "-services");
    Files.writeString(
        Files.createDirectories(services.resolve("META-INF/services"))
            .resolve("dev.vertlet.provider.ProviderFactory"),
        "com.example.provider." + factory + "\n");
    Path directory = folder.resolve("providers");
    JavaBuild.jar(directory.resolve(factory + ".jar"), example, compiled, services);
    return directory;
  }
}
