package dev.vertlet.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LabelSelectorsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "type=kwok",
        "type==kwok",
        "type = kwok",
        "type!=kwok",
        "kwok.x-k8s.io/node",
        "!node-role.kubernetes.io/control-plane",
        "a=",
        "team in (a, b)",
        "team notin (a,b),zone=z,!old",
        "a in ()"
      })
  void takesWhatTheServerTakes(String selector) {
    assertThat(LabelSelectors.check(selector)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", " ", ",", "a,", "a=b c", "=b", "a in b", "a in (b", "a)", "a=b=c", "a/b/c", "a=-b",
        "!!a"
      })
  void saysWhatIsWrong(String selector) {
    assertThat(LabelSelectors.check(selector)).isPresent();
  }
}
