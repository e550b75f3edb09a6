package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.replay.report.ReplayPage;
import dev.vertlet.harness.replay.report.ReplayReport;
import dev.vertlet.harness.replay.report.ReplayReportTest;
import dev.vertlet.testsupport.FullRing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report of a replay as a browser shows it. */
@FullRing
@Needs(Tool.BROWSER)
class ReplayPageIT {
  private static final String BACKGROUND = "getComputedStyle(document.body).backgroundColor";

  @TempDir private static Path dir;
  private static Browser browser;

  private Path page;

  @BeforeAll
  static void start() throws Exception {
    browser = Browser.start(Files.createDirectory(dir.resolve("profile")));
  }

  @AfterAll
  static void stop() throws Exception {
    if (browser != null) {
      browser.close();
    }
  }

  @BeforeEach
  void open() throws Exception {
    page =
        Files.writeString(
            dir.resolve("replay.html"),
            ReplayPage.of(
                ReplayReport.together(
                    List.of(
                        ReplayReportTest.report("replayed", 1),
                        ReplayReportTest.report("replayed", 4)))));
    browser.prefer("light");
    browser.resize(1600, 900);
    browser.open(page);
  }

  @Test
  void showsRecordedAndReplayedInEveryChart() throws Exception {
    assertThat(browser.texts("[...document.querySelectorAll('canvas')].map(c => c.id)"))
        .containsExactly(
            "chart-pods",
            "chart-nodes",
            "chart-cpu",
            "chart-memory",
            "chart-pending",
            "chart-scheduling",
            "chart-start",
            "chart-run",
            "chart-placement",
            "chart-lateness");
    assertThat(
            browser.texts("Chart.getChart('chart-pods').legend.legendItems.map(item => item.text)"))
        .contains("recorded, running", "replayed, running", "replayed 2, pending");
    assertThat(browser.evaluate("document.getElementById('verdict').innerText"))
        .isEqualTo("✓ every pod that ran when recorded ran again");
    assertThat(browser.evaluate("document.getElementById('repeat').innerText").toString())
        .contains("./vertlet replay trace.gz", "a note");
    assertThat(browser.evaluate("document.querySelectorAll('b').length")).isEqualTo(0);
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests()).containsExactly(page.toUri().toString());
  }

  @Test
  void equalCurvesAreAllSeen() throws Exception {
    assertThat(browser.texts("Chart.getChart('chart-nodes').data.datasets.map(d => d.borderWidth)"))
        .as("the recording above the replays")
        .containsExactly("2", "5", "8");
  }

  @Test
  void ticksOfSmallFiguresDiffer() throws Exception {
    browser.evaluate(
        """
        (() => {
          const chart = Chart.getChart('chart-scheduling');
          chart.data.datasets.forEach(set => set.data.forEach(point => { point.y = 0.023; }));
          chart.update();
        })()
        """);

    assertThat(browser.texts("Chart.getChart('chart-scheduling').scales.y.ticks.map(t => t.label)"))
        .hasSizeGreaterThan(3)
        .doesNotHaveDuplicates();
  }

  @Test
  void followsTheSystemsTheme() throws Exception {
    String axis = "Chart.getChart('chart-pods').options.scales.x.ticks.color";
    Object light = browser.evaluate(BACKGROUND);
    Object lightAxis = browser.evaluate(axis);

    browser.prefer("dark");

    eventually(() -> assertThat(browser.evaluate(BACKGROUND)).isNotEqualTo(light));
    eventually(() -> assertThat(browser.evaluate(axis)).isNotEqualTo(lightAxis));
    assertThat(browser.complaints()).isEmpty();
  }
}
