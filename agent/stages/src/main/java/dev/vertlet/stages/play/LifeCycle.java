package dev.vertlet.stages.play;

import dev.vertlet.stages.spec.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The stages of one kind. */
public final class LifeCycle {
  public static final LifeCycle EMPTY = new LifeCycle(List.of());

  private final List<CompiledStage> stages;

  LifeCycle(List<CompiledStage> stages) {
    this.stages = List.copyOf(stages);
  }

  /** In the order of their documents. */
  public List<CompiledStage> stages() {
    return stages;
  }

  /** Labels that all stages ask for, as a selector; empty for none. */
  public String labelSelector() {
    Map<String, String> common = null;
    for (CompiledStage stage : stages) {
      Stage.Selector selector = stage.stage().selector();
      if (selector != null) {
        if (common == null) {
          common = new TreeMap<>(selector.labels());
        } else {
          common.entrySet().retainAll(selector.labels().entrySet());
        }
      }
    }
    if (common == null) {
      return "";
    }
    List<String> terms = new ArrayList<>();
    common.forEach((key, value) -> terms.add(key + "=" + value));
    return String.join(",", terms);
  }

  /** Whether the other one was compiled from the same stages. */
  public boolean sameAs(LifeCycle other) {
    return stages.stream()
        .map(CompiledStage::stage)
        .toList()
        .equals(other.stages.stream().map(CompiledStage::stage).toList());
  }

  /**
   * A stage that may be chosen.
   *
   * @param weight among the others
   */
  public record Candidate(CompiledStage stage, long weight) {}

  /**
   * Stages that may be chosen for an object: of those that match, those with a weight above 0; if
   * there are none, those whose weight is 0; if none has a weight, all with equal chances.
   */
  public List<Candidate> candidates(StageObject object) {
    List<CompiledStage> matching = new ArrayList<>(1);
    for (CompiledStage stage : stages) {
      if (stage.matcher().matches(object.json())) {
        matching.add(stage);
      }
    }
    if (matching.size() == 1) {
      return List.of(new Candidate(matching.get(0), 1));
    }
    List<Candidate> weighted = new ArrayList<>(matching.size());
    List<Candidate> zero = new ArrayList<>();
    for (CompiledStage stage : matching) {
      OptionalLong weight = stage.weight(object);
      if (weight.orElse(0) > 0) {
        weighted.add(new Candidate(stage, weight.getAsLong()));
      } else if (weight.isPresent()) {
        zero.add(new Candidate(stage, 1));
      }
    }
    if (!weighted.isEmpty()) {
      return weighted;
    }
    return zero.isEmpty() ? matching.stream().map(s -> new Candidate(s, 1)).toList() : zero;
  }

  /**
   * Chooses by weight.
   *
   * @param unit from 0 to 1
   * @return null when there is no candidate
   */
  static @Nullable CompiledStage choose(List<Candidate> candidates, double unit) {
    double total = 0;
    for (Candidate candidate : candidates) {
      total += candidate.weight();
    }
    double left = unit * total;
    CompiledStage last = null;
    for (Candidate candidate : candidates) {
      last = candidate.stage();
      left -= candidate.weight();
      if (left < 0) {
        return last;
      }
    }
    return last;
  }
}
