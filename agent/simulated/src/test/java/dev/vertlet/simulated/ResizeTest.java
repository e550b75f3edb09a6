package dev.vertlet.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.simulated.rule.LifeCycle;
import dev.vertlet.simulated.rule.RuleKey;
import dev.vertlet.simulated.rule.SimulatedRule;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Simulated containers that are given other resources. */
class ResizeTest {
  private Lab lab = Lab.with();
  private PodView pod = Pods.pod("p").view();

  @SuppressWarnings("NullAway.Init") // set by run, with which each test begins
  private ContainerRecord record;

  private void run(Pods pods, SimulatedRule... rules) {
    lab = Lab.with(rules);
    pod = pods.view();
    record = lab.run(pod);
  }

  private Future<Void> resize(String memory) {
    Map<String, String> amounts = Map.of("memory", memory);
    ContainerView container =
        Pods.container(record.name()).withResources(new ResourcesView(amounts, amounts));
    return lab.runtime.updateResources(pod, container, record.id());
  }

  @Test
  void withoutARuleItTakesNoTime() {
    run(Pods.pod("p"));

    assertThat(lab.runtime.resizesContainers()).isTrue();
    assertThat(resize("1Gi").succeeded()).isTrue();
    assertThat(lab.last()).isEqualTo(record);
  }

  @Test
  void byRuleItTakesItsTimeOrFails() {
    run(
        Pods.pod("p"),
        Lab.rule(
            LifeCycle.UNSET
                .with(RuleKey.RESIZE_DELAY, "3s")
                .with(RuleKey.RESIZE_ERROR, "cgroup is busy")));

    Future<Void> resize = resize("1Gi");
    lab.time.advance(Duration.ofSeconds(2));
    assertThat(resize.isComplete()).isFalse();
    lab.time.advance(Duration.ofSeconds(1));

    assertThat(resize.cause()).hasMessage("cgroup is busy");
  }

  @Test
  void memoryThatIsUsedIsNotTaken() {
    run(Pods.pod("p").annotate("memory-usage", "200Mi"));

    assertThat(resize("100Mi").cause())
        .hasMessage(
            "cannot decrease memory limits: attempting to set container \"main\" memory limit"
                + " (104857600) below current usage (209715200)");
    assertThat(resize("201Mi").succeeded()).isTrue();
  }

  @Test
  void whatDoesNotRunIsNotResized() {
    run(Pods.pod("p"));
    Lab.get(lab.stop(pod, Duration.ofSeconds(1)));

    assertThat(resize("1Gi").cause()).hasMessage("container main does not run");
  }
}
