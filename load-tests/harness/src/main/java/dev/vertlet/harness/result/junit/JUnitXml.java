package dev.vertlet.harness.result.junit;

import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.PhaseResult;
import dev.vertlet.harness.result.RunResult;
import dev.vertlet.harness.result.RunResult.ThresholdResult;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Formats one suite for each run, with one test for its pods and one for each threshold. */
public final class JUnitXml {
  private static final String PODS = "every pod became Ready and went";

  private final XMLStreamWriter xml;

  private JUnitXml(XMLStreamWriter xml) {
    this.xml = xml;
  }

  /** Renders the document. */
  public static String of(Comparison comparison) {
    StringWriter text = new StringWriter();
    try {
      XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
      new JUnitXml(xml).document(comparison.runs());
      xml.close();
    } catch (XMLStreamException e) {
      throw new IllegalStateException("text in memory cannot be written", e);
    }
    return text + System.lineSeparator();
  }

  private void document(List<RunResult> runs) throws XMLStreamException {
    xml.writeStartDocument("UTF-8", "1.0");
    start(0, "testsuites");
    for (RunResult run : runs) {
      suite(run);
    }
    end(0);
    xml.writeEndDocument();
  }

  private void suite(RunResult run) throws XMLStreamException {
    long unmet = run.thresholds().stream().filter(threshold -> !threshold.met()).count();
    start(1, "testsuite");
    attribute("name", run.scenario() + " " + run.subject().name());
    attribute("tests", 1 + run.thresholds().size());
    attribute("failures", unmet + (run.lost() == 0 ? 0 : 1));
    attribute("errors", 0);
    attribute("skipped", 0);
    attribute("time", seconds(run));
    attribute("timestamp", run.environment().started());
    properties(run);
    pods(run);
    for (ThresholdResult threshold : run.thresholds()) {
      threshold(run, threshold);
    }
    end(1);
  }

  private void properties(RunResult run) throws XMLStreamException {
    start(2, "properties");
    for (Map.Entry<String, String> property : facts(run).entrySet()) {
      xml.writeCharacters(indent(3));
      xml.writeEmptyElement("property");
      attribute("name", property.getKey());
      attribute("value", property.getValue());
    }
    end(2);
  }

  private static Map<String, String> facts(RunResult run) {
    RunResult.Environment environment = run.environment();
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("target", environment.target());
    facts.put("kubernetes", environment.kubernetes());
    facts.put("cores", Integer.toString(environment.cores()));
    facts.put("java", environment.java());
    facts.put("system", environment.system());
    facts.put("arguments", String.join(" ", environment.arguments()));
    if (!run.subject().version().isEmpty()) {
      facts.put("version", run.subject().version());
    }
    facts.put("command", String.join(" ", run.subject().shown()));
    int number = 0;
    for (RunResult.FaultRecord fault : run.faults()) {
      number++;
      facts.put(
          "fault." + number,
          String.format(Locale.ROOT, "%.1f s: %s", fault.seconds(), fault.what()));
    }
    return facts;
  }

  private void pods(RunResult run) throws XMLStreamException {
    test(run, PODS, seconds(run));
    if (run.lost() > 0) {
      failure(
          "lost",
          "%d of %d pods did not become Ready, did not go, or vanished unasked"
              .formatted(run.lost(), run.phases().stream().mapToInt(PhaseResult::created).sum()));
    }
    end(2);
  }

  private void threshold(RunResult run, ThresholdResult threshold) throws XMLStreamException {
    String wanted = threshold.figure() + " " + threshold.wanted();
    test(run, wanted, "0");
    if (!threshold.met()) {
      failure("threshold", "%s: it is %s".formatted(wanted, threshold.found()));
    }
    end(2);
  }

  private void test(RunResult run, String name, String seconds) throws XMLStreamException {
    start(2, "testcase");
    attribute("name", name);
    attribute("classname", run.scenario() + "." + run.subject().name());
    attribute("time", seconds);
  }

  private void failure(String type, String message) throws XMLStreamException {
    xml.writeCharacters(indent(3));
    xml.writeEmptyElement("failure");
    attribute("type", type);
    attribute("message", message);
  }

  private static String seconds(RunResult run) {
    return String.format(
        Locale.ROOT, "%.3f", run.phases().stream().mapToDouble(PhaseResult::seconds).sum());
  }

  private void start(int depth, String element) throws XMLStreamException {
    xml.writeCharacters(indent(depth));
    xml.writeStartElement(element);
  }

  private void end(int depth) throws XMLStreamException {
    xml.writeCharacters(indent(depth));
    xml.writeEndElement();
  }

  private void attribute(String name, Object value) throws XMLStreamException {
    xml.writeAttribute(name, allowed(value.toString()));
  }

  private static String indent(int depth) {
    return "\n" + "  ".repeat(depth);
  }

  /** Replaces the control characters that names may contain and XML cannot express. */
  private static String allowed(String text) {
    return text.codePoints()
        .map(c -> isXml(c) ? c : '\uFFFD')
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static boolean isXml(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= ' ' && c < Character.MIN_SURROGATE)
        || (c > Character.MAX_SURROGATE && c < 0xFFFE)
        || c > 0xFFFF;
  }
}
