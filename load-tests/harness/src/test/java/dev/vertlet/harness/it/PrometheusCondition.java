package dev.vertlet.harness.it;

import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Skips what asks Prometheus where it is not installed. */
final class PrometheusCondition extends ToolCondition {
  PrometheusCondition() {
    this(System.getenv(), System.out::println);
  }

  PrometheusCondition(Map<String, String> environment, Consumer<String> teller) {
    super("Tests with Prometheus", environment, teller);
  }

  @Override
  Optional<String> missing() {
    return onPath(Prometheus.PROGRAM)
        ? Optional.empty()
        : Optional.of("no " + Prometheus.PROGRAM + " on PATH: the package of that name has it");
  }
}
