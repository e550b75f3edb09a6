package dev.vertlet.harness.scenario;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.DocumentReader;
import dev.vertlet.config.document.Section;
import dev.vertlet.harness.result.servicelevel.ServiceLevel;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads scenario files. {@code conf/load.schema.json} defines the keys and their values. Reads
 * files; not for event loops.
 */
public final class ScenarioReader {
  private ScenarioReader() {}

  /**
   * Reads a scenario file and the traces that it names.
   *
   * @throws ConfigException with every problem: its place, the value and what is allowed
   */
  public static Scenario read(Path file) {
    Section document = new DocumentReader("/load.schema.json").read(file);
    Problems problems = new Problems();
    PhaseReader phases = new PhaseReader(new ArrivalReader(file, problems), problems);
    FaultReader faults = new FaultReader(problems);
    Scenario scenario =
        new Scenario(
            document.text("name", file.getFileName().toString().replaceFirst("\\.json$", "")),
            document.text("description", ""),
            document.number("nodes", 1),
            document.number("namespaces", 1),
            document.word("placement", Placement.BOUND),
            document.number("containers", 1),
            document.number("labels", 0),
            document.number("graceSeconds", Scenarios.USUAL_GRACE_SECONDS),
            document.number("seed", 1L),
            document.sections("phases", (section, place) -> phases.read(section)),
            document.sections("faults", (section, place) -> faults.read(section)),
            thresholds(document, problems));
    new ScenarioCheck(scenario, problems).check();
    problems.done(ConfigException::new);
    return scenario;
  }

  /** A list of thresholds, or an object with a set of official ones and such a list. */
  private static List<Threshold> thresholds(Section document, Problems problems) {
    boolean official = document.object().getValue("thresholds") instanceof JsonObject;
    Section holder = official ? document.section("thresholds") : document;
    List<Threshold> thresholds =
        new ArrayList<>(
            holder.sections(
                official ? "figures" : "thresholds",
                (section, place) -> threshold(section, problems)));
    if (official) {
      for (ServiceLevel level : ServiceLevel.values()) {
        thresholds.add(
            new Threshold(
                level.figure(),
                Double.NEGATIVE_INFINITY,
                level.limitMillis(),
                holder.pointer("slo")));
      }
    }
    return thresholds;
  }

  private static Threshold threshold(Section section, Problems problems) {
    double min = section.number("min", Double.NEGATIVE_INFINITY);
    double max = section.number("max", Double.POSITIVE_INFINITY);
    if (min > max) {
      problems.refuse(section.pointer("min"), min, "must be at most \"max\", which is " + max);
    }
    return new Threshold(section.text("figure", ""), min, max, section.pointer("figure"));
  }
}
