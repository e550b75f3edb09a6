package dev.vertlet.apiserver.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.apiserver.api.Json;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {
  @ParameterizedTest
  @CsvSource({
    "PT-2S,<invalid>",
    "PT-1S,0s",
    "PT0S,0s",
    "PT1.9S,1s",
    "PT119S,119s",
    "PT120S,2m",
    "PT125S,2m5s",
    "PT9M59S,9m59s",
    "PT10M1S,10m",
    "PT179M,179m",
    "PT180M,3h",
    "PT3H5M,3h5m",
    "PT8H5M,8h",
    "PT47H59M,47h",
    "PT48H,2d",
    "PT49H,2d1h",
    "P8D,8d",
    "P729D,729d",
    "P730D,2y",
    "P735D,2y5d",
    "P2920D,8y"
  })
  void getCoarserTheLongerTheyAre(Duration span, String text) {
    assertThat(Ages.human(span)).isEqualTo(text);
  }

  @Test
  void areUnknownWithoutATime() {
    assertThat(Ages.since(Json.object().path("none"), Instant.EPOCH)).isEqualTo("<unknown>");
  }
}
