package dev.vertlet.stages.spec;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stage, in the form of KWOK's internal version: steps instead of {@code next}.
 *
 * @param at start of its document
 * @param selector null for a stage that matches no object, as in KWOK
 * @param weight used without {@code weightFrom}, and when that has no value
 * @param steps in order; a step of the document with several actions is one element for each
 */
public record Stage(
    String name,
    Location at,
    ResourceRef resource,
    @Nullable Selector selector,
    Weight weight,
    @Nullable Delay delay,
    List<Step> steps,
    boolean immediateNextStage) {
  public Stage {
    steps = List.copyOf(steps);
  }

  /**
   * Objects that a stage matches: those that meet all requirements.
   *
   * @param labels that an object must have
   * @param annotations that an object must have
   */
  public record Selector(
      Map<String, String> labels, Map<String, String> annotations, List<Requirement> requirements) {
    public Selector {
      labels = Map.copyOf(labels);
      annotations = Map.copyOf(annotations);
      requirements = List.copyOf(requirements);
    }
  }

  /** Element of {@code matchExpressions}. */
  public sealed interface Requirement {
    /** Where and what it is. */
    SourceText source();

    /** A jq query whose results are compared with texts. */
    record Jq(SourceText source, Operator operator, List<String> values) implements Requirement {
      public Jq {
        values = List.copyOf(values);
      }
    }

    /** A CEL expression that yields a bool. */
    record Cel(SourceText source) implements Requirement {}
  }

  /** Comparison of a jq query's results. */
  public enum Operator {
    IN("In"),
    NOT_IN("NotIn"),
    EXISTS("Exists"),
    DOES_NOT_EXIST("DoesNotExist");

    private final String text;

    Operator(String text) {
      this.text = text;
    }

    /** Spelling in a document. */
    public String text() {
      return text;
    }
  }

  /**
   * A value that an expression yields; CEL wins over jq.
   *
   * @param cel null without one
   * @param jq null without one
   */
  public record ValueFrom(@Nullable SourceText cel, @Nullable SourceText jq) {}

  /** Weight of a stage among those that match. */
  public record Weight(long value, @Nullable ValueFrom from) {}

  /**
   * Delay before a stage is played. The jitter is the upper bound of the delay, not an amount: a
   * jitter up to the duration is the delay itself.
   *
   * @param millis null without one
   * @param jitterMillis null without one
   */
  public record Delay(
      @Nullable Long millis,
      @Nullable ValueFrom from,
      @Nullable Long jitterMillis,
      @Nullable ValueFrom jitterFrom) {}
}
