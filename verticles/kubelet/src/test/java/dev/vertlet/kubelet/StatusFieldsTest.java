package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodResourcesView;
import dev.vertlet.testing.Pods;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What statuses tell of the resources of whole pods, and of the users of containers. */
class StatusFieldsTest {
  private static final ContainerUserView USER = new ContainerUserView(7, 8, List.of(8L, 9L));

  private final Kubelet kubelet = new Kubelet();

  private PodResourcesView resources(PodView pod) {
    return Objects.requireNonNull(kubelet.status(pod).resources());
  }

  private static ResourcesView amounts(String cpu) {
    return new ResourcesView(Map.of("cpu", cpu, "example.org/x", "1"), Map.of());
  }

  @Test
  void aPodShowsWhatItWasGrantedAndWhenItRunsWhatIsApplied() {
    Promise<Object> pull = kubelet.runtime.hang("pull c");
    PodView pod = kubelet.create(Pods.pod().never().container("c").resources("c", amounts("1")));
    Map<String, String> all = Map.of("cpu", "1", "example.org/x", "1");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.PENDING);
    assertThat(resources(pod))
        .isEqualTo(new PodResourcesView(all, new ResourcesView(all, Map.of())));

    pull.complete("id");
    PodResourcesView running =
        new PodResourcesView(all, new ResourcesView(Map.of("cpu", "1"), Map.of()));
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(resources(pod)).isEqualTo(running);

    kubelet.runtime.exit(pod.ref(), "c", 0);
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.SUCCEEDED);
    assertThat(resources(pod)).isEqualTo(running);
  }

  @Test
  void aPodThatAsksForNothingSaysSo() {
    PodView pod = kubelet.create(Pods.pod());

    assertThat(kubelet.status(pod).resources()).isSameAs(PodResourcesView.NONE);
  }

  @Test
  void statusesOfOnePodShareWhatTheyTellOfItsResources() {
    PodView pod = kubelet.create(Pods.pod().container("c").resources("c", amounts("1")));
    PodResourcesView first = resources(pod);

    kubelet.runtime.health(pod.ref(), "c", true, false);

    assertThat(resources(pod)).isSameAs(first);
  }

  @Test
  void aPodThatIsResizedShowsTheNewAmountsWhenItsContainersHaveThem() {
    kubelet
        .core
        .nodes()
        .observed(new Nodes("n").has("cpu", "4").has("memory", "8Gi").has("pods", "9").build());
    PodView pod = kubelet.create(Pods.pod().container("c").resources("c", "1", "1Gi"));
    Promise<Object> update = kubelet.runtime.hang("resize c cpu 2 memory 1Gi");

    PodView asked =
        Pods.of(pod).resources("c", "2", "1Gi").generation(pod.generation() + 1).build();
    Kubelet.done(kubelet.core.update(asked));
    assertThat(resources(pod).allocated()).containsEntry("cpu", "2");
    assertThat(resources(pod).applied().requests()).containsEntry("cpu", "1");

    update.complete();
    assertThat(resources(pod).applied().requests()).containsEntry("cpu", "2");
  }

  @Test
  void aPodThatItsNodeRefusesHasNone() {
    kubelet.core.nodes().observed(new Nodes("n").has("cpu", "1").has("pods", "9").build());
    PodView pod = kubelet.create(Pods.pod().container("c").resources("c", "2", "1Gi"));

    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.FAILED);
    assertThat(kubelet.status(pod).resources()).isNull();
  }

  @Test
  void anInstanceShowsItsUserFromItsStartOn() {
    kubelet.runtime.user = USER;
    Promise<Object> pull = kubelet.runtime.hang("pull c");
    PodView pod = kubelet.create(Pods.pod().container("c"));
    assertThat(kubelet.container(pod, "c").user()).isNull();

    pull.complete("id");
    assertThat(kubelet.container(pod, "c").user()).isEqualTo(USER);

    kubelet.runtime.exit(pod.ref(), "c", 1);
    assertThat(kubelet.container(pod, "c").user()).isEqualTo(USER);
  }

  @Test
  void aContainerThatIsLostKeepsItsUser() {
    kubelet.runtime.user = USER;
    PodView pod = kubelet.create(Pods.pod().never());
    String container = pod.spec().containers().get(0).name();

    Kubelet next = kubelet.restartedEmpty(kubelet.shown(pod));

    assertThat(next.container(pod, container).user()).isEqualTo(USER);
  }
}
