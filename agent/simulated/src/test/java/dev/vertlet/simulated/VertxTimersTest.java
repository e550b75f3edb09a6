package dev.vertlet.simulated;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class VertxTimersTest {
  @Test
  void aJobEndsOnTheContextThatStartedIt(Vertx vertx) throws Exception {
    Context shard = vertx.getOrCreateContext();
    Promise<Context> endedOn = Promise.promise();
    RuntimeListener listener =
        new RuntimeListener() {
          @Override
          public void containerChanged(PodRef pod, ContainerRecord container) {
            if (!container.running()) {
              endedOn.complete(Vertx.currentContext());
            }
          }

          @Override
          public void sandboxLost(PodRef pod) {}
        };

    shard.runOnContext(ignored -> runJob(vertx, listener).onFailure(endedOn::tryFail));

    assertThat(get(endedOn.future())).isSameAs(shard);
  }

  private static Future<ContainerRecord> runJob(Vertx vertx, RuntimeListener listener) {
    SimulatedRuntime runtime = Lab.onVertx(vertx, "10.0.0.0/24");
    PodView job = Pods.pod("job").ownedBy("Job").view();
    return runtime
        .start(listener)
        .compose(done -> runtime.runSandbox(job, 0))
        .compose(box -> runtime.startContainer(job, Pods.container("main"), 0, "image-id"));
  }

  @Test
  void aCancelledTimerDoesNotFire(Vertx vertx) throws Exception {
    VertxTimers timers = new VertxTimers(vertx);
    Promise<String> first = Promise.promise();

    vertx.runOnContext(
        ignored -> {
          long cancelled = timers.start(1, () -> first.tryComplete("cancelled"));
          long kept = timers.start(5, () -> first.tryComplete("kept"));
          timers.cancel(cancelled);
          assertThat(kept).isNotEqualTo(cancelled);
        });

    assertThat(get(first.future())).isEqualTo("kept");
  }
}
