package dev.vertlet.harness.result.html;

import dev.vertlet.harness.result.Comparison;
import dev.vertlet.harness.result.Figure;
import dev.vertlet.harness.result.PhaseResult;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Selects the figures at the top of the page: those of the phase that created the most pods, of the
 * phase that deleted the most, and the subject's resources.
 */
final class Tiles {
  private Tiles() {}

  /** Positions in the list of figures. */
  static List<Integer> of(Comparison comparison, List<Figure> figures) {
    Optional<String> up = busiest(comparison, PhaseResult::ready);
    Optional<String> down = busiest(comparison, PhaseResult::gone);
    return Stream.of(
            up.or(() -> down).map(name -> "phases." + name + ".per_s"),
            up.map(name -> "phases." + name + ".create.p99_ms"),
            down.map(name -> "phases." + name + ".delete.p99_ms"),
            up.or(() -> down).map(name -> "phases." + name + ".cpu_ms_per_pod"),
            Optional.of("resources.full_mib"),
            Optional.of("lease_gaps.max_ms").filter(path -> leases(comparison)))
        .flatMap(Optional::stream)
        .flatMap(path -> positions(figures, path))
        .toList();
  }

  /** Shows lease gaps only if they were measured: an empty tile would look like a mistake. */
  private static boolean leases(Comparison comparison) {
    return comparison.runs().stream().anyMatch(run -> run.leaseGaps().max() > 0);
  }

  private static Optional<String> busiest(Comparison comparison, ToIntFunction<PhaseResult> work) {
    return comparison.runs().stream()
        .flatMap(run -> run.measured().stream())
        .filter(phase -> work.applyAsInt(phase) > 0)
        .max(Comparator.comparingInt(work))
        .map(PhaseResult::name);
  }

  private static Stream<Integer> positions(List<Figure> figures, String path) {
    return IntStream.range(0, figures.size())
        .filter(position -> figures.get(position).path().equals(path))
        .boxed();
  }
}
