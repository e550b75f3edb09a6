package dev.vertlet.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the documents of this repository name is there. */
class DocumentsTest {
  private static final Path REPOSITORY = Path.of("..", "..").toAbsolutePath().normalize();

  /** {@code [text](target)}, without targets elsewhere on the web or in the same document. */
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#]+)(#[^)]*)?\\)");

  /** A path in code, recognised by the folder it begins with. */
  private static final Pattern PATH =
      Pattern.compile("(?<![\\w./-])((?:\\.ci|conf|docs|k8s|load-tests)/[\\w./-]*\\w)");

  /** A class of tests in code, and maybe one of its methods. */
  private static final Pattern TEST = Pattern.compile("`(\\w+(?:Test|IT)(?:\\.\\w+)?)`");

  static List<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.list(REPOSITORY.resolve("docs"))) {
      return Stream.concat(
              docs.filter(file -> file.toString().endsWith(".md")),
              Stream.of(
                      "README.md",
                      "CONTRIBUTING.md",
                      "load-tests/kubernetes/README.md",
                      "load-tests/oracle/README.md",
                      "load-tests/peers/README.md")
                  .map(REPOSITORY::resolve))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void linksLeadToFiles(Path document) throws IOException {
    Path folder = document.resolveSibling(".");

    assertThat(found(LINK, document)).allSatisfy(link -> assertThat(folder.resolve(link)).exists());
  }

  @ParameterizedTest
  @MethodSource("documents")
  void pathsAreThere(Path document) throws IOException {
    assertThat(found(PATH, document))
        .allSatisfy(path -> assertThat(REPOSITORY.resolve(path)).exists());
  }

  /** But for docs/acceptance.md, which is about the tests of one commit. */
  static List<Path> documentsOfToday() throws IOException {
    return documents().stream().filter(document -> !document.endsWith("acceptance.md")).toList();
  }

  @ParameterizedTest
  @MethodSource("documentsOfToday")
  void testsAreThere(Path document) throws IOException {
    Map<String, Path> sources = testSources();
    for (String test : found(TEST, document)) {
      String[] names = test.split("\\.");
      assertThat(sources).as(test).containsKey(names[0]);
      if (names.length > 1) {
        assertThat(sources.get(names[0])).content().contains("void " + names[1] + "(");
      }
    }
  }

  /** Files by the names of their classes, of which there may be one in several packages. */
  private static Map<String, Path> testSources() throws IOException {
    try (Stream<Path> files = Files.walk(REPOSITORY)) {
      return files
          .filter(file -> file.toString().contains("/src/test/java/"))
          .filter(file -> file.toString().endsWith(".java"))
          .collect(
              Collectors.toMap(
                  file -> file.getFileName().toString().replace(".java", ""),
                  file -> file,
                  (one, other) -> one));
    }
  }

  /** What is to be typed was run, or says why not. */
  @ParameterizedTest
  @MethodSource("documents")
  void commandsSayWhatRunsThem(Path document) throws IOException {
    List<String> lines = Files.readAllLines(document);

    for (int line = 1; line < lines.size(); line++) {
      if (lines.get(line).startsWith("```sh")) {
        assertThat(lines.get(line - 1))
            .as("above line %d", line + 1)
            .matches("<!-- (run: \\S+|not run: .+) -->");
      }
    }
  }

  /** A name is that of a class of tests or one that the script looks for. */
  @Test
  void commandsThatAreToBeRunAre() throws IOException {
    String script = Files.readString(REPOSITORY.resolve(".ci/documents"));
    Set<String> tests = testSources().keySet();
    Set<String> named =
        documents().stream()
            .flatMap(document -> groups("(?m)^<!-- run: (\\S+) -->$", read(document)).stream())
            .filter(name -> !tests.contains(name))
            .collect(Collectors.toSet());

    assertThat(groups("(?m)^[^#\n]*\\b(?:play|block) ([a-z][\\w.-]*)", script))
        .isNotEmpty()
        .hasSameElementsAs(named);
  }

  private static String read(Path document) {
    try {
      return Files.readString(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each alert says where it is explained. */
  @Test
  void alertsHaveASectionEach() throws IOException {
    String rules =
        Files.readString(
            REPOSITORY.resolve("k8s/manifests/components/monitoring/prometheusrule.yaml"));
    List<String> sections =
        Files.readAllLines(REPOSITORY.resolve("docs/operations.md")).stream()
            .filter(line -> line.startsWith("### "))
            .map(line -> line.substring(4))
            .toList();

    assertThat(groups("alert: (\\w+)", rules)).isNotEmpty().containsExactlyElementsOf(sections);
    assertThat(groups("runbook: docs/operations.md#(\\w+)", rules))
        .containsExactlyElementsOf(
            sections.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList());
  }

  private static List<String> groups(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(found -> found.group(1)).toList();
  }

  private static Set<String> found(Pattern pattern, Path document) throws IOException {
    return pattern
        .matcher(Files.readString(document))
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toSet());
  }
}
