package dev.vertlet.simulated.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProbeScriptTest {
  @ParameterizedTest(name = "\"{0}\" after {1} s and {2} probes: {3}")
  @CsvSource({
    "ok, 0, 0, OK",
    "fail, 1000000, 9, FAIL",
    "'fail 20s, ok', 0, 99, FAIL",
    "'fail 20s, ok', 19, 99, FAIL",
    "'fail 20s, ok', 20, 0, OK",
    "'ok 1m, fail 10s, ok', 65, 0, FAIL",
    "'ok 1m, fail 10s, ok', 70, 0, OK",
    "'ok 3x, fail 2x, hang', 999, 2, OK",
    "'ok 3x, fail 2x, hang', 0, 3, FAIL",
    "'ok 3x, fail 2x, hang', 0, 5, HANG",
    "' warn 1x ,error ', 0, 0, WARN",
    "' warn 1x ,error ', 0, 1, ERROR"
  })
  void answersByAgeOrByCount(String text, long age, long before, ProbeScript.Answer answer) {
    assertThat(ProbeScript.parse(text).answer(Duration.ofSeconds(age).toMillis(), before))
        .isEqualTo(answer);
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(
      strings = {
        "",
        "yes",
        "ok 3s",
        "ok, fail",
        "ok 3x, fail 2s, ok",
        "ok soon, fail",
        "ok -3s, fail",
        "ok 99999999h, fail",
        "ok 3s fail"
      })
  void refusesWhatIsNoScriptAndSaysWhatIs(String text) {
    assertThatThrownBy(() -> ProbeScript.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("\"" + text + "\" is no answer to probes: want answers (ok, fail,");
  }

  @ParameterizedTest(name = "\"{0}\" fails: {1}, after {2} s")
  @CsvSource({"2s, false, 2", "fail, true, 0", "fail 3s, true, 3", "0, false, 0"})
  void readsHooks(String text, boolean fails, long seconds) {
    HookScript script = HookScript.parse(text);

    assertThat(script.fails()).isEqualTo(fails);
    assertThat(script.takes().draw(1)).isEqualTo(seconds * 1000);
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(strings = {"", "fails", "fail soon", "ok 2s"})
  void refusesWhatIsNoHook(String text) {
    assertThatThrownBy(() -> HookScript.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("\"" + text + "\" is no course of a hook: want \"fail\", a time");
  }
}
