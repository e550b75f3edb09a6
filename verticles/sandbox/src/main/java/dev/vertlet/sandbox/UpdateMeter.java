package dev.vertlet.sandbox;

import dev.vertlet.kube.KubeException;
import dev.vertlet.meter.Metric;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** Counts the results of triggers. */
final class UpdateMeter {
  private enum Result {
    SUCCESS,
    /** The pod was not in the expected state, or another client wrote first. */
    CONFLICT,
    ERROR
  }

  private static final Metric UPDATES =
      Metric.counter(
          "vertlet_sandbox_inplace_update_total",
          "updates",
          "of sandboxes in place that were triggered: `success`, `conflict` (another phase, or a"
              + " concurrent write) or `error`",
          "result");

  private final MeterRegistry registry;

  UpdateMeter(MeterRegistry registry) {
    this.registry = registry;
    for (Result each : Result.values()) {
      counter(each);
    }
  }

  void succeeded() {
    counter(Result.SUCCESS).increment();
  }

  void failed(Throwable failure) {
    boolean conflict =
        KubeException.is(failure, KubeException.Kind.CONFLICT)
            || SandboxException.is(failure, SandboxException.Reason.UNEXPECTED_PHASE);
    counter(conflict ? Result.CONFLICT : Result.ERROR).increment();
  }

  private Counter counter(Result result) {
    return UPDATES.counter(registry, result.name().toLowerCase(Locale.ROOT));
  }
}
