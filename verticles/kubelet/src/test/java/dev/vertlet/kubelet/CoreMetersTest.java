package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.testing.Pods;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CoreMetersTest {
  private final Kubelet kubelet = new Kubelet();

  @Test
  void countsSandboxesAndContainersByTheirState() {
    PodView pod = kubelet.create(Pods.pod().init("i").never());
    assertThat(kubelet.counts.now()).containsExactly(1, 1, 0);

    kubelet.runtime.exit(pod.ref(), "i", 0);
    assertThat(kubelet.counts.now()).containsExactly(1, 1, 1);

    kubelet.delete(pod, 30);
    assertThat(kubelet.counts.now()).containsExactly(0, 0, 0);
  }

  @Test
  void countsNothingOfWhatIsOver() {
    PodView job = kubelet.create(Pods.pod().never());
    assertThat(kubelet.counts.now()).containsExactly(1, 1, 0);

    kubelet.runtime.exit(job.ref(), "c", 0);
    assertThat(kubelet.counts.now()).containsExactly(0, 0, 0);
  }

  @Test
  void countsNothingOfWhatIsServedByAnother() {
    PodView pod = kubelet.create(Pods.pod());

    Kubelet.done(kubelet.core.release(pod.nodeName()));
    assertThat(kubelet.counts.now()).containsExactly(0, 0, 0);
  }

  @Test
  void countsWhatIsTakenOverAsWhatItIs() {
    PodView pod = kubelet.create(Pods.pod().container("a").container("b"));

    Kubelet next = kubelet.restarted(kubelet.shown(pod));
    assertThat(kubelet.counts.now()).containsExactly(0, 0, 0);
    assertThat(next.counts.now()).containsExactly(1, 2, 0);
    assertThat(next.counts.started).as("it ran before").isEmpty();
  }

  @Test
  void aStartTakesFromTheFirstSightOfAPodToTheFirstContainerThatRuns() {
    PodView pod = kubelet.create(Pods.pod().init("i"));
    kubelet.advance(5);
    assertThat(kubelet.counts.letIn).containsExactly(Duration.ZERO);
    assertThat(kubelet.counts.started).isEmpty();

    kubelet.runtime.exit(pod.ref(), "i", 0);
    kubelet.advance(60);
    assertThat(kubelet.counts.started).containsExactly(Duration.ofSeconds(5));
  }

  @Test
  void callsOfTheRuntimeAreMeasured() {
    kubelet.counts.operations.clear();
    PodView pod = kubelet.create(Pods.pod());
    assertThat(kubelet.counts.operations)
        .startsWith(
            RuntimeOperation.SANDBOX_STATUS,
            RuntimeOperation.RUN_SANDBOX,
            RuntimeOperation.IMAGE_STATUS)
        .contains(RuntimeOperation.START_CONTAINER);

    kubelet.counts.operations.clear();
    kubelet.delete(pod, 30);
    assertThat(kubelet.counts.operations)
        .containsExactly(RuntimeOperation.STOP_CONTAINER, RuntimeOperation.REMOVE_SANDBOX);

    kubelet.counts.operations.clear();
    kubelet.advance(60);
    assertThat(kubelet.counts.operations)
        .contains(RuntimeOperation.STATUS, RuntimeOperation.LIST_SANDBOXES);
  }

  @Test
  void listsOfTheRuntimeAreMeasured() {
    kubelet.advance(60);
    assertThat(kubelet.counts.relisted).containsExactly(Duration.ZERO);
    assertThat(kubelet.counts.relisting).isEmpty();

    kubelet.advance(60);
    assertThat(kubelet.counts.relisted).hasSize(2);
    assertThat(kubelet.counts.relisting).containsExactly(Duration.ofSeconds(60));
  }
}
