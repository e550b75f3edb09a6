package dev.vertlet.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.stats.PrometheusText.Type;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
  @Test
  void numbersAreWrittenAsGoDoes() {
    assertThat(PrometheusText.number(0)).isEqualTo("0");
    assertThat(PrometheusText.number(-0.0)).isEqualTo("0");
    assertThat(PrometheusText.number(1)).isEqualTo("1");
    assertThat(PrometheusText.number(100)).isEqualTo("100");
    assertThat(PrometheusText.number(0.25)).isEqualTo("0.25");
    assertThat(PrometheusText.number(-12.5)).isEqualTo("-12.5");
    assertThat(PrometheusText.number(999_999)).isEqualTo("999999");
    assertThat(PrometheusText.number(1_000_000)).isEqualTo("1e+06");
    assertThat(PrometheusText.number(2_621_440)).isEqualTo("2.62144e+06");
    assertThat(PrometheusText.number(0.0001)).isEqualTo("0.0001");
    assertThat(PrometheusText.number(0.00001)).isEqualTo("1e-05");
    assertThat(PrometheusText.number(1.5e120)).isEqualTo("1.5e+120");
    assertThat(PrometheusText.number(Double.NaN)).isEqualTo("NaN");
    assertThat(PrometheusText.number(Double.POSITIVE_INFINITY)).isEqualTo("+Inf");
    assertThat(PrometheusText.number(Double.NEGATIVE_INFINITY)).isEqualTo("-Inf");
  }

  @Test
  void labelsAreEscapedAndEmptyFamiliesLeftOut() {
    PrometheusText text = new PrometheusText();
    text.family("b", Type.GAUGE, "B.").add(1, Lab.NOW, "l", "a\\b\"c\nd");
    text.family("a", Type.GAUGE, "A.");
    assertThat(text.text())
        .isEqualTo("# HELP b B.\n# TYPE b gauge\nb{l=\"a\\\\b\\\"c\\nd\"} 1 1772600767089\n");
  }
}
