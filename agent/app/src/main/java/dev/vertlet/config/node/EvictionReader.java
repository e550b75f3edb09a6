package dev.vertlet.config.node;

import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.EvictionSignal;
import dev.vertlet.eviction.Threshold;
import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Reads the eviction settings of a node template.
 *
 * @param problems whose place is the template's
 */
record EvictionReader(NodeTemplate from, Problems problems) {
  /** Of use only where it adds no problems. */
  EvictionOptions options() {
    List<Threshold> thresholds = new ArrayList<>();
    Map<String, String> hard = from.evictionHard();
    new TreeMap<>(hard == null ? EvictionOptions.DEFAULT_HARD : hard)
        .forEach(
            (key, value) ->
                read("evictionHard", key, value, Duration.ZERO).ifPresent(thresholds::add));
    new TreeMap<>(from.evictionSoft())
        .forEach(
            (key, value) ->
                grace(key, value)
                    .flatMap(grace -> read("evictionSoft", key, value, grace))
                    .ifPresent(thresholds::add));
    known("evictionSoftGracePeriod", from.evictionSoftGracePeriod());
    known("evictionMinimumReclaim", from.evictionMinimumReclaim());
    return new EvictionOptions(
        thresholds,
        Duration.ofSeconds(from.evictionMaxPodGracePeriod()),
        problems
            .duration("/evictionPressureTransitionPeriod", from.evictionPressureTransitionPeriod())
            .orElse(EvictionOptions.DEFAULT_TRANSITION));
  }

  private Optional<Threshold> read(String field, String key, String value, Duration grace) {
    Optional<EvictionSignal> signal = signal(field, key, value);
    try {
      String more = from.evictionMinimumReclaim().get(key);
      return signal.flatMap(known -> Threshold.parse(known, value, grace, more));
    } catch (IllegalArgumentException e) {
      problems.refuse(Pointers.of(field, key), value, String.valueOf(e.getMessage()));
      return Optional.empty();
    }
  }

  private Optional<Duration> grace(String key, String value) {
    String text = from.evictionSoftGracePeriod().get(key);
    if (text == null) {
      problems.refuse(
          Pointers.of("evictionSoft", key),
          value,
          "grace period must be specified for the soft eviction threshold " + key);
      return Optional.empty();
    }
    return problems.duration(Pointers.of("evictionSoftGracePeriod", key), text);
  }

  private void known(String field, Map<String, String> values) {
    values.forEach((key, value) -> signal(field, key, value));
  }

  private Optional<EvictionSignal> signal(String field, String key, String value) {
    Optional<EvictionSignal> signal = EvictionSignal.named(key);
    if (signal.isEmpty()) {
      String all = String.join(", ", EvictionSignal.keys());
      problems.refuse(
          Pointers.of(field, key),
          value,
          "unknown eviction signal " + key + "; it must be one of " + all);
    }
    return signal;
  }
}
