package dev.vertlet.config;

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
import org.jspecify.annotations.Nullable;

/**
 * Eviction settings of a node template, as written; they have the names of a kubelet's options.
 *
 * @param hard thresholds by signal; null for a kubelet's defaults
 * @param softGracePeriod durations by signal
 * @param maxPodGracePeriod seconds
 * @param transitionPeriod a duration
 */
record EvictionTemplate(
    @Nullable Map<String, String> hard,
    Map<String, String> soft,
    Map<String, String> softGracePeriod,
    Map<String, String> minimumReclaim,
    int maxPodGracePeriod,
    String transitionPeriod) {
  static final EvictionTemplate DEFAULTS =
      new EvictionTemplate(null, Map.of(), Map.of(), Map.of(), 0, "5m");

  static EvictionTemplate read(Section json) {
    return new EvictionTemplate(
        json.has("evictionHard") ? json.texts("evictionHard") : null,
        json.texts("evictionSoft"),
        json.texts("evictionSoftGracePeriod"),
        json.texts("evictionMinimumReclaim"),
        json.number("evictionMaxPodGracePeriod", DEFAULTS.maxPodGracePeriod),
        json.text("evictionPressureTransitionPeriod", DEFAULTS.transitionPeriod));
  }

  /** Returns the configured hard thresholds, which reduce allocatable. */
  Map<String, String> written() {
    return hard == null ? Map.of() : hard;
  }

  /** Of use only where it adds no problems. */
  EvictionOptions options(Problems problems) {
    return new Reader(this, problems).options();
  }

  /** Reads one template. */
  private record Reader(EvictionTemplate from, Problems problems) {
    EvictionOptions options() {
      List<Threshold> thresholds = new ArrayList<>();
      Map<String, String> hard = from.hard == null ? EvictionOptions.DEFAULT_HARD : from.hard;
      new TreeMap<>(hard)
          .forEach(
              (key, value) ->
                  read("evictionHard", key, value, Duration.ZERO).ifPresent(thresholds::add));
      new TreeMap<>(from.soft)
          .forEach(
              (key, value) ->
                  grace(key, value)
                      .flatMap(grace -> read("evictionSoft", key, value, grace))
                      .ifPresent(thresholds::add));
      known("evictionSoftGracePeriod", from.softGracePeriod);
      known("evictionMinimumReclaim", from.minimumReclaim);
      return new EvictionOptions(
          thresholds,
          Duration.ofSeconds(from.maxPodGracePeriod),
          problems
              .duration("/evictionPressureTransitionPeriod", from.transitionPeriod)
              .orElse(EvictionOptions.DEFAULT_TRANSITION));
    }

    private Optional<Threshold> read(String field, String key, String value, Duration grace) {
      Optional<EvictionSignal> signal = signal(field, key, value);
      try {
        String more = from.minimumReclaim.get(key);
        return signal.flatMap(known -> Threshold.parse(known, value, grace, more));
      } catch (IllegalArgumentException e) {
        problems.refuse(Pointers.of(field, key), value, String.valueOf(e.getMessage()));
        return Optional.empty();
      }
    }

    private Optional<Duration> grace(String key, String value) {
      String text = from.softGracePeriod.get(key);
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
}
