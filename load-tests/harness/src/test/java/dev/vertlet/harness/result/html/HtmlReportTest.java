package dev.vertlet.harness.result.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.result.SampleRuns;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HtmlReportTest {
  private static final String HOSTILE = "</script><script>alert(1)</script>&\u2028{{data}}";
  private static final Pattern DATA =
      Pattern.compile("<script type=\"application/json\" id=\"data\">(.*?)</script>");

  private static JsonObject data(String page) {
    Matcher matcher = DATA.matcher(page);
    assertThat(matcher.find()).isTrue();
    return new JsonObject(matcher.group(1));
  }

  @Test
  void everythingIsInThePage() {
    String page = HtmlReport.of(new Comparison(List.of(SampleRuns.vertlet(1))));

    assertThat(page)
        .contains("Chart.js v4", "Released under the MIT License", "default-src 'none'")
        .doesNotContain("{{", "sourceMappingURL", "<link", "src=\"", "@import");
  }

  @Test
  void namesCannotLeaveTheScriptTheyStandIn() {
    RunResult run = SampleRuns.run(HOSTILE, 1, 1, 0);

    String page = HtmlReport.of(new Comparison(List.of(run)));

    assertThat(page).doesNotContain("<script>alert");
    assertThat(data(page).getJsonArray("subjects").getJsonObject(0).getString("name"))
        .isEqualTo(HOSTILE);
  }

  @Test
  void subjectsHaveTheirVersions() {
    RunResult run = SampleRuns.versioned("kwok-64", "kwok version v0.8.0");

    JsonObject data = data(HtmlReport.of(new Comparison(List.of(run))));

    assertThat(data.getJsonArray("subjects").getJsonObject(0).getString("version"))
        .isEqualTo("kwok version v0.8.0");
  }

  @Test
  void dataAreMediansWithRangesAndFactors() {
    RunResult slow = SampleRuns.run("slow", 2, 1, 0);
    Comparison comparison =
        new Comparison(List.of(SampleRuns.vertlet(1), SampleRuns.vertlet(1), slow));

    JsonObject data = data(HtmlReport.of(comparison));

    JsonArray subjects = data.getJsonArray("subjects");
    int lease = position(data, "lease gap", "longest");
    JsonObject first = subjects.getJsonObject(0).getJsonArray("values").getJsonObject(lease);
    JsonObject second = subjects.getJsonObject(1).getJsonArray("values").getJsonObject(lease);
    assertThat(first.getString("range")).contains("–");
    assertThat(first.getString("factor")).isNull();
    assertThat(second.getString("range")).isNull();
    assertThat(second.getString("factor")).matches("1\\.\\d\\d×");
    assertThat(second.getDouble("value")).isBetween(9.0, 20.0);
  }

  @Test
  void theControlPlaneIsPartOfTheData() {
    String page = HtmlReport.of(new Comparison(List.of(SampleRuns.recorded("vertlet", 1))));

    JsonObject run = data(page).getJsonArray("subjects").getJsonObject(0).getJsonObject("run");
    assertThat(run.getJsonObject("service_levels").getJsonObject("mutating").getBoolean("met"))
        .isFalse();
    assertThat(run.getJsonObject("control_plane").getJsonArray("samples")).hasSize(23);
    assertThat(data(page).getJsonArray("thresholds").encode())
        .contains("1,508 (PATCH pods/status, measured by the subject)");
  }

  @Test
  void tilesAreOfTheBusiestPhases() {
    JsonObject data = data(HtmlReport.of(new Comparison(List.of(SampleRuns.vertlet(1)))));

    assertThat(data.getJsonArray("tiles").stream().map(tile -> label(data, (Integer) tile)))
        .containsExactly(
            "up: throughput",
            "up: create to Ready, p99",
            "down: delete to gone, p99",
            "up: CPU per pod",
            "memory: with all pods",
            "lease gap: longest");
  }

  private static String label(JsonObject data, int position) {
    JsonObject figure = data.getJsonArray("figures").getJsonObject(position);
    return figure.getString("group") + ": " + figure.getString("label");
  }

  private static int position(JsonObject data, String group, String label) {
    for (int i = 0; i < data.getJsonArray("figures").size(); i++) {
      if (label(data, i).equals(group + ": " + label)) {
        return i;
      }
    }
    throw new AssertionError(group + ": " + label);
  }
}
