package dev.vertlet.stages.play;

import dev.vertlet.stages.expression.Expressions;
import dev.vertlet.stages.spec.ResourceRef;
import dev.vertlet.stages.spec.SourceText;
import dev.vertlet.stages.spec.Stage;
import dev.vertlet.stages.spec.StageException;
import dev.vertlet.stages.spec.StageProblem;
import dev.vertlet.stages.spec.Step;
import dev.vertlet.stages.spec.Step.PatchType;
import dev.vertlet.stages.template.Template;
import dev.vertlet.stages.template.TemplateException;
import dev.vertlet.stages.template.Templates;
import dev.vertlet.stages.template.function.Functions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Compiles stages: selectors, weights, delays and templates. */
public final class StageCompiler {
  private static final Pattern PREFIX = Pattern.compile("^template: [^:]*:\\d+(:\\d+)?: ");

  private final Clock clock;
  private final RandomGenerator random;
  private final Functions functions;
  private final Function<ResourceRef, PatchType> defaultType;

  /**
   * Creates a compiler.
   *
   * @param clock of the functions in CEL
   * @param random of the functions in CEL
   * @param functions of the templates
   */
  public StageCompiler(Clock clock, RandomGenerator random, Functions functions) {
    this(
        clock,
        random,
        functions,
        kind -> kind.isNodeOrPod() ? PatchType.STRATEGIC : PatchType.MERGE);
  }

  /**
   * Creates a compiler.
   *
   * @param defaultType type of a patch that names none
   */
  StageCompiler(
      Clock clock,
      RandomGenerator random,
      Functions functions,
      Function<ResourceRef, PatchType> defaultType) {
    this.clock = clock;
    this.random = random;
    this.functions = functions;
    this.defaultType = defaultType;
  }

  /**
   * Compiles stages.
   *
   * @return life cycles by kind, in the order in which the kinds appear
   * @throws StageException with every mistake in every stage
   */
  public Map<ResourceRef, LifeCycle> compile(Collection<Stage> stages) {
    List<StageProblem> problems = new ArrayList<>();
    Expressions expressions = new Expressions(clock, random, problems);
    Map<ResourceRef, List<CompiledStage>> byKind = new LinkedHashMap<>();
    for (Stage stage : stages) {
      byKind
          .computeIfAbsent(stage.resource(), kind -> new ArrayList<>())
          .add(
              new CompiledStage(
                  stage,
                  expressions.matcher(stage),
                  expressions.weight(stage),
                  expressions.delay(stage),
                  steps(stage, problems)));
    }
    if (!problems.isEmpty()) {
      throw new StageException(problems);
    }
    Map<ResourceRef, LifeCycle> lifeCycles = new LinkedHashMap<>();
    byKind.forEach((kind, compiled) -> lifeCycles.put(kind, new LifeCycle(compiled)));
    return lifeCycles;
  }

  private List<CompiledStep> steps(Stage stage, List<StageProblem> problems) {
    PatchType type = defaultType.apply(stage.resource());
    List<CompiledStep> steps = new ArrayList<>();
    for (Step step : stage.steps()) {
      SourceText text = null;
      if (step instanceof Step.Patch patch) {
        text = patch.template();
      } else if (step instanceof Step.Apply apply) {
        text = apply.template();
      }
      Template template = text == null ? null : template(stage, text, problems);
      if (text == null || template != null) {
        steps.add(new CompiledStep(step, template, type));
      }
    }
    return steps;
  }

  private @Nullable Template template(Stage stage, SourceText source, List<StageProblem> problems) {
    try {
      return Templates.parse(stage.name(), source.text(), functions);
    } catch (TemplateException e) {
      String message = PREFIX.matcher(String.valueOf(e.getMessage())).replaceFirst("");
      problems.add(
          source.problem(Math.max(1, e.line()), Math.max(1, e.column()), "template: " + message));
      return null;
    }
  }
}
