package dev.vertlet.stages.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.vertlet.stages.template.function.Functions;
import dev.vertlet.stages.template.function.KwokFunctions;
import dev.vertlet.stages.template.value.FunctionException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-02T03:04:05.060Z"), ZoneOffset.UTC);
  private static final Functions FUNCTIONS = KwokFunctions.all(CLOCK, "1.2.3");

  private static String render(String template, @Nullable Object data) {
    return Templates.parse("stage.yaml", template, FUNCTIONS).render(data);
  }

  private static TemplateException failure(String template, @Nullable Object data) {
    return catchThrowableOfType(TemplateException.class, () -> render(template, data));
  }

  @Test
  void refusesUnknownFunctionsWhenItParses() {
    TemplateException e = failure("a: b\nc: {{ .x | nope 1 }}", Map.of());

    assertThat(e).hasMessage("template: stage.yaml:2: function \"nope\" not defined");
    assertThat(e.name()).isEqualTo("stage.yaml");
    assertThat(e.line()).isEqualTo(2);
    assertThat(e.column()).isEqualTo(12);
  }

  @Test
  void namesThePlaceOfAValueThatDoesNotFit() {
    TemplateException e = failure("é: 1\né: {{ .a.b.c }}", Map.of("a", Map.of("b", "text")));

    assertThat(e)
        .hasMessage(
            "template: stage.yaml:2:9: executing \"stage.yaml\" at <.a.b.c>: "
                + "can't evaluate field c in type interface {}");
    assertThat(e.line()).isEqualTo(2);
    assertThat(e.column()).isEqualTo(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{{1i}}", "{{1+2i}}"})
  void refusesComplexNumbers(String template) {
    assertThatThrownBy(() -> render(template, null))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining("complex numbers are not supported");
  }

  @ParameterizedTest
  @ValueSource(strings = {"env", "expandenv", "getHostByName", "genPrivateKey", "genCA", "bcrypt"})
  void refusesFunctionsThatReadTheHostOrMakeSecrets(String function) {
    assertThat(failure("{{" + function + " \"HOME\"}}", null))
        .hasMessageContaining("function \"" + function + "\" not defined");
  }

  @Test
  void hasTheTimeOfTheClock() {
    assertThat(render("{{Now}} {{StartTime}} {{now | date \"2006\"}} {{Version}}", null))
        .isEqualTo("2026-01-02T03:04:05.06Z 2026-01-02T03:04:05.06Z 2026 1.2.3");
  }

  @Test
  void hasTheConditionsOfAHealthyNode() {
    assertThat(render("{{range NodeConditions}}{{.type}}={{.status}} {{end}}", null))
        .isEqualTo(
            "Ready=True MemoryPressure=False DiskPressure=False PIDPressure=False"
                + " NetworkUnavailable=False ");
    assertThat(render("{{range NodeConditions}}{{.lastHeartbeatTime}}{{break}}{{end}}", null))
        .isEqualTo("<no value>");
  }

  @Test
  void callsFunctionsOfTheCaller() {
    Functions functions =
        FUNCTIONS
            .with("NodeIPWith", "string", a -> "10.0.0." + a.string(0).length())
            .with(
                "Broken",
                "",
                a -> {
                  throw new FunctionException("no address is left");
                });

    assertThat(Templates.parse("t", "{{NodeIPWith .n}}", functions).render(Map.of("n", "abc")))
        .isEqualTo("10.0.0.3");
    assertThatThrownBy(() -> Templates.parse("t", "{{Broken}}", functions).render(null))
        .hasMessage(
            "template: t:1:2: executing \"t\" at <Broken>: error calling Broken: no address is"
                + " left");
    assertThatThrownBy(() -> functions.with("not a name", "", a -> ""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> functions.with("f", "strng", a -> ""))
        .hasMessage("unknown parameter type: strng");
  }

  @Test
  void leavesTheCallersDataAsItIs() {
    Map<String, Object> data = Map.of("labels", Map.of("a", "1"));

    assertThat(render("{{set .labels \"a\" \"2\"}}", data)).isEqualTo("map[a:2]");
    assertThat(data).isEqualTo(Map.of("labels", Map.of("a", "1")));
  }

  @Test
  void readsNumbersAsNumbersOfJson() {
    Map<String, Object> data = Map.of("i", 5, "l", 1L << 60, "d", 1.0, "e", 1e21, "s", 0.5);

    assertThat(render("{{.i}} {{.l}} {{.d}} {{.e}} {{.s}} {{printf \"%T\" .i}}", data))
        .isEqualTo("5 1152921504606846976 1 1e+21 0.5 json.Number");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{define \"a\"}}{{template \"a\" .}}{{end}}{{template \"a\" .}}",
        "{{define \"a\"}}x{{if true}}{{with 1}}{{template \"a\"}}{{end}}{{end}}{{end}}{{template \"a\"}}",
        "{{range 1000}}{{range 1000}}{{range 1000}}{{end}}{{end}}{{end}}",
        "{{range 100000}}{{repeat 1000 \"x\"}}{{end}}",
        "{{$x := \"x\"}}{{range 100}}{{$x = printf \"%s%s\" $x $x}}{{end}}",
        "{{$x := list 1}}{{range 100}}{{$x = concat $x $x}}{{end}}",
        "{{repeat 1000000000 \"xx\"}}",
        "{{until 1000000000}}",
        "{{untilStep 0 9223372036854775807 1}}",
        "{{untilStep -9223372036854775808 9223372036854775807 1}}",
        "{{seq 1000000000}}",
        "{{indent 1000000000 \"x\"}}",
        "{{YAML (list 1 2) 1000000000}}",
        "{{$d := dict}}{{$_ := set $d \"d\" $d}}{{$d}}",
        "{{$d := dict}}{{$_ := set $d \"d\" $d}}{{toRawJson $d}}",
        "{{$d := dict}}{{$_ := set $d \"d\" $d}}{{YAML $d}}",
        "{{$d := dict}}{{$_ := set $d \"d\" $d}}{{deepCopy $d}}",
        "{{$d := dict}}{{$_ := set $d \"d\" $d}}{{$e := dict}}{{$_ := set $e \"d\" $e}}{{deepEqual $d $e}}",
        "{{dateModify \"2000000h\" (toDate \"2006\" \"9999\") | dateModify \"9999999999h\"}}{{date \"2006\" (int64 9223372036854775807)}}",
      })
  void endsWithAnErrorBeforeItTakesAllTimeOrMemory(String template) {
    org.junit.jupiter.api.Assertions.assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> assertThat(failure(template, Map.of())).isInstanceOf(TemplateException.class));
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "{{if 1}}"})
  void refusesDeepNesting(String opening) {
    String template =
        opening.equals("(")
            ? "{{" + "(".repeat(100_000) + "1" + ")".repeat(100_000) + "}}"
            : opening.repeat(100_000) + "{{end}}".repeat(100_000);

    assertThat(failure(template, null)).hasMessageContaining("depth exceeded");
  }

  /** Shuffles pieces of templates; the seed is in the message if an assertion fails. */
  @Test
  void throwsNothingButTemplateExceptions() {
    List<String> names = FUNCTIONS.names().stream().sorted().toList();
    List<String> pieces =
        List.of(
            "{{",
            "}}",
            "{{-",
            "-}}",
            " ",
            ".",
            ".a",
            ".n",
            ".l",
            "$",
            "$x",
            ":=",
            "=",
            "|",
            "(",
            ")",
            "\"a\"",
            "\"%d\"",
            "\"2006-01-02\"",
            "`b`",
            "'c'",
            "1",
            "-1",
            "0",
            "1.5",
            "0x",
            "nil",
            "true",
            "if ",
            "else",
            "end",
            "range ",
            "with ",
            "define \"d\"",
            "template \"d\" ",
            "block \"d\" ",
            "break",
            "continue",
            "{{end}}",
            "{{range .l}}",
            "{{if .a}}",
            "/*",
            "*/",
            "\n",
            "é",
            "\\",
            ",");
    Map<String, Object> data = Map.of("a", Map.of("b", "c"), "n", 5, "l", List.of("x", 1, true));
    for (int seed = 0; seed < 5_000; seed++) {
      Random random = new Random(seed);
      StringBuilder template = new StringBuilder(random.nextBoolean() ? "{{" : "");
      boolean call = random.nextInt(3) > 0;
      if (call) {
        template.append(names.get(random.nextInt(names.size())));
      }
      for (int i = random.nextInt(8); i > 0; i--) {
        template.append(call ? " " : "").append(pieces.get(random.nextInt(pieces.size())));
      }
      String text = template.append(random.nextBoolean() ? "}}" : "").toString();
      try {
        render(text, data);
      } catch (TemplateException e) {
        assertThat(e.line()).as(text).isPositive();
        assertThat(e.column()).as(text).isPositive();
      } catch (RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + text, e);
      }
    }
  }
}
