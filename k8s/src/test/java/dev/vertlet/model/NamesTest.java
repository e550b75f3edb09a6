package dev.vertlet.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
  private static final String LONG = "a".repeat(64);

  @ParameterizedTest
  @ValueSource(strings = {"a", "node-1", "a.b-c.d", "0", "10.0.0.1"})
  void acceptsSubdomains(String name) {
    assertThat(Names.checkSubdomain(name)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "-a", "a-", "a..b", ".a", "a.", "a.-b", "a_b", "a b", "a\n"})
  void refusesOtherSubdomains(String name) {
    assertThat(Names.checkSubdomain(name))
        .hasValue(
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
                + " '-' or '.', and must start and end with an alphanumeric character (e.g."
                + " 'example.com')");
  }

  @Test
  void aRuleIsToldAsWhatTheValueMustBe() {
    assertThat(Names.checkSubdomain("N_1").map(Names::demand))
        .hasValue(
            "must be a lowercase RFC 1123 subdomain: it must consist of lower case alphanumeric"
                + " characters, '-' or '.', and must start and end with an alphanumeric character"
                + " (e.g. 'example.com')");
    assertThat(Names.checkLabelValue("-").map(Names::demand).orElseThrow())
        .startsWith("must be a label value: it must be empty or must consist of");
    assertThat(Names.checkLabel(LONG).map(Names::demand))
        .hasValue("must be no more than 63 characters, has 64");
  }

  @Test
  void limitsLengths() {
    assertThat(Names.checkSubdomain("a".repeat(253))).isEmpty();
    assertThat(Names.checkSubdomain("a".repeat(254)))
        .hasValue("must be no more than 253 characters, has 254");
    assertThat(Names.checkLabel(LONG)).hasValue("must be no more than 63 characters, has 64");
    assertThat(Names.checkLabelKey("x/" + LONG).orElseThrow()).contains("63 characters");
    assertThat(Names.checkLabelValue(LONG)).isPresent();
  }

  @Test
  void checksLabels() {
    assertThat(Names.checkLabel("kube-system")).isEmpty();
    assertThat(Names.checkLabel("a.b").orElseThrow()).contains("RFC 1123 label");
  }

  @Test
  void checksLabelKeys() {
    assertThat(Names.checkLabelKey("app")).isEmpty();
    assertThat(Names.checkLabelKey("vertlet.dev/My_key.1")).isEmpty();
    assertThat(Names.checkLabelKey("_app").orElseThrow()).startsWith("a label key must consist of");
    assertThat(Names.checkLabelKey("Vertlet.dev/a").orElseThrow()).startsWith("prefix part: ");
    assertThat(Names.checkLabelKey("vertlet.dev/a/b").orElseThrow()).startsWith("name part: ");
    assertThat(Names.checkLabelKey("vertlet.dev/")).isPresent();
  }

  @Test
  void checksKeysOfConfigMaps() {
    assertThat(Names.checkConfigMapKey("kubelet")).isEmpty();
    assertThat(Names.checkConfigMapKey(".my_Key-1.yaml")).isEmpty();
    assertThat(Names.checkConfigMapKey("a".repeat(253))).isEmpty();
    assertThat(Names.checkConfigMapKey("a".repeat(254)))
        .hasValue("must be no more than 253 characters, has 254");
    assertThat(Names.checkConfigMapKey("../qux").orElseThrow())
        .startsWith("a valid config key must consist");
    assertThat(Names.checkConfigMapKey("")).isPresent();
    assertThat(Names.checkConfigMapKey(".")).hasValue("must not be '.'");
    assertThat(Names.checkConfigMapKey("..")).hasValue("must not be '..'");
    assertThat(Names.checkConfigMapKey("..data")).hasValue("must not start with '..'");
  }

  @Test
  void checksLabelValues() {
    assertThat(Names.checkLabelValue("")).isEmpty();
    assertThat(Names.checkLabelValue("v1.2_3-x")).isEmpty();
    assertThat(Names.checkLabelValue("a/b").orElseThrow())
        .contains("must be empty or must consist");
  }

  @Test
  void checksTaintEffects() {
    assertThat(Names.checkTaintEffect("NoSchedule")).isEmpty();
    assertThat(Names.checkTaintEffect("noSchedule"))
        .hasValue("must be one of NoSchedule, PreferNoSchedule, NoExecute");
  }
}
