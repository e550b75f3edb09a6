package dev.vertlet.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import io.vertx.core.Future;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CountedProviderTest {
  private final List<PodReport> handedOn = new ArrayList<>();
  private ProviderContext told = proxy(ProviderContext.class, nothing -> {});
  private final CountedProvider provider =
      new CountedProvider(
          proxy(
              PodProvider.class,
              argument -> {
                if (argument instanceof ProviderContext context) {
                  told = context;
                }
              }));

  private interface Taker {
    void take(Object argument);
  }

  private static <T> T proxy(Class<T> type, Taker taker) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              taker.take(Objects.requireNonNull(arguments)[0]);
              return method.getReturnType() == Future.class ? Future.succeededFuture() : null;
            }));
  }

  @BeforeEach
  void start() {
    provider.start(proxy(ProviderContext.class, report -> handedOn.add((PodReport) report)));
  }

  private void report(String uid, String node, PodPhase phase, boolean finished) {
    PodStatusView status =
        new PodStatusView(
            phase, null, null, null, List.of(), null, null, List.of(), List.of(), List.of(),
            List.of());
    told.report(new PodReport(pod(uid), node, status, finished));
  }

  private static PodRef pod(String uid) {
    return new PodRef("default", "p-" + uid, uid);
  }

  @Test
  void aPodCountsAsLongAsItIsReportedToRun() {
    report("a", "n", PodPhase.PENDING, false);
    assertThat(provider.running()).isZero();
    report("a", "n", PodPhase.RUNNING, false);
    report("a", "n", PodPhase.RUNNING, false);
    report("b", "n", PodPhase.RUNNING, false);
    assertThat(provider.running()).isEqualTo(2);
    report("a", "n", PodPhase.SUCCEEDED, false);
    report("b", "n", PodPhase.RUNNING, true);
    assertThat(provider.running()).isZero();
    assertThat(handedOn).hasSize(6);
  }

  @Test
  void aPodThatIsTakenAwayCountsNoLonger() {
    report("a", "n", PodPhase.RUNNING, false);
    report("b", "n", PodPhase.RUNNING, false);
    report("c", "other", PodPhase.RUNNING, false);
    provider.kill(pod("a"));
    assertThat(provider.running()).isEqualTo(2);
    provider.release("n");
    assertThat(provider.running()).isEqualTo(1);
  }
}
