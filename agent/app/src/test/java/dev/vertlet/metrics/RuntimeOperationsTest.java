package dev.vertlet.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kubelet.pod.RuntimeOperation;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import org.junit.jupiter.api.Test;

class RuntimeOperationsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final KubeletMeters meters = new KubeletMeters(registry);

  private long calls(String type) {
    return registry
        .get("kubelet_runtime_operations_duration_seconds")
        .tag("operation_type", type)
        .timer()
        .count();
  }

  private double errors(String type) {
    return registry
        .get("kubelet_runtime_operations_errors_total")
        .tag("operation_type", type)
        .counter()
        .count();
  }

  @Test
  void aCallCountsWhenItIsOver() {
    Promise<Void> hanging = Promise.promise();
    Future<Void> answer = meters.measure(RuntimeOperation.STATUS, hanging::future);
    assertThat(answer.isComplete()).isFalse();
    assertThat(calls("status")).isZero();

    hanging.complete();

    assertThat(answer.succeeded()).isTrue();
    assertThat(calls("status")).isOne();
    assertThat(errors("status")).isZero();
    assertThat(
            registry
                .get("kubelet_runtime_operations_total")
                .tag("operation_type", "status")
                .functionCounter()
                .count())
        .isEqualTo(1);
  }

  /** A second meter of one name would be refused, which the registry warns of. */
  @Test
  void runtimesOfAProcessHaveTheirMetersTogether() {
    assertThat(meters.operation(RuntimeOperation.STATUS))
        .isSameAs(meters.operation(RuntimeOperation.STATUS));
  }

  @Test
  void failedAndThrowingCallsAreErrors() {
    Future<String> failed =
        meters.measure(RuntimeOperation.IMAGE_STATUS, () -> Future.failedFuture("no"));
    Future<String> thrown =
        meters.measure(
            RuntimeOperation.IMAGE_STATUS,
            () -> {
              throw new IllegalStateException("worse");
            });

    assertThat(failed.cause()).hasMessage("no");
    assertThat(thrown.cause()).hasMessage("worse");
    assertThat(calls("image_status")).isEqualTo(2);
    assertThat(errors("image_status")).isEqualTo(2);
  }

  @Test
  void operationsWithoutCallsAreNotShown() {
    assertThat(registry.find("kubelet_runtime_operations_duration_seconds").timers()).isEmpty();
    var unused = meters.measure(RuntimeOperation.LIST_SANDBOXES, Future::succeededFuture);
    assertThat(registry.find("kubelet_runtime_operations_duration_seconds").timers())
        .extracting(Timer::getId)
        .extracting(id -> id.getTag("operation_type"))
        .containsExactly("list_podsandbox");
  }
}
