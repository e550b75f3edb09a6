package dev.vertlet.kubelet.nodehealth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kubelet.FakeRuntime;
import dev.vertlet.kubelet.pod.ContainerListener;
import dev.vertlet.kubelet.pod.CoreEnv;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.podworker.NetworkState;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ForwardingRuntime;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.pod.ProviderContext;
import dev.vertlet.testing.EmptyContext;
import io.vertx.core.Promise;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RuntimeHealthTest {
  private final FakeLoop loop = new FakeLoop();
  private final FakeRuntime runtime = new FakeRuntime(loop);
  private final ProviderContext context =
      new EmptyContext() {
        @Override
        public Clock clock() {
          return loop;
        }
      };
  private final List<String> forgotten = new ArrayList<>();
  private final RuntimeHealth health = health(runtime, List.of());
  private final List<String> changes = new ArrayList<>();

  private RuntimeHealth health(ContainerRuntime asked, List<NodeConditionView> ofTheCore) {
    return new RuntimeHealth(
        new CoreEnv(
            asked,
            loop,
            context,
            new PodEvents(context, false),
            CoreMeters.NONE,
            ContainerListener.NONE),
        new NetworkState(),
        node -> {},
        forgotten::add,
        new RuntimeHealth.Findings(node -> ofTheCore, node -> null, () -> Duration.ZERO));
  }

  RuntimeHealthTest() {
    health.onChange(changes::add);
    assertThat(health.health("n").message())
        .isEqualTo("container runtime status check may not have completed yet");
  }

  @Test
  void aNodeThatIsForgottenIsToldOfNothingMore() {
    health.forget("n");
    health.start();

    assertThat(forgotten).containsExactly("n");
    assertThat(changes).isEmpty();
  }

  private void advance(long seconds) {
    loop.advance(Duration.ofSeconds(seconds));
  }

  @Test
  void isHealthyFromTheFirstGoodAnswer() {
    health.start();
    assertThat(health.health("n")).isEqualTo(NodeProvider.NodeHealth.HEALTHY);
    assertThat(changes).containsExactly("n");
    assertThat(health.ping("n").succeeded()).isTrue();
  }

  @Test
  void showsTheRuntimesConditionsBesideThoseOfTheCore() {
    NodeConditionView pressure =
        new NodeConditionView("MemoryPressure", "True", "r", "m", null, null);
    NodeConditionView own = new NodeConditionView("DriverReady", "False", "r", "m", null, null);
    NodeConditionView other =
        new NodeConditionView("MemoryPressure", "False", "r", "of the runtime", null, null);
    RuntimeHealth both =
        health(
            new ForwardingRuntime(runtime) {
              @Override
              public List<NodeConditionView> conditions(String node) {
                return List.of(other, own);
              }
            },
            List.of(pressure));

    assertThat(both.health("n").conditions()).containsExactly(pressure, own);
  }

  @Test
  void aReadyConditionOfTheRuntimeDecidesForItsNodeAlone() {
    NodeConditionView away = new NodeConditionView("Ready", "False", "r", "no power", null, null);
    NodeConditionView silent = new NodeConditionView("Ready", "Unknown", "Silent", "", null, null);
    NodeConditionView well = new NodeConditionView("Ready", "True", "r", "m", null, null);
    Map<String, NodeConditionView> ready = Map.of("n", away, "s", silent, "w", well);
    RuntimeHealth each =
        health(
            new ForwardingRuntime(runtime) {
              @Override
              public List<NodeConditionView> conditions(String node) {
                return List.of(Objects.requireNonNull(ready.get(node)));
              }
            },
            List.of());
    each.start();

    assertThat(each.health("n"))
        .isEqualTo(new NodeProvider.NodeHealth(false, "no power", List.of()));
    assertThat(each.health("s")).isEqualTo(new NodeProvider.NodeHealth(false, "Silent", List.of()));
    assertThat(each.health("w")).isEqualTo(NodeProvider.NodeHealth.HEALTHY);
  }

  @Test
  void passesTheRuntimesComplaintOnAndRecovers() {
    health.start();
    runtime.fail("status", new RuntimeException("no socket"));

    advance(5);
    assertThat(health.health("n").ready()).isFalse();
    assertThat(health.health("n").message()).isEqualTo("no socket");

    advance(5);
    assertThat(health.health("n").ready()).isTrue();
    assertThat(changes).containsExactly("n", "n", "n");
  }

  @Test
  void aRuntimeThatHangsIsDownAfterHalfAMinute() {
    health.start();
    Promise<Object> hung = runtime.hang("status");

    advance(30);
    assertThat(health.health("n").ready()).isTrue();
    advance(10);
    assertThat(health.health("n").message()).isEqualTo("container runtime is down");

    hung.complete(null);
    assertThat(health.health("n").ready()).isTrue();
  }

  @Test
  void aRuntimeThatNeverAnsweredIsNotSaidToBeDown() {
    runtime.hang("status");
    health.start();

    advance(60);
    assertThat(health.health("n").message()).contains("may not have completed yet");
  }

  @Test
  void aRuntimeThatThrowsComplains() {
    runtime.script(
        "status",
        () -> {
          throw new IllegalStateException("bug");
        });

    health.start();
    assertThat(health.health("n").message()).isEqualTo("bug");
  }

  @Test
  void asksNoMoreOnceClosed() {
    health.start();

    health.close();
    health.start();
    assertThat(loop.timers()).isZero();
  }
}
