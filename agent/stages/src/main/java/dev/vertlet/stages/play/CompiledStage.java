package dev.vertlet.stages.play;

import dev.vertlet.stages.expression.ObjectMatcher;
import dev.vertlet.stages.expression.StageDelay;
import dev.vertlet.stages.expression.StageWeight;
import dev.vertlet.stages.spec.Stage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A stage with its compiled expressions and templates. */
public final class CompiledStage {
  private final Stage stage;
  private final ObjectMatcher matcher;
  private final StageWeight weight;
  private final StageDelay delay;
  private final List<CompiledStep> steps;

  CompiledStage(
      Stage stage,
      ObjectMatcher matcher,
      StageWeight weight,
      StageDelay delay,
      List<CompiledStep> steps) {
    this.stage = stage;
    this.matcher = matcher;
    this.weight = weight;
    this.delay = delay;
    this.steps = List.copyOf(steps);
  }

  /** As in its document. */
  public Stage stage() {
    return stage;
  }

  public String name() {
    return stage.name();
  }

  public ObjectMatcher matcher() {
    return matcher;
  }

  /** Weight for an object; empty without a usable one. */
  public OptionalLong weight(StageObject object) {
    return weight.of(object.json());
  }

  /** Range of the delay for an object; empty for none. */
  public Optional<StageDelay.Range> delay(StageObject object, Instant begin) {
    return delay.of(object.json(), begin);
  }

  List<CompiledStep> steps() {
    return steps;
  }

  /**
   * Renders all steps for an object as it is now.
   *
   * @throws dev.vertlet.stages.template.TemplateException if a template cannot be rendered
   * @throws RenderException if an output is not what its step needs
   */
  public List<Write> writes(StageObject object) {
    List<Write> writes = new ArrayList<>();
    boolean deleted = false;
    for (CompiledStep step : steps) {
      if (!deleted || step.isEvent()) {
        step.write(object).ifPresent(writes::add);
      }
      deleted |= step.isDelete();
    }
    return writes;
  }
}
