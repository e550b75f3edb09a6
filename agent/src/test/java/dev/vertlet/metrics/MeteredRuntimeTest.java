package dev.vertlet.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.ContainerRuntime;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeteredRuntimeTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private Future<?> answer = Future.succeededFuture();
  private final ContainerRuntime metered =
      new MeteredRuntime(
          (ContainerRuntime)
              Proxy.newProxyInstance(
                  getClass().getClassLoader(),
                  new Class<?>[] {ContainerRuntime.class},
                  (proxy, method, arguments) -> answer),
          new KubeletMeters(registry));

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
    answer = hanging.future();
    assertThat(metered.status()).isSameAs(answer);
    assertThat(calls("status")).isZero();

    hanging.complete();

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
    KubeletMeters meters = new KubeletMeters(registry);
    assertThat(meters.operation("status")).isSameAs(meters.operation("status"));
  }

  @Test
  void whatFailsInWhateverWayIsAnError() {
    answer = Future.failedFuture("no");
    assertThat(metered.imageId("n", "i").failed()).isTrue();
    MeteredRuntime throwing =
        new MeteredRuntime(
            (ContainerRuntime)
                Proxy.newProxyInstance(
                    getClass().getClassLoader(),
                    new Class<?>[] {ContainerRuntime.class},
                    (proxy, method, arguments) -> {
                      throw new IllegalStateException("worse");
                    }),
            new KubeletMeters(registry));
    assertThatThrownBy(() -> throwing.imageId("n", "i")).hasMessage("worse");

    assertThat(calls("image_status")).isEqualTo(2);
    assertThat(errors("image_status")).isEqualTo(2);
  }

  @Test
  void whatNobodyCalledIsNotShown() {
    assertThat(registry.find("kubelet_runtime_operations_duration_seconds").timers()).isEmpty();
    metered.list();
    assertThat(registry.find("kubelet_runtime_operations_duration_seconds").timers())
        .extracting(Timer::getId)
        .extracting(id -> id.getTag("operation_type"))
        .containsExactly("list_podsandbox");
  }

  /** A call that is not handed on would do what a runtime without it does. */
  @Test
  void everyCallIsHandedOn() throws NoSuchMethodException {
    List<String> left = new ArrayList<>();
    for (Method method : ContainerRuntime.class.getMethods()) {
      Method own = MeteredRuntime.class.getMethod(method.getName(), method.getParameterTypes());
      if (own.getDeclaringClass() == ContainerRuntime.class) {
        left.add(method.toString());
      }
    }
    assertThat(left).isEmpty();
  }
}
