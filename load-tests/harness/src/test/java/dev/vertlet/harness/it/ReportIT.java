package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.SampleRuns;
import dev.vertlet.harness.result.html.HtmlReport;
import dev.vertlet.testsupport.FullRing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report as a browser shows it. */
@FullRing
@Needs(Tool.BROWSER)
class ReportIT {
  /** A name that is markup when it is not taken as text. */
  private static final String PEER = "kwok <b>64</b></script>";

  private static final String BACKGROUND = "getComputedStyle(document.body).backgroundColor";
  private static final String AXIS = "Chart.getChart('chart-cpu').options.scales.x.ticks.color";
  private static final String LIGHT = "rgb(246, 247, 249)";
  private static final String DARK = "rgb(14, 19, 27)";

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
            dir.resolve("report.html"),
            HtmlReport.of(
                new Comparison(
                    List.of(
                        SampleRuns.vertlet(1),
                        SampleRuns.run(PEER, 1.4, 1, 2),
                        SampleRuns.vertlet(2)))));
    browser.prefer("light");
    browser.resize(1600, 900);
    browser.open(page);
  }

  @Test
  void drawsWhatTheControlPlaneWentThroughInLightAndDark() throws Exception {
    Path recorded =
        Files.writeString(
            dir.resolve("recorded.html"),
            HtmlReport.of(new Comparison(List.of(SampleRuns.recorded("vertlet", 1)))));
    browser.open(recorded);

    assertThat(
            browser.texts(
                "[...document.querySelectorAll('canvas')].map(c => c.id).filter(id => id.startsWith('chart-plane'))"))
        .containsExactly(
            "chart-plane-latency",
            "chart-plane-requests",
            "chart-plane-etcd",
            "chart-plane-objects",
            "chart-plane-scheduling",
            "chart-plane-scheduling-time",
            "chart-plane-cpu",
            "chart-plane-memory");
    assertThat(
            browser.texts(
                "[...document.querySelectorAll('main > section')].filter(s => !s.hidden).map(s => s.id)"))
        .startsWith("levels", "tiles", "charts", "requests");
    assertThat(
            browser.texts(
                "[...document.querySelectorAll('#levels td:last-child')].map(cell => cell.textContent)"))
        .containsExactly("✗ missed", "✓ met", "✓ met", "✓ met");
    String axis = "Chart.getChart('chart-plane-cpu').options.scales.x.ticks.color";
    Object light = browser.evaluate(axis);
    browser.prefer("dark");
    eventually(() -> assertThat(browser.evaluate(axis)).isNotEqualTo(light));
  }

  @Test
  void drawsEveryChartAndAsksNobody() throws Exception {
    assertThat(browser.texts("[...document.querySelectorAll('canvas')].map(c => c.id)"))
        .containsExactly(
            "chart-throughput",
            "chart-create",
            "chart-delete",
            "chart-cpu",
            "chart-memory",
            "chart-leases",
            "chart-traffic");
    // the colours of both subjects are in each of them: not only axes
    assertThat(
            browser.texts(
                """
                [...document.querySelectorAll('canvas')].filter(canvas => {
                  const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
                  const near = ([r, g, b]) => {
                    let found = 0;
                    for (let i = 0; i < pixels.length; i += 4) {
                      if (pixels[i + 3] > 200 && Math.abs(pixels[i] - r) + Math.abs(pixels[i + 1] - g) + Math.abs(pixels[i + 2] - b) < 24) found++;
                    }
                    return found;
                  };
                  return near([33, 85, 214]) < 200 || near([194, 80, 10]) < 200;
                }).map(canvas => canvas.id)
                """))
        .as("charts without a subject")
        .isEmpty();
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests()).containsExactly(page.toUri().toString());
  }

  @Test
  void legendsNameBothSubjects() throws Exception {
    assertThat(
            browser.texts(
                """
                [...document.querySelectorAll('canvas')]
                  .map(canvas => Chart.getChart(canvas).legend.legendItems.map(item => item.text).join('|'))
                """))
        .hasSize(7)
        .allSatisfy(legend -> assertThat(legend).contains("vertlet", PEER));
    assertThat(
            browser.texts("[...document.querySelectorAll('#subjects li')].map(l => l.innerText)"))
        .first()
        .asString()
        .startsWith("vertlet");
    assertThat(browser.evaluate("document.querySelectorAll('b').length")).isEqualTo(0);
  }

  @Test
  void saysWhatCameOfIt() throws Exception {
    assertThat(browser.evaluate("document.getElementById('verdict').innerText"))
        .isEqualTo("✗ Failed: 2 pods lost, 1 of 6 thresholds not met");
    assertThat(browser.evaluate("document.getElementById('figures').innerText").toString())
        .contains("create to Ready, p99, ms", "vertlet (median of 2 runs)", "×", "lost pods");
    assertThat(browser.evaluate("document.getElementById('checks').innerText").toString())
        .contains("2 · 47.5 s: API server restarted, down for 3s", "✗ not met");
    assertThat(browser.evaluate("document.getElementById('repeat').innerText").toString())
        .contains("./vertlet load-test --scenario churn.json --compare 'vertlet,kwok 64'");
  }

  @Test
  void followsTheSystemsThemeAndTheSwitch() throws Exception {
    assertThat(browser.evaluate(BACKGROUND)).isEqualTo(LIGHT);
    Object light = browser.evaluate(AXIS);

    browser.prefer("dark");

    eventually(() -> assertThat(browser.evaluate(BACKGROUND)).isEqualTo(DARK));
    assertThat(browser.evaluate(AXIS)).isNotEqualTo(light);

    browser.evaluate("document.getElementById('theme').click()");

    assertThat(browser.evaluate(BACKGROUND)).isEqualTo(LIGHT);
    assertThat(browser.evaluate(AXIS)).isEqualTo(light);
    assertThat(browser.evaluate("document.getElementById('theme').getAttribute('aria-pressed')"))
        .isEqualTo("false");
  }

  @Test
  void chartsBecomePictures() throws Exception {
    assertThat(browser.evaluate("Draw.png(Chart.getChart('chart-cpu'), 'CPU')").toString())
        .startsWith("data:image/png;base64,")
        .hasSizeGreaterThan(10_000);
  }

  @Test
  void fitsANarrowScreen() throws Exception {
    browser.resize(400, 800);
    browser.open(page);

    assertThat((Integer) browser.evaluate("document.documentElement.scrollWidth"))
        .isLessThanOrEqualTo(400);
  }

  @Test
  void isUsableWithoutSeeingCharts() throws Exception {
    browser.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)");

    assertThat(
            browser.texts(
                "[...document.querySelectorAll('canvas')].map(c => c.getAttribute('aria-label'))"))
        .allSatisfy(label -> assertThat(label).containsPattern("vertlet.*: .* to .*"));
    eventually(
        () ->
            assertThat(
                    browser.texts(
                        "[...document.querySelectorAll('details')].map(d =>"
                            + " d.querySelectorAll('tbody tr').length)"))
                .hasSize(7)
                .allSatisfy(rows -> assertThat(Integer.parseInt(rows)).isPositive()));
  }
}
