package dev.vertlet.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.ProviderFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProviderDirectoryTest {
  @TempDir private Path dir;

  private final List<String> problems = new ArrayList<>();

  private ProviderCatalog load() {
    return load(ProviderCatalog.EMPTY);
  }

  private ProviderCatalog load(ProviderCatalog base) {
    return ProviderDirectory.load(dir, Set.of("simulated", "cri"), base, problems::add);
  }

  @Test
  void aJarAndAFolderOfJarsAreProvidersAndOtherFilesAreLeftAlone() throws IOException {
    ProviderJar.named("one").write(dir.resolve("one.jar"));
    ProviderJar.named("two").write(dir.resolve("pair/two.jar"));
    ProviderJar.empty().file("data", "x").write(dir.resolve("pair/library.jar"));
    Files.writeString(dir.resolve("README"), "not a provider");
    Files.writeString(dir.resolve(".hidden.jar"), "not a provider");

    assertThat(load().names()).containsExactly("one", "two");
    assertThat(problems).isEmpty();
  }

  @Test
  void classesOfOneNameInTwoJarsAreTwoClasses() {
    ProviderJar.named("one").write(dir.resolve("one.jar"));
    ProviderJar.named("two").write(dir.resolve("two.jar"));

    ProviderCatalog catalog = load();

    assertThat(factory(catalog, "one").getClass()).isNotEqualTo(factory(catalog, "two").getClass());
  }

  @Test
  void theSpiIsTheAgentsAndItsOtherLibrariesAreNotSeen() throws Exception {
    ProviderJar.named("one").write(dir.resolve("one.jar"));

    ClassLoader loader = factory(load(), "one").getClass().getClassLoader();

    assertThat(loader.loadClass("dev.vertlet.provider.pod.PodProvider"))
        .isEqualTo(dev.vertlet.provider.pod.PodProvider.class);
    assertThat(loader.loadClass("io.vertx.core.Future")).isEqualTo(io.vertx.core.Future.class);
    assertThat(visible(loader, "dev.vertlet.config.VertletConfig")).isFalse();
    assertThat(visible(loader, "picocli.CommandLine")).isFalse();
    assertThat(loader.getResource("vertlet.schema.json")).isNull();
  }

  private static boolean visible(ClassLoader loader, String name) {
    try {
      loader.loadClass(name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static ProviderFactory factory(ProviderCatalog catalog, String name) {
    return java.util.Objects.requireNonNull(catalog.find(name));
  }

  static Stream<Arguments> wrongJars() {
    String current = "ProviderFactory.SPI_VERSION";
    return Stream.of(
        Arguments.of(
            "no service file",
            ProviderJar.empty().file("data", "x"),
            "offers no provider: it has no META-INF/services/dev.vertlet.provider.ProviderFactory"),
        Arguments.of(
            "a class that is not there",
            ProviderJar.offering().file("data", "x"),
            "cannot be loaded: dev.vertlet.provider.ProviderFactory: Provider example.Factory not"
                + " found"),
        Arguments.of(
            "a class that is no factory",
            ProviderJar.offering()
                .source("example.Factory", "package example; public class Factory {}"),
            "cannot be loaded: dev.vertlet.provider.ProviderFactory: example.Factory not a"
                + " subtype"),
        Arguments.of(
            "a constructor that throws",
            ProviderJar.of(
                "\"x\"", current, "public Factory() { throw new IllegalStateException(\"no\"); }"),
            "cannot be loaded: IllegalStateException: no"),
        Arguments.of(
            "a library that is missing",
            ProviderJar.of("\"x\"", current, "private final Library library = new Library();")
                .source("example.Library", "package example; public class Library {}")
                .without("example.Library"),
            "cannot be loaded: NoClassDefFoundError: example/Library"),
        Arguments.of(
            "another version of the SPI",
            ProviderJar.of("\"x\"", "99", ""),
            "example.Factory was made for version 99 of the provider SPI; allowed is 2"),
        Arguments.of(
            "a name that throws",
            ProviderJar.of("\"x\".substring(9)", current, ""),
            "cannot be loaded: StringIndexOutOfBoundsException"),
        Arguments.of(
            "no name", ProviderJar.of("null", current, ""), "has a provider without a name"),
        Arguments.of(
            "a bad name",
            ProviderJar.named("My_Provider"),
            "example.Factory calls itself \"My_Provider\", which must be a lowercase RFC 1123"
                + " label"),
        Arguments.of(
            "a name of the build",
            ProviderJar.named("simulated"),
            "calls its provider \"simulated\", a name that vertlet itself gives"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("wrongJars")
  void whatIsWrongWithAJarIsOneLineAndTheOthersAreLoaded(
      String what, ProviderJar jar, String line) {
    jar.write(dir.resolve("bad.jar"));
    ProviderJar.named("good").write(dir.resolve("good.jar"));

    assertThat(load().names()).containsExactly("good");
    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("holds bad.jar, which ")
        .contains(line);
  }

  @Test
  void twoProvidersOfOneNameAreRefusedWithBothJars() {
    ProviderJar.named("x").write(dir.resolve("a.jar"));
    ProviderJar.named("x").write(dir.resolve("b.jar"));

    assertThat(load().names()).containsExactly("x");
    assertThat(problems)
        .containsExactly(
            "holds b.jar, which calls its provider \"x\", as a.jar does; one may have it");
  }

  @Test
  void aNameOfTheEmbeddingProgramIsTaken() {
    ProviderJar.named("x").write(dir.resolve("a.jar"));
    ProviderCatalog base = load();

    assertThat(load(base).names()).containsExactly("x");
    assertThat(problems).singleElement().asString().contains("as the program that runs the agent");
  }

  @Test
  void aFileThatIsNoJarIsNamed() throws IOException {
    Files.writeString(dir.resolve("bad.jar"), "not a zip");

    assertThat(load().names()).isEmpty();
    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("holds bad.jar, which is not a jar that can be read: ZipException");
  }

  @Test
  void aFolderWithoutJarsIsNamed() throws IOException {
    Files.createDirectory(dir.resolve("folder"));

    assertThat(load().names()).isEmpty();
    assertThat(problems).containsExactly("holds folder, which is a folder without jars");
  }

  @Test
  void aDirectoryThatIsNotThereIsAProblem() throws IOException {
    Files.delete(dir);

    assertThat(load().names()).isEmpty();
    assertThat(problems)
        .containsExactly("must be a directory of provider jars; there is none at this path");
  }
}
