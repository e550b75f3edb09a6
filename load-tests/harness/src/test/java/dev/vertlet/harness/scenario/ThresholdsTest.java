package dev.vertlet.harness.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.harness.result.RunResult.ThresholdResult;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThresholdsTest {
  private static final double ANY_LEAST = Double.NEGATIVE_INFINITY;
  private static final double ANY_MOST = Double.POSITIVE_INFINITY;
  private static final JsonObject RESULT =
      new JsonObject(
          """
          {"phases": {"up": {"create": {"count": 3, "p99_ms": 250.5}, "per_s": 100}},
           "lost": 0, "name": "burst"}
          """);

  private static ThresholdResult evaluate(String figure, double min, double max) {
    return Thresholds.evaluate(List.of(new Threshold(figure, min, max)), RESULT).get(0);
  }

  @Test
  void aFigureWithinItsBoundsIsMet() {
    assertThat(evaluate("phases.up.create.p99_ms", ANY_LEAST, 250.5))
        .isEqualTo(new ThresholdResult("phases.up.create.p99_ms", ANY_LEAST, 250.5, 250.5, true));
    assertThat(evaluate("phases.up.per_s", 100, ANY_MOST).met()).isTrue();
    assertThat(evaluate("lost", 0, 0).met()).isTrue();
  }

  @Test
  void aFigureBeyondThemIsNot() {
    assertThat(evaluate("phases.up.create.p99_ms", ANY_LEAST, 250).met()).isFalse();
    assertThat(evaluate("phases.up.per_s", 100.1, ANY_MOST).met()).isFalse();
  }

  @Test
  void whatWasNotMeasuredIsNotMet() {
    assertThat(evaluate("phases.down.create.p99_ms", ANY_LEAST, ANY_MOST).met()).isFalse();
  }

  @Test
  void aServiceLevelTellsItsSlowestKindOfRequest() {
    JsonObject result =
        new JsonObject(
            """
            {"service_levels": {"mutating":
              {"p99_ms": 1507.5, "worst": "PATCH pods/status", "measured_by": "subject"}}}
            """);

    ThresholdResult missed =
        Thresholds.evaluate(
                List.of(new Threshold("service_levels.mutating.p99_ms", ANY_LEAST, 1_000)), result)
            .get(0);

    assertThat(missed.met()).isFalse();
    assertThat(missed.found()).isEqualTo("1,508 (PATCH pods/status, measured by the subject)");
  }

  @Test
  void aServiceLevelWithoutRequestsIsMet() {
    assertThat(evaluate("service_levels.lists.p99_ms", ANY_LEAST, 30_000).met()).isTrue();
    assertThat(evaluate("service_levels.lists.count", 1, ANY_MOST).met()).isFalse();
  }

  @Test
  void everyFigureThatIsNotThereIsNamed() {
    List<Threshold> thresholds =
        List.of(
            new Threshold("phases.up.create.p98_ms", 0, 1),
            new Threshold("lost", 0, 1),
            new Threshold("phases.down.per_s", 0, 1),
            new Threshold("name", 0, 1));

    assertThatThrownBy(() -> Thresholds.requireFigures(thresholds, RESULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "thresholds: the result has no figure \"phases.up.create.p98_ms\" (\"create\" has count,"
                + " p99_ms); no \"phases.down.per_s\" (\"phases\" has up); no \"name\" (the result"
                + " has phases, lost, name)");
  }
}
