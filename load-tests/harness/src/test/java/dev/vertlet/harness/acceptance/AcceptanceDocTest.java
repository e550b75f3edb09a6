package dev.vertlet.harness.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AcceptanceDocTest {
  private static final Path REPOSITORY = Path.of("..", "..");
  private static final Path FILE = REPOSITORY.resolve("docs").resolve("acceptance.md");

  @TempDir private Path folder;

  @Test
  void theDocumentSaysWhatTheTestsSay() throws IOException {
    String written = new AcceptanceDoc(Rows.read(), TestSources.read(REPOSITORY)).write();
    if (Boolean.getBoolean("vertlet.docs.write")) {
      Files.writeString(FILE, written);
    }

    assertThat(FILE)
        .as("write it anew with -Dvertlet.docs.write=true; the document says how")
        .hasContent(written);
  }

  @Test
  void anIdIsOfOneRow() throws IOException {
    assertThat(Rows.read()).extracting(Row::id).doesNotHaveDuplicates();
  }

  @Test
  void aLineThatIsNoRowIsNamed() {
    assertThatThrownBy(() -> Rows.parse("= A\nC01\n"))
        .hasMessage("\"C01\": must be an id and what holds, under a heading");
    assertThatThrownBy(() -> Rows.parse("C01 early\n")).hasMessageContaining("C01 early");
  }

  @Test
  void idsAreFoundInNamesJavadocAnnotationsAndRowsAndNowhereElse() throws IOException {
    test(
        "SomeTest",
        """
        import org.junit.jupiter.api.Test;
        class SomeTest {
          @Test void c01ByItsName() { String inside = "C05"; }
          /** By its Javadoc: kubelet C02. */
          @Test void documented() {}
          @ParameterizedTest @CsvSource({"C03, x"}) void annotated(String row) {}
          static Stream<String> made() { return Stream.of("C04 first"); }
          @ParameterizedTest @MethodSource("made") void fromRows(String row) {}
          /** C06 of nobody. */
          void helper() {}
        }
        """);

    assertThat(names("C01")).containsExactly("SomeTest.c01ByItsName");
    assertThat(names("C02")).containsExactly("SomeTest.documented");
    assertThat(names("C03")).containsExactly("SomeTest.annotated");
    assertThat(names("C04")).containsExactly("SomeTest.fromRows");
    assertThat(names("C05")).isEmpty();
    assertThat(names("C06")).isEmpty();
    assertThat(names("C0")).isEmpty();
  }

  @Test
  void aClassCountsWhereItsTestsSayNothingThemselves() throws IOException {
    test("WholeTest", "/** Rows C07 and C08. */ class WholeTest { @Test void c08More() {} }");

    assertThat(names("C07")).containsExactly("WholeTest");
    assertThat(names("C08")).containsExactly("WholeTest.c08More");
  }

  @Test
  void theRingIsWhatATestRunsWith() throws IOException {
    test("ATest", "class ATest { @Test void c01A() {} }");
    test("BTest", "import io.vertx.core.Vertx; class BTest { @Test void c01B() {} }");
    test("CIT", "class CIT { @Nested class Inner { @Test void c01C() {} } }");

    assertThat(new AcceptanceDoc(List.of(new Row("All", "C01", "a | b")), tests()).write())
        .contains("1 rows, 0 of them without a test.")
        .endsWith("| C01 | a \\| b | `ATest.c01A` | `BTest.c01B` | `CIT.Inner.c01C` |\n");
  }

  @Test
  void rowsWithoutATestAreNamed() throws IOException {
    assertThat(new AcceptanceDoc(List.of(new Row("All", "2.4-1", "x")), List.of()).write())
        .contains("1 rows, 1 of them without a test: 2.4-1.")
        .endsWith("| 2.4-1 | x | | | |\n");
  }

  private void test(String name, String source) throws IOException {
    Path sources = Files.createDirectories(folder.resolve("module/src/test/java"));
    Files.writeString(sources.resolve(name + ".java"), source);
  }

  private List<TestCase> tests() throws IOException {
    return TestSources.read(folder);
  }

  private List<String> names(String id) throws IOException {
    return new Row("", id, "").tests(tests()).stream().map(TestCase::name).toList();
  }
}
