package dev.vertlet.apiserver.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.TextNode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
