package dev.vertlet.simulated;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodView;
import dev.vertlet.model.ResourcesView;
import dev.vertlet.provider.ContainerRecord;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Simulated containers that are given other resources. */
class ResizeTest {
  private static Future<Void> resize(Lab lab, PodView pod, ContainerRecord record, String memory) {
    Map<String, String> amounts = Map.of("memory", memory);
    ContainerView container =
        Pods.container(record.name()).withResources(new ResourcesView(amounts, amounts));
    return lab.runtime.updateResources(pod, container, record.id());
  }

  @Test
  void withoutARuleItTakesNoTime() {
    Lab lab = Lab.with();
    PodView pod = Pods.pod("p").view();
    ContainerRecord record = lab.run(pod);

    assertThat(lab.runtime.resizesContainers()).isTrue();
    assertThat(resize(lab, pod, record, "1Gi").succeeded()).isTrue();
    assertThat(lab.last()).isEqualTo(record);
  }

  @Test
  void byRuleItTakesItsTimeOrFails() {
    Lab lab =
        Lab.with(
            Lab.rule(
                LifeCycle.UNSET
                    .with(Setting.RESIZE_DELAY, "3s")
                    .with(Setting.RESIZE_ERROR, "cgroup is busy")));
    PodView pod = Pods.pod("p").view();
    ContainerRecord record = lab.run(pod);

    Future<Void> resize = resize(lab, pod, record, "1Gi");
    lab.time.advance(Duration.ofSeconds(2));
    assertThat(resize.isComplete()).isFalse();
    lab.time.advance(Duration.ofSeconds(1));

    assertThat(resize.cause()).hasMessage("cgroup is busy");
  }

  @Test
  void memoryThatIsUsedIsNotTaken() {
    Lab lab = Lab.with();
    PodView pod = Pods.pod("p").annotate("memory-usage", "200Mi").view();
    ContainerRecord record = lab.run(pod);

    assertThat(resize(lab, pod, record, "100Mi").cause())
        .hasMessage(
            "cannot decrease memory limits: attempting to set container \"main\" memory limit"
                + " (104857600) below current usage (209715200)");
    assertThat(resize(lab, pod, record, "201Mi").succeeded()).isTrue();
  }

  @Test
  void whatDoesNotRunIsNotResized() {
    Lab lab = Lab.with();
    PodView pod = Pods.pod("p").view();
    ContainerRecord record = lab.run(pod);
    Lab.get(lab.runtime.stopContainer(pod.ref(), record.id(), Duration.ofSeconds(1)));

    assertThat(resize(lab, pod, record, "1Gi").cause()).hasMessage("container main does not run");
  }
}
