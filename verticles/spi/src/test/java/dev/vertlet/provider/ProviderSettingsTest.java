package dev.vertlet.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ProviderSettingsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private static ProviderSettings settings(String json) {
    return ProviderSettings.of(new JsonObject(json));
  }

  @Test
  void readsWhatIsThereAndFallsBackWhereNothingIs() {
    ProviderSettings settings =
        settings(
            """
            {"text": "a", "flag": true, "number": 7, "time": "2s", "list": ["a", "b"],
             "inner": {"text": "b"}}
            """);

    assertThat(settings.text("text")).isEqualTo("a");
    assertThat(settings.text("none", "x")).isEqualTo("x");
    assertThat(settings.flag("flag", false)).isTrue();
    assertThat(settings.flag("none", false)).isFalse();
    assertThat(settings.number("number", 1, 0, 9)).isEqualTo(7);
    assertThat(settings.number("none", 1, 0, 9)).isEqualTo(1);
    assertThat(settings.duration("time", SECOND, SECOND, MINUTE)).isEqualTo(Duration.ofSeconds(2));
    assertThat(settings.duration("none", SECOND, SECOND, MINUTE)).isEqualTo(SECOND);
    assertThat(settings.texts("list")).isEqualTo(List.of("a", "b"));
    assertThat(settings.texts("none")).isEmpty();
    assertThat(settings.section("inner").text("text")).isEqualTo("b");
    assertThat(settings.section("none").json()).isEqualTo(new JsonObject());
    assertThat(settings.only("text", "flag", "number", "time", "list", "inner")).isSameAs(settings);
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        refusal("{}", s -> s.text("a"), "/a", "", "is missing; must be a text"),
        refusal("{\"a\": 1}", s -> s.text("a"), "/a", 1, "must be a text"),
        refusal("{\"a\": 1}", s -> s.flag("a", true), "/a", 1, "must be true or false"),
        refusal(
            "{\"a\": 10}",
            s -> s.number("a", 0, 0, 9),
            "/a",
            10,
            "must be a whole number from 0 to 9"),
        refusal(
            "{\"a\": 1.5}",
            s -> s.number("a", 0, 0, 9),
            "/a",
            1.5,
            "must be a whole number from 0 to 9"),
        refusal(
            "{\"a\": \"2h\"}",
            s -> s.duration("a", SECOND, SECOND, MINUTE),
            "/a",
            "2h",
            "must be a duration from \"1s\" to \"1m0s\""),
        refusal(
            "{\"a\": \"soon\"}",
            s -> s.duration("a", SECOND, SECOND, MINUTE),
            "/a",
            "soon",
            "must be a duration from \"1s\" to \"1m0s\""),
        refusal("{\"a\": \"x\"}", s -> s.texts("a"), "/a", "x", "must be a list of texts"),
        refusal("{\"a\": \"x\"}", s -> s.section("a"), "/a", "x", "must be an object"),
        refusal("{\"a\": null}", s -> s.text("a", "x"), "/a", "", "must be a text"),
        refusal(
            "{\"a/b~\": {\"c\": 1}}",
            s -> s.section("a/b~").text("c"),
            "/a~1b~0/c",
            1,
            "must be a text"),
        refusal("{\"c\": 1}", s -> s.only("a", "b"), "/c", "", "unknown key; known are a, b"));
  }

  private static Arguments refusal(
      String json, Consumer<ProviderSettings> read, String pointer, Object value, String allowed) {
    return Arguments.of(json, read, pointer, value, allowed);
  }

  @ParameterizedTest(name = "{0} {2}")
  @MethodSource("refused")
  void refusesWithPointerValueAndWhatIsAllowed(
      String json, Consumer<ProviderSettings> read, String pointer, Object value, String allowed) {
    SettingsException refusal =
        catchThrowableOfType(SettingsException.class, () -> read.accept(settings(json)));

    assertThat(refusal.pointer()).isEqualTo(pointer);
    assertThat(refusal.value()).isEqualTo(value);
    assertThat(refusal.allowed()).isEqualTo(allowed);
  }

  @Test
  void aListWithSomethingElseInItIsRefused() {
    SettingsException refusal =
        catchThrowableOfType(
            SettingsException.class, () -> settings("{\"a\": [\"x\", 1]}").texts("a"));

    assertThat(refusal.allowed()).isEqualTo("must be a list of texts");
  }

  @Test
  void whatIsHandedOutIsACopy() {
    ProviderSettings settings = settings("{\"a\": 1}");

    settings.json().put("a", 2);

    assertThat(settings).isEqualTo(settings("{\"a\": 1}")).hasToString("{\"a\":1}");
    assertThat(settings.hashCode()).isEqualTo(settings("{\"a\": 1}").hashCode());
  }
}
