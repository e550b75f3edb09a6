package dev.vertlet.provider.pod;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.testing.QuietProvider;
import dev.vertlet.testing.TestPods;
import dev.vertlet.testing.ToldContext;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** virtual-kubelet §1.10, apart from what is said of pods, which is in {@link PollRulesTest}. */
@ExtendWith(VertxExtension.class)
class PolledProviderTest {
  private static final PodView POD = TestPods.pod("a").view();
  private static final Duration GRACE = Duration.ofSeconds(30);

  private List<PodReport> reports;
  private List<PodReport> unclaimed;
  private final QuietProvider backEnd = new QuietProvider(false);
  private final PolledProvider provider = PolledProvider.every(Duration.ofMillis(10), backEnd);
  private Context context;

  @BeforeEach
  void start(Vertx vertx) {
    context = vertx.getOrCreateContext();
    ToldContext told = new ToldContext(vertx, Clock.systemUTC());
    reports = told.reports();
    unclaimed = told.unclaimed();
    call(() -> provider.start(told));
  }

  private <T> T call(Supplier<Future<T>> work) {
    Promise<T> done = Promise.promise();
    context.runOnContext(v -> work.get().onComplete(done));
    return get(done.future());
  }

  private int known() {
    return call(() -> Future.succeededFuture(provider.size()));
  }

  @Test
  void aPodThatRunsIsReportedOnce() {
    call(() -> provider.create(POD));

    eventually(() -> assertThat(reports).isNotEmpty());

    assertThat(reports.get(0).status().phase()).isEqualTo(PodPhase.RUNNING);
    assertThat(known()).isEqualTo(1);
    backEnd.lose(POD.ref());
    eventually(() -> assertThat(reports).hasSize(2));
    assertThat(reports.get(1).status().phase()).isEqualTo(PodPhase.FAILED);
  }

  @Test
  void aPodThatTurnsUpLaterAndWasNotAskedForIsToldOf() {
    call(() -> provider.create(POD));
    eventually(() -> assertThat(reports).isNotEmpty());
    assertThat(unclaimed).isEmpty();
    PodReport late =
        new PodReport(TestPods.pod("late").ref(), "node", TestPods.status(PodPhase.RUNNING), false);

    backEnd.has(late);

    eventually(() -> assertThat(unclaimed).contains(late).containsOnly(late));
  }

  /** virtual-kubelet DeletedPodsMapCleansUpOnSyncProvider: also when it was not there any more. */
  @ParameterizedTest(name = "the back end still has it: {0}")
  @ValueSource(booleans = {true, false})
  @Tag("DeletedPodsMapCleansUpOnSyncProvider")
  void whatIsKnownOfADeletedPodIsForgottenWithIt(boolean there) {
    call(() -> provider.create(POD));
    if (!there) {
      backEnd.lose(POD.ref());
    }
    call(() -> provider.delete(POD, GRACE).otherwiseEmpty());
    assertThat(known()).isEqualTo(1);

    call(() -> provider.kill(POD.ref()));

    assertThat(known()).isZero();
  }

  @Test
  void whatIsKnownOfTheNodesPodsIsForgottenWithTheNode() {
    call(() -> provider.create(POD));

    call(() -> provider.release("another"));
    assertThat(known()).isEqualTo(1);
    call(() -> provider.release(POD.nodeName()));

    assertThat(known()).isZero();
  }
}
