package dev.vertlet.harness.servicelevel;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetricsTextTest {
  private static final Map<String, MetricFamily> WANTED =
      Map.of(
          "requests_total", MetricFamily.counter("requests_total", "verb"),
          "up", MetricFamily.gauge("up"));

  private static final String TEXT =
      """
      # HELP requests_total [STABLE] Requests {with="braces"}
      # TYPE requests_total counter
      requests_total{code="200",verb="GET"} 5
      requests_total{code="404",verb="GET"} 2
      requests_total{ code = "200" , verb="say \\"hi\\\\ü\\n\\"" , } 1e3
      requests_total_other{verb="GET"} 100
      up 1 1772600767089
      """;

  private static Series requests(String verb) {
    return new Series("requests_total", List.of(verb));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 1_000_000})
  void partsOfAnySizeAreOneText(int size) {
    MetricsText text = new MetricsText(WANTED);
    Buffer whole = Buffer.buffer(TEXT);
    for (int at = 0; at < whole.length(); at += size) {
      text.feed(whole.slice(at, Math.min(whole.length(), at + size)));
    }

    assertThat(text.values())
        .isEqualTo(
            Map.of(
                requests("GET"),
                7.0,
                requests("say \"hi\\ü\n\""),
                1000.0,
                new Series("up", List.of()),
                1.0));
    assertThat(text.unreadable()).isZero();
  }

  @Test
  void brokenLinesAreCountedAndTheOthersRead() {
    MetricsText text = new MetricsText(WANTED);
    text.feed(
        Buffer.buffer(
            """
            up{
            up{a="b
            up{a=b} 1
            up many
            up NaN
            unwanted{ broken
            up{a="b"} 2
            """));
    text.feed(Buffer.buffer("up" + " ".repeat(1 << 20) + "1\n"));
    text.feed(Buffer.buffer("up 3"));

    assertThat(text.values()).isEqualTo(Map.of(new Series("up", List.of()), 5.0));
    assertThat(text.unreadable()).isEqualTo(5);
  }

  @Test
  void goSpellsInfinitiesInItsOwnWay() {
    assertThat(MetricsText.number("+Inf")).isInfinite().isPositive();
    assertThat(MetricsText.number("-Inf")).isInfinite().isNegative();
    assertThat(MetricsText.number("NaN")).isNaN();
    assertThat(MetricsText.number("6e-05")).isEqualTo(0.00006);
  }
}
