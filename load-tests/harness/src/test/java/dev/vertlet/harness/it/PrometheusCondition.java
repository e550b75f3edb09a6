package dev.vertlet.harness.it;

import java.util.Map;
import java.util.function.Consumer;

/** Skips what asks Prometheus where it is not installed. */
final class PrometheusCondition extends PackagedCondition {
  PrometheusCondition() {
    this(System.getenv(), System.out::println);
  }

  PrometheusCondition(Map<String, String> environment, Consumer<String> teller) {
    super(Prometheus.PROGRAM, "Tests with Prometheus", environment, teller);
  }
}
