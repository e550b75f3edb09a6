package dev.vertlet.harness.command;

import dev.vertlet.cli.FileKind;
import dev.vertlet.config.document.ConfigException;
import dev.vertlet.harness.loadtest.ResultShape;
import dev.vertlet.harness.scenario.Scenario;
import dev.vertlet.harness.scenario.ScenarioReader;
import dev.vertlet.harness.scenario.Thresholds;
import dev.vertlet.problem.Problems;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;

/** Checks scenario files for {@code vertlet validate}; found by its service file. */
public final class ScenarioFile implements FileKind {
  @Override
  public String name() {
    return "scenario";
  }

  /** Only scenarios have phases, and every scenario needs them. */
  @Override
  public boolean matches(JsonObject document) {
    return document.containsKey("phases");
  }

  @Override
  public String check(Path file) {
    Scenario scenario = ScenarioReader.read(file);
    Problems problems = new Problems();
    Thresholds.check(scenario.thresholds(), ResultShape.result(scenario, true, true), problems);
    problems.done(ConfigException::new);
    return "scenario %s: %s, %s, up to %,d pods at a time, %s, %s"
        .formatted(
            scenario.name(),
            count(scenario.nodes(), "node"),
            count(scenario.phases().size(), "phase"),
            scenario.mostPods(),
            count(scenario.faults().size(), "fault"),
            count(scenario.thresholds().size(), "threshold"));
  }

  private static String count(int count, String what) {
    return "%,d %s%s".formatted(count, what, count == 1 ? "" : "s");
  }
}
