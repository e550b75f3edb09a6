package dev.vertlet.stages.expression;

import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.vertlet.stages.spec.SourceText;
import dev.vertlet.stages.spec.Stage;
import dev.vertlet.stages.spec.Stage.Requirement;
import dev.vertlet.stages.spec.Stage.ValueFrom;
import dev.vertlet.stages.spec.StageProblem;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Compiles the expressions of stages and collects their mistakes. */
public final class Expressions {
  private final CelFunctions functions;
  private final List<StageProblem> problems;

  /**
   * Creates a compiler.
   *
   * @param clock of {@code Now} and {@code SinceSecond}
   * @param random of {@code Rand}
   * @param problems receives the mistakes; an expression with one yields no value
   */
  public Expressions(Clock clock, RandomGenerator random, List<StageProblem> problems) {
    this.functions = new CelFunctions(clock, random);
    this.problems = problems;
  }

  /** Compiles a stage's selector. */
  public ObjectMatcher matcher(Stage stage) {
    Stage.Selector selector = stage.selector();
    if (selector == null) {
      return ObjectMatcher.NONE;
    }
    List<ObjectMatcher.Condition> conditions = new ArrayList<>();
    for (Requirement requirement : selector.requirements()) {
      if (requirement instanceof Requirement.Jq jq) {
        JqQuery query = query(jq.source());
        if (query != null) {
          conditions.add(new ObjectMatcher.JqCondition(jq, query));
        }
      } else if (requirement instanceof Requirement.Cel cel) {
        CelProgram program = program(stage, cel.source(), List.of(SimpleType.BOOL));
        if (program != null) {
          conditions.add(new ObjectMatcher.CelCondition(cel, program));
        }
      }
    }
    return new ObjectMatcher(selector.labels(), selector.annotations(), conditions);
  }

  /** Compiles a stage's weight. */
  public StageWeight weight(Stage stage) {
    return new StageWeight(
        stage.weight().value(),
        value(
            stage,
            stage.weight().from(),
            List.of(
                SimpleType.INT,
                SimpleType.UINT,
                SimpleType.DOUBLE,
                SimpleType.BOOL,
                SimpleType.DURATION)));
  }

  /** Compiles a stage's delay. */
  public StageDelay delay(Stage stage) {
    Stage.Delay delay = stage.delay();
    if (delay == null) {
      return StageDelay.NONE;
    }
    List<CelType> types =
        List.of(
            SimpleType.DURATION,
            SimpleType.STRING,
            SimpleType.INT,
            SimpleType.UINT,
            SimpleType.DOUBLE);
    return new StageDelay(
        delay.millis() == null ? 0L : delay.millis(),
        value(stage, delay.from(), types),
        delay.jitterMillis(),
        value(stage, delay.jitterFrom(), types));
  }

  private @Nullable CompiledValue value(
      Stage stage, @Nullable ValueFrom from, List<CelType> types) {
    if (from == null) {
      return null;
    }
    SourceText cel = from.cel();
    SourceText jq = from.jq();
    return new CompiledValue(
        cel == null ? null : program(stage, cel, types), jq == null ? null : query(jq));
  }

  private @Nullable JqQuery query(SourceText source) {
    try {
      return JqQuery.compile(source.text());
    } catch (ExpressionException e) {
      problems.add(source.problem(e.line(), e.column(), String.valueOf(e.getMessage())));
      return null;
    }
  }

  private @Nullable CelProgram program(Stage stage, SourceText source, List<CelType> types) {
    try {
      boolean typed = stage.resource().isNodeOrPod();
      return CelProgram.compile(source.text(), types, typed, functions);
    } catch (ExpressionException e) {
      problems.add(source.problem(e.line(), e.column(), String.valueOf(e.getMessage())));
      return null;
    }
  }
}
