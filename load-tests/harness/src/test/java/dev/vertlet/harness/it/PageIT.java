package dev.vertlet.harness.it;

import static dev.vertlet.testsupport.Waits.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.demo.Demo;
import dev.vertlet.harness.demo.DemoOptions;
import dev.vertlet.harness.demo.DemoProvider;
import dev.vertlet.harness.run.Patience;
import dev.vertlet.harness.run.Progress;
import dev.vertlet.testsupport.FullRing;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent's page as a browser shows it, with a thousand nodes. */
@FullRing
@Needs(Tool.BROWSER)
class PageIT {
  private static final int NODES = 1_000;
  private static final int PODS = 2_000;
  private static final int TAB = 9;
  private static final int ENTER = 13;

  private static final String BACKGROUND = "getComputedStyle(document.body).backgroundColor";
  private static final String LIGHT = "rgb(246, 247, 249)";
  private static final String DARK = "rgb(14, 19, 27)";

  @TempDir private static Path dir;
  private static Demo demo;
  private static Progress progress;
  private static Browser browser;

  @BeforeAll
  static void start() throws Exception {
    Patience patience = Patience.begin(new CompletableFuture<>(), Duration.ofMinutes(5));
    progress = Progress.create();
    demo =
        Demo.start(
            new DemoOptions(DemoProvider.SIMULATED, NODES, PODS, 0, Duration.ofMinutes(5)),
            patience,
            progress);
    demo.up();
    browser = Browser.start(Files.createDirectory(dir.resolve("profile")));
  }

  @AfterAll
  static void stop() throws Exception {
    try (Progress bars = progress;
        Demo ended = demo) {
      if (browser != null) {
        browser.close();
      }
    }
  }

  @BeforeEach
  void open() throws Exception {
    browser.prefer("light");
    browser.resize(1600, 900);
    reopen();
  }

  private static void reopen() throws Exception {
    browser.open(URI.create("http://127.0.0.1:" + demo.agentPort() + "/"));
    live();
  }

  private static void live() {
    eventually(
        () -> {
          assertThat(text("link")).isEqualTo("Live");
          assertThat(text("matches")).isNotEmpty();
        });
  }

  private static String text(String id) throws Exception {
    return String.valueOf(
        browser.evaluate("document.getElementById('%s').innerText".formatted(id)));
  }

  private static List<String> rows() throws Exception {
    return browser.texts(
        "[...document.querySelectorAll('#nodes tbody tr')].map(r => r.cells[0].innerText)");
  }

  private static String focused() throws Exception {
    return String.valueOf(
        browser.evaluate(
            "document.activeElement.id || document.activeElement.dataset.sort"
                + " || document.activeElement.innerText || document.activeElement.tagName"));
  }

  /** Pictures for whoever asks for them with {@code -Dvertlet.screenshots=DIRECTORY}. */
  private static void picture(String name) throws Exception {
    String folder = System.getProperty("vertlet.screenshots", "");
    if (!folder.isEmpty()) {
      Files.write(Path.of(folder, name + ".png"), browser.screenshot());
    }
  }

  @Test
  void showsAThousandNodesAndAsksNobodyElse() throws Exception {
    assertThat(text("nodes-ready")).isEqualTo("1,000");
    assertThat(text("leases-held")).isEqualTo("1,000");
    eventually(() -> assertThat(text("pods-total")).isEqualTo("2,000"));
    assertThat(text("phase-running")).isEqualTo("2,000");
    assertThat(browser.evaluate("document.querySelector('#l-startEver td').innerText"))
        .isEqualTo("2,000");
    assertThat(rows()).hasSize(25);
    assertThat(text("where")).isEqualTo("page 1 of 40");
    assertThat((Integer) browser.evaluate("document.querySelectorAll('*').length"))
        .as("elements, however many nodes there are")
        .isLessThan(2_000);
    assertThat(browser.complaints()).isEmpty();
    assertThat(browser.requests())
        .allSatisfy(url -> assertThat(url).matches("(http://127\\.0\\.0\\.1:\\d+/.*|data:,)"));
    picture("page-light");
  }

  @Test
  void findsSortsAndTurnsPagesOnTheServer() throws Exception {
    browser.evaluate("document.getElementById('on').click()");
    eventually(() -> assertThat(text("where")).isEqualTo("page 2 of 40"));

    browser.evaluate(
        "{ const q = document.getElementById('q'); q.value = 'node-99';"
            + " q.dispatchEvent(new Event('input')); }");

    eventually(() -> assertThat(text("matches")).isEqualTo("11 nodes"));
    assertThat(rows()).hasSize(11).allSatisfy(name -> assertThat(name).contains("node-99"));
    browser.evaluate("document.querySelector('[data-sort=pods]').click()");
    eventually(
        () ->
            assertThat(
                    browser.evaluate(
                        "document.querySelector('[data-sort=pods]').closest('th').getAttribute('aria-sort')"))
                .isEqualTo("descending"));
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void followsTheSystemsThemeAndTheSwitch() throws Exception {
    assertThat(browser.evaluate(BACKGROUND)).isEqualTo(LIGHT);
    assertContrast();

    browser.prefer("dark");

    eventually(() -> assertThat(browser.evaluate(BACKGROUND)).isEqualTo(DARK));
    assertContrast();
    picture("page-dark");

    browser.evaluate("document.getElementById('theme').click()");

    assertThat(browser.evaluate(BACKGROUND)).isEqualTo(LIGHT);
    assertThat(browser.evaluate("document.getElementById('theme').getAttribute('aria-pressed')"))
        .isEqualTo("false");
  }

  /** WCAG's AA: 4.5 for text, of every element that has some. */
  private static void assertContrast() throws Exception {
    assertThat(
            browser.texts(
                """
                (() => {
                  const light = color => color.slice(0, 3).map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
                    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
                  const parse = css => css.match(/[\\d.]+/g).map(Number);
                  const behind = node => {
                    for (let at = node; at; at = at.parentElement) {
                      const color = parse(getComputedStyle(at).backgroundColor);
                      if (color.length < 4 || color[3] > 0) return color;
                    }
                    return [255, 255, 255];
                  };
                  return [...document.querySelectorAll('body *')]
                    .filter(e => e.checkVisibility() && !e.disabled && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
                    .map(e => {
                      const [one, other] = [light(parse(getComputedStyle(e).color)), light(behind(e))].sort((a, b) => b - a);
                      return [e.tagName + '#' + e.id + '.' + e.className + ' ' + e.innerText.slice(0, 20), (one + 0.05) / (other + 0.05)];
                    })
                    .filter(([, contrast]) => contrast < 4.5)
                    .map(([name, contrast]) => name + ' ' + contrast.toFixed(2));
                })()
                """))
        .as("texts that are hard to read")
        .isEmpty();
  }

  @Test
  void fitsAPhone() throws Exception {
    browser.resize(390, 844);
    reopen();

    assertThat((Integer) browser.evaluate("document.documentElement.scrollWidth"))
        .isLessThanOrEqualTo(390);
    assertThat(
            browser.texts(
                "[...document.querySelectorAll('button, select, input')].filter(e =>"
                    + " e.checkVisibility()).filter(e => e.getBoundingClientRect().height <"
                    + " 23.9).map(e => e.outerHTML)"))
        .as("too small for a finger")
        .isEmpty();
    picture("page-phone");
  }

  @Test
  void everythingIsReachedByTheKeyboard() throws Exception {
    List<String> reached = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      browser.press("Tab", TAB);
      reached.add(focused());
    }
    assertThat(reached)
        .contains(
            "Skip to the nodes", "theme", "q", "which", "name", "state", "pods", "failed", "on");
    assertThat(reached.get(0)).isEqualTo("Skip to the nodes");

    String first = rows().get(0);
    browser.evaluate("document.querySelector('#nodes tbody button').focus()");
    browser.press("Enter", ENTER);

    eventually(() -> assertThat(focused()).isEqualTo("node-title"));
    assertThat(text("node-title")).isEqualTo("Node " + first);
    assertThat(text("node-facts")).contains("Ready", "held since", "running");
    browser.press("Tab", TAB);
    assertThat(focused()).isEqualTo("close");
    browser.press("Enter", ENTER);
    assertThat(focused()).isEqualTo(first);
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void saysWhatItIsToWhoCannotSeeIt() throws Exception {
    assertThat(browser.texts("[...document.querySelectorAll('h1, h2')].map(h => h.innerText)"))
        .contains("Throughput", "Pods by phase", "Latency", "What waits", "Nodes", "Slow pods");
    assertThat(
            browser.texts(
                "['header', 'main', 'footer', 'nav'].filter(t => !document.querySelector(t))"))
        .isEmpty();
    assertThat(
            browser.texts(
                """
                [...document.querySelectorAll('button, input, select, [role=region], [role=img]')].filter(e => e.checkVisibility())
                  .filter(e => !(e.innerText || e.getAttribute('aria-label') || e.getAttribute('aria-labelledby') || e.labels?.length)).map(e => e.outerHTML)
                """))
        .as("without a name")
        .isEmpty();
    assertThat(
            browser.texts(
                "[...document.querySelectorAll('[aria-live], [role=status], [role=alert]')].map(e"
                    + " => e.id)"))
        .as("read aloud when they change, which the figures are not")
        .containsExactlyInAnyOrder("link", "login-error");
  }
}
