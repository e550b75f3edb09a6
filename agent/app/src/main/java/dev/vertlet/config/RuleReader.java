package dev.vertlet.config;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.config.document.Section;
import dev.vertlet.problem.Problems;
import dev.vertlet.simulated.rule.DurationRule;
import dev.vertlet.simulated.rule.Glob;
import dev.vertlet.simulated.rule.LifeCycle;
import dev.vertlet.simulated.rule.NodeRule;
import dev.vertlet.simulated.rule.NodeRule.Trouble;
import dev.vertlet.simulated.rule.PodSelector;
import dev.vertlet.simulated.rule.RuleKey;
import dev.vertlet.simulated.rule.SimulatedRule;
import org.jspecify.annotations.Nullable;

/** Reads one rule of the simulated runtime, for containers or for nodes. */
final class RuleReader {
  /** A rule applies to all that it selects. */
  private static final double ALL = 1;

  private RuleReader() {}

  /**
   * @throws ConfigException with every problem, placed relative to the rule
   */
  static SimulatedRule read(Section json) {
    Section selector = json.section("selector");
    LifeCycle lifeCycle = LifeCycle.UNSET;
    Problems problems = new Problems();
    for (RuleKey setting : RuleKey.values()) {
      String text = json.scalar(setting.field());
      try {
        lifeCycle = text == null ? lifeCycle : lifeCycle.with(setting, text);
      } catch (IllegalArgumentException e) {
        problems.refuse("/" + setting.field(), text, "is refused: " + e.getMessage());
      }
    }
    problems.done(ConfigException::new);
    return new SimulatedRule(
        json.text("name", ""),
        new PodSelector(
            emptyAsNull(selector.text("namespace", "")),
            selector.texts("matchLabels"),
            selector.texts("matchAnnotations"),
            emptyAsNull(selector.text("controllerKind", "")),
            selector.has("image") ? new Glob(selector.text("image", "")) : null),
        json.list("containers"),
        json.number("share", ALL),
        lifeCycle);
  }

  /**
   * Reads a rule for nodes.
   *
   * @throws ConfigException with every problem, placed relative to the rule
   */
  static NodeRule readNode(Section json) {
    Section selector = json.section("selector");
    Problems problems = new Problems();
    DurationRule every = time(json, "every", problems);
    DurationRule lasts = time(json, "lasts", problems);
    problems.done(ConfigException::new);
    return new NodeRule(
        json.text("name", ""),
        new Glob(selector.text("name", "*")),
        selector.texts("matchLabels"),
        json.number("share", ALL),
        json.word("trouble", Trouble.LOST),
        every,
        lasts);
  }

  private static DurationRule time(Section json, String field, Problems problems) {
    String text = json.text(field, "never");
    try {
      return DurationRule.parse(text);
    } catch (IllegalArgumentException e) {
      problems.refuse("/" + field, text, "is refused: " + e.getMessage());
      return DurationRule.NEVER;
    }
  }

  private static @Nullable String emptyAsNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
