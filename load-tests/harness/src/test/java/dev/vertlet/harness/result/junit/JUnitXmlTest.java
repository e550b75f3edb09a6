package dev.vertlet.harness.result.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.result.SampleRuns;
import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class JUnitXmlTest {
  private Element root;

  @BeforeEach
  void parse() throws Exception {
    Comparison comparison =
        new Comparison(
            List.of(SampleRuns.vertlet(1), SampleRuns.run("<\"a\" & \u0001b>", 1.5, 2, 4)));
    root =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new InputSource(new StringReader(JUnitXml.of(comparison))))
            .getDocumentElement();
  }

  private static List<Element> elements(Element parent, String name) {
    NodeList nodes = parent.getElementsByTagName(name);
    return IntStream.range(0, nodes.getLength()).mapToObj(i -> (Element) nodes.item(i)).toList();
  }

  @Test
  void eachRunIsASuiteWhoseNumbersAddUp() {
    assertThat(root.getTagName()).isEqualTo("testsuites");
    assertThat(elements(root, "testsuite"))
        .hasSize(2)
        .allSatisfy(
            suite -> {
              assertThat(suite.getAttribute("tests"))
                  .isEqualTo(String.valueOf(elements(suite, "testcase").size()));
              assertThat(suite.getAttribute("failures"))
                  .isEqualTo(String.valueOf(elements(suite, "failure").size()));
              assertThat(suite.getAttribute("errors")).isEqualTo("0");
              assertThat(suite.getAttribute("skipped")).isEqualTo("0");
              assertThat(suite.getAttribute("time")).matches("\\d+\\.\\d{3}");
              assertThat(suite.getAttribute("timestamp")).matches("2026-11-22T.*Z");
              assertThat(suite.getFirstChild().getNextSibling().getNodeName())
                  .isEqualTo("properties");
            });
  }

  @Test
  void testsAreThePodsAndEachThreshold() {
    Element suite = elements(root, "testsuite").get(0);

    assertThat(elements(suite, "testcase"))
        .extracting(test -> test.getAttribute("name"))
        .containsExactly(
            "every pod became Ready and went", "lost at most 0", "phases.up.per_s at least 100");
    assertThat(elements(suite, "testcase"))
        .allSatisfy(
            test -> {
              assertThat(test.getAttribute("classname")).isEqualTo("daily churn.vertlet");
              assertThat(test.getAttribute("time")).isNotEmpty();
            });
    assertThat(elements(suite, "failure")).isEmpty();
  }

  @Test
  void whatIsMissingIsAFailureWithItsReason() {
    Element suite = elements(root, "testsuite").get(1);

    assertThat(suite.getAttribute("name")).isEqualTo("daily churn <\"a\" & \uFFFDb>");
    assertThat(elements(suite, "failure"))
        .extracting(failure -> failure.getAttribute("message"))
        .containsExactly(
            "4 of 7750 pods did not become Ready, did not go, or vanished unasked",
            "lost at most 0: it is 4");
  }

  @Test
  void longWordsOfCommandsAreCut() {
    RunResult.Subject subject =
        new RunResult.Subject("a", "", List.of("java", "-cp", "x".repeat(101), "Main"));

    assertThat(subject.shown()).containsExactly("java", "-cp", "x".repeat(100) + "…", "Main");
  }

  @Test
  void faultsAreProperties() {
    assertThat(elements(elements(root, "testsuite").get(0), "property"))
        .anySatisfy(
            property -> {
              assertThat(property.getAttribute("name")).isEqualTo("fault.1");
              assertThat(property.getAttribute("value")).isEqualTo("30.0 s: watches cut");
            });
  }

  @Test
  void aMissedServiceLevelIsAFailureThatNamesTheRequests() {
    String xml = JUnitXml.of(new Comparison(List.of(SampleRuns.recorded("vertlet", 1))));

    assertThat(xml)
        .contains(
            "name=\"service_levels.mutating.p99_ms at most 1,000\"",
            "it is 1,508 (PATCH pods/status, measured by the subject)");
  }
}
