package dev.vertlet.testsupport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

class AcceptanceListenerTest {
  private static final String NAME = "AcceptanceListenerTest.";

  @TempDir private Path folder;

  @Test
  void writesOutcomeLevelNameAndRows() throws IOException {
    assertThat(lines(Outcomes.class))
        .containsExactlyInAnyOrder(
            "passed|Outcomes.passes|Z01 Outcomes.passes|Z02 Outcomes.passes",
            "passed|Outcomes.takesValues|Z03 Outcomes.takesValues",
            "failed|Outcomes.takesValues|Z03 Outcomes.takesValues",
            "skipped|Outcomes.isDisabled|Z04 Outcomes.isDisabled",
            "skipped|Outcomes.assumes",
            "passed|Outcomes.makesTests|Z05 Outcomes.makesTests");
  }

  @Test
  void aClassWithValuesHasALineForEach() throws IOException {
    assertThat(lines(PerValue.class))
        .containsExactly(
            "passed|PerValue.one|Z08 PerValue.one", "failed|PerValue.one|Z08 PerValue.one");
  }

  @Test
  void aTagOfAClassNamesTheClassThatDeclaresIt() throws IOException {
    assertThat(lines(Inherits.class))
        .containsExactlyInAnyOrder(
            "passed|Base.inherited|Z06 Base", "passed|Inherits.Inner.nested|Z06 Base");
  }

  @Test
  void testsThatNeverStartCountAsTheirClass() throws IOException {
    assertThat(lines(FailsBefore.class))
        .containsExactly("failed|FailsBefore.never|Z07 FailsBefore.never");
    assertThat(lines(FailsAfter.class))
        .containsExactly("passed|FailsAfter.ran", "failed|FailsAfter");
    assertThat(lines(AllDisabled.class))
        .containsExactlyInAnyOrder("skipped|AllDisabled.one", "skipped|AllDisabled.many");
  }

  @Test
  void filesOfEarlierRunsGoAndThoseOfOtherJvmsStay() throws IOException {
    Files.writeString(folder.resolve("r0-1.tsv"), "");
    Files.writeString(folder.resolve("r1-2.tsv"), "");

    new AcceptanceFile(folder, "r1", 1).append("a\n");
    new AcceptanceFile(folder, "r1", 1).append("b\n");

    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("r1-1.tsv", "r1-2.tsv");
    }
    assertThat(folder.resolve("r1-1.tsv")).hasContent("a\nb\n");
  }

  @Test
  void testsThatATestRunsAreNotWritten() {
    AcceptanceFile file = new AcceptanceFile(folder, "r1", 1);
    run(new AcceptanceListener(file, new AtomicInteger(1)), Outcomes.class);

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void theLevelFollowsFromNameAndBytecode() {
    assertThat(TestLevel.of(Outcomes.class)).isEqualTo(TestLevel.SERVER);
    assertThat(TestLevel.of(TestLevel.class)).isEqualTo(TestLevel.SERVER);
    assertThat(TestLevel.of(Rings.class)).isEqualTo(TestLevel.CORE);
  }

  /** The lines of a run, without level and the name of this class. */
  private List<String> lines(Class<?> tests) throws IOException {
    run(new AcceptanceListener(new AcceptanceFile(folder, "r1", 1), new AtomicInteger()), tests);
    Path file = folder.resolve("r1-1.tsv");
    List<String> lines = Files.readAllLines(file);
    Files.delete(file);
    assertThat(lines).allMatch(line -> line.split("\t", -1)[1].equals("server"));
    return lines.stream()
        .map(line -> line.replace("\tserver\t", "|").replace('\t', '|').replace(NAME, ""))
        .toList();
  }

  private static void run(AcceptanceListener listener, Class<?> tests) {
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request().selectors(selectClass(tests)).build(),
            listener);
  }

  static class Outcomes {
    @Test
    @Tag("Z01")
    @Tag("Z02")
    @Tag("measuring")
    void passes() {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Tag("Z03")
    void takesValues(int value) {
      assertThat(value).isOne();
    }

    @Test
    @Disabled
    @Tag("Z04")
    void isDisabled() {}

    @Test
    void assumes() {
      Assumptions.abort();
    }

    @TestFactory
    @Tag("Z05")
    Stream<DynamicTest> makesTests() {
      return Stream.of(DynamicTest.dynamicTest("one", () -> assertThat(Vertx.class).isNotNull()));
    }
  }

  @ParameterizedClass
  @ValueSource(ints = {1, 2})
  record PerValue(int value) {
    @Test
    @Tag("Z08")
    void one() {
      assertThat(value).isOne();
    }
  }

  @Tag("Z06")
  abstract static class Base {
    @Test
    void inherited() {}
  }

  static class Inherits extends Base {
    @Nested
    class Inner {
      @Test
      void nested() {}
    }
  }

  static class FailsBefore {
    @BeforeAll
    static void fail() {
      throw new IllegalStateException();
    }

    @Test
    @Tag("Z07")
    void never() {}
  }

  static class FailsAfter {
    @AfterAll
    static void fail() {
      throw new IllegalStateException();
    }

    @Test
    void ran() {}
  }

  @Disabled
  static class AllDisabled {
    @Test
    void one() {}

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void many(int value) {}
  }
}
