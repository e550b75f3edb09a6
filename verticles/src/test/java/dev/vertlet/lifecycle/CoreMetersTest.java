package dev.vertlet.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.PodView;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CoreMetersTest {
  private final Kubelet kubelet = new Kubelet();

  @Test
  void countsSandboxesAndContainersByTheirState() {
    // given
    PodView pod = kubelet.create(Pods.pod().init("i").never());
    assertThat(kubelet.counts.now()).containsExactly(1, 1, 0);
    // when
    kubelet.runtime.exit(pod.ref(), "i", 0);
    // then
    assertThat(kubelet.counts.now()).containsExactly(1, 1, 1);
    // when
    kubelet.delete(pod, 30);
    // then
    assertThat(kubelet.counts.now()).containsExactly(0, 0, 0);
  }

  @Test
  void countsNothingOfWhatIsOver() {
    // given
    PodView job = kubelet.create(Pods.pod().never());
    assertThat(kubelet.counts.now()).containsExactly(1, 1, 0);
    // when
    kubelet.runtime.exit(job.ref(), "c", 0);
    // then
    assertThat(kubelet.counts.now()).containsExactly(0, 0, 0);
  }

  @Test
  void countsNothingOfWhatIsServedByAnother() {
    // given
    PodView pod = kubelet.create(Pods.pod());
    // when
    Kubelet.done(kubelet.core.release(pod.nodeName()));
    // then
    assertThat(kubelet.counts.now()).containsExactly(0, 0, 0);
  }

  @Test
  void countsWhatIsTakenOverAsWhatItIs() {
    // given
    PodView pod = kubelet.create(Pods.pod().container("a").container("b"));
    PodView shown = kubelet.shown(pod);
    // when
    Kubelet next = kubelet.restarted();
    Kubelet.done(next.core.create(shown));
    // then
    assertThat(kubelet.counts.now()).containsExactly(0, 0, 0);
    assertThat(next.counts.now()).containsExactly(1, 2, 0);
    assertThat(next.counts.started).as("it ran before").isEmpty();
  }

  @Test
  void aStartTakesFromTheFirstSightOfAPodToTheFirstContainerThatRuns() {
    // given
    PodView pod = kubelet.create(Pods.pod().init("i"));
    kubelet.advance(5);
    assertThat(kubelet.counts.letIn).containsExactly(Duration.ZERO);
    assertThat(kubelet.counts.started).isEmpty();
    // when
    kubelet.runtime.exit(pod.ref(), "i", 0);
    kubelet.advance(60);
    // then
    assertThat(kubelet.counts.started).containsExactly(Duration.ofSeconds(5));
  }

  @Test
  void listsOfTheRuntimeAreMeasured() {
    // when
    kubelet.advance(60);
    // then
    assertThat(kubelet.counts.relisted).containsExactly(Duration.ZERO);
    assertThat(kubelet.counts.relisting).isEmpty();
    // when
    kubelet.advance(60);
    // then
    assertThat(kubelet.counts.relisted).hasSize(2);
    assertThat(kubelet.counts.relisting).containsExactly(Duration.ofSeconds(60));
  }
}
