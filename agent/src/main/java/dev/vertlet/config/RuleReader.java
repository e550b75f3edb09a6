package dev.vertlet.config;

import dev.vertlet.simulated.Glob;
import dev.vertlet.simulated.LifeCycle;
import dev.vertlet.simulated.PodSelector;
import dev.vertlet.simulated.Setting;
import dev.vertlet.simulated.SimulatedRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads one rule of the simulated runtime. */
final class RuleReader {
  private RuleReader() {}

  /**
   * @throws ConfigException with every mistake, placed relative to the rule
   */
  static SimulatedRule read(Section json) {
    Section selector = json.section("selector");
    LifeCycle lifeCycle = LifeCycle.UNSET;
    List<Mistake> mistakes = new ArrayList<>();
    for (Setting setting : Setting.values()) {
      String text = json.scalar(setting.field());
      try {
        lifeCycle = text == null ? lifeCycle : lifeCycle.with(setting, text);
      } catch (IllegalArgumentException e) {
        mistakes.add(Mistake.of("/" + setting.field(), text, "is refused: " + e.getMessage()));
      }
    }
    if (!mistakes.isEmpty()) {
      throw new ConfigException(mistakes);
    }
    return new SimulatedRule(
        json.text("name", ""),
        new PodSelector(
            emptyAsNull(selector.text("namespace", "")),
            selector.texts("matchLabels"),
            selector.texts("matchAnnotations"),
            emptyAsNull(selector.text("controllerKind", "")),
            selector.has("image") ? new Glob(selector.text("image", "")) : null),
        json.list("containers"),
        json.number("share", Defaults.SHARE),
        lifeCycle);
  }

  private static @Nullable String emptyAsNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
