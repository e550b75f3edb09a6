package dev.vertlet.apiserver.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1n",
    "1234567, 1234567n",
    "1500, 1500n",
    "2000, 2u",
    "250000000, 250m",
    "1500000000, 1500m",
    "64000000000, 64"
  })
  void billionthsAreWrittenAndRead(long nano, String quantity) {
    assertThat(Quantities.ofNano(nano)).isEqualTo(quantity);
    assertThat(Quantities.nano(TextNode.valueOf(quantity))).isEqualTo(nano);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1000, 1000",
    "1024, 1Ki",
    "1536, 1536",
    "209715200, 200Mi",
    "3221225472, 3Gi",
    "1125899906842624, 1024Ti"
  })
  void bytesAreWrittenAndRead(long bytes, String quantity) {
    assertThat(Quantities.ofBytes(bytes)).isEqualTo(quantity);
    assertThat(Quantities.value(TextNode.valueOf(quantity))).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "1Gi, 512Mi, 1536Mi",
    "1Gi, 1, 1073741825",
    "1, 250m, 1250m",
    "1M, 1Ki, 1001024",
    "0, 1Gi, 1Gi",
    "1e3, 1000, 2e3",
    "0, 0, 0"
  })
  void sumsHaveTheFormOfTheirFirstPart(String one, String other, String sum) {
    assertThat(Quantities.sum(TextNode.valueOf(one), TextNode.valueOf(other)).asText())
        .isEqualTo(sum);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1.5, 1500m",
    "1000m, 1",
    "0.0000000001, 1n",
    "1000000, 1M",
    "1024Mi, 1Gi",
    "1.5Ki, 1536",
    "0.5Ki, 512",
    "2e9, 2e9",
    "1500e-3, 1500e-3",
    "-1Mi, -1Mi",
    "+1.Ki, 1Ki"
  })
  void quantitiesAreShownInTheirCanonicalForm(String written, String shown) {
    assertThat(Quantities.problem(written)).isEmpty();
    assertThat(Quantities.canonical(TextNode.valueOf(written))).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "foo", "1x", "1.5.2", "1 Gi", "+", "1mm", "1e", "1KI"})
  void textsThatAreNoQuantitiesHaveAProblem(String text) {
    assertThat(Quantities.problem(text)).isNotEmpty();
    assertThat(Quantities.exact(TextNode.valueOf(text))).isZero();
  }
}
