package dev.vertlet.provider;

import static dev.vertlet.testing.FakeCluster.eventually;
import static dev.vertlet.testing.FakeCluster.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.model.NodeView;
import dev.vertlet.model.PodPhase;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.testing.QuietProvider;
import dev.vertlet.testing.TestPods;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.junit5.VertxExtension;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** virtual-kubelet §1.10, apart from what is said of pods, which is in {@link PollRulesTest}. */
@ExtendWith(VertxExtension.class)
class PolledProviderTest {
  private static final PodView POD = TestPods.pod("a").view();
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final List<PodReport> reports = new CopyOnWriteArrayList<>();
  private final QuietProvider backEnd = new QuietProvider(false);
  private final PolledProvider provider = PolledProvider.every(Duration.ofMillis(10), backEnd);
  private Context context;

  @BeforeEach
  void start(Vertx vertx) {
    context = vertx.getOrCreateContext();
    call(() -> provider.start(new Told(vertx)));
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

  /** virtual-kubelet DeletedPodsMapCleansUpOnSyncProvider: also when it was not there any more. */
  @ParameterizedTest(name = "the back end still has it: {0}")
  @ValueSource(booleans = {true, false})
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

  /** Remembers reports. */
  private final class Told implements ProviderContext {
    private final Vertx vertx;

    Told(Vertx vertx) {
      this.vertx = vertx;
    }

    @Override
    public Vertx vertx() {
      return vertx;
    }

    @Override
    public Clock clock() {
      return Clock.systemUTC();
    }

    @Override
    public RandomGenerator random() {
      return new SplittableRandom(1);
    }

    @Override
    public void report(PodReport report) {
      reports.add(report);
    }

    @Override
    public void event(ObjectEvent event) {}

    @Override
    public Future<Buffer> fullPod(PodRef pod) {
      return Future.failedFuture("not in this test");
    }

    @Override
    public Future<NodeView> node(String name) {
      return Future.failedFuture("not in this test");
    }
  }
}
