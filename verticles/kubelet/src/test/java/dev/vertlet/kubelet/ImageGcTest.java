package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Spec §9 through the whole core: images that nothing uses make room. */
class ImageGcTest {
  private final Kubelet kubelet = new Kubelet();
  private final Map<String, Long> sizes = new HashMap<>();

  private void node(long free) {
    kubelet.runtime.imageSizes = sizes;
    free(free);
    kubelet.core.nodes().observed(new Nodes("n").has("pods", "110").build());
  }

  private void free(long free) {
    kubelet.runtime.usage =
        new NodeUsage(null, null, new Supply(free, 100), null, null, null, null, Map.of());
  }

  private void withoutEvictions() {
    kubelet.eviction = new EvictionOptions(List.of(), Duration.ZERO, Duration.ZERO);
  }

  private void has(String image, long size) {
    sizes.put(image, size);
    kubelet.runtime.images.add(image);
  }

  private List<String> removed() {
    return kubelet.runtime.calls.stream().filter(call -> call.startsWith("rmi")).toList();
  }

  private List<String> told() {
    return kubelet.events.stream()
        .filter(e -> e.kind().equals("Node"))
        .map(e -> e.reason() + " " + e.message())
        .toList();
  }

  @Test
  void everyFiveMinutesWhatIsNotUsedMakesRoomDownToTheLowThreshold() {
    has("a", 4);
    has("b", 4);
    node(50);
    PodView pod = kubelet.create(Pods.pod());
    sizes.put(pod.spec().containers().get(0).image(), 50L);
    kubelet.advance(300);
    assertThat(removed()).isEmpty();

    free(15);
    kubelet.advance(300);
    // then: 5 are wanted, the one image that is used stays
    assertThat(removed()).containsExactly("rmi id-a", "rmi id-b");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(told()).isEmpty();
  }

  @Test
  void whatDoesNotSufficeIsTold() {
    withoutEvictions();
    node(10);
    kubelet.advance(299);
    has("a", 1);
    String message =
        "Insufficient free disk space on the node's image filesystem (90% of 100 B used). Failed to"
            + " free sufficient space by deleting unused images (freed 0 bytes). Investigate disk"
            + " usage, as it could be used by active images, logs, volumes, or other data.";

    kubelet.advance(1);
    // then: the image was not there for two minutes
    assertThat(told()).containsExactly("FreeDiskSpaceFailed " + message);

    kubelet.advance(300);
    String freed = message.replace("freed 0", "freed 1");
    assertThat(removed()).containsExactly("rmi id-a");
    assertThat(told())
        .containsExactly(
            "FreeDiskSpaceFailed " + message,
            "FreeDiskSpaceFailed " + freed,
            "ImageGCFailed " + freed);
  }

  @Test
  void anImageThatCannotBeRemovedKeepsNoOther() {
    has("a", 4);
    has("b", 9);
    node(50);
    kubelet.advance(300);
    kubelet.runtime.fail("rmi id-a", new IllegalStateException("in use by another"));

    free(15);
    kubelet.advance(300);
    assertThat(removed()).containsExactly("rmi id-a", "rmi id-b");
    assertThat(told()).isEmpty();
  }

  @Test
  void aDiskWithoutASizeIsTold() {
    withoutEvictions();
    node(50);
    kubelet.runtime.usage =
        new NodeUsage(null, null, new Supply(0, 0), null, null, null, null, Map.of());

    kubelet.advance(300);
    assertThat(told())
        .containsExactly("InvalidDiskCapacity invalid capacity 0 on image filesystem");
  }

  @Test
  void aRuntimeThatListsNoImagesIsAskedOnce() {
    withoutEvictions();
    node(50);
    kubelet.runtime.imageSizes = null;
    has("a", 9);
    kubelet.advance(300);

    kubelet.runtime.imageSizes = sizes;
    free(1);
    kubelet.advance(1000);
    assertThat(removed()).isEmpty();
    assertThat(told()).isEmpty();
  }

  @Test
  void aPassThatHangsIsReplacedByTheNext() {
    has("a", 9);
    Promise<Object> hangs = kubelet.runtime.hang("images");
    node(50);
    kubelet.advance(300);

    free(15);
    kubelet.advance(300);
    assertThat(removed()).containsExactly("rmi id-a");
    hangs.fail("too late");
    assertThat(told()).isEmpty();
  }

  @Test
  void imagesGoBeforePodsWhereTheDiskIsShort() {
    has("a", 30);
    node(50);
    PodView pod = kubelet.create(Pods.pod());
    kubelet.advance(600);

    kubelet.runtime.script(
        "rmi id-a",
        () -> {
          free(39);
          return Future.succeededFuture();
        });
    free(9);
    kubelet.advance(10);
    assertThat(removed()).containsExactly("rmi id-a");
    assertThat(kubelet.phase(pod)).isEqualTo(PodPhase.RUNNING);
    assertThat(told())
        .containsExactly(
            "NodeHasDiskPressure Node n status is now: NodeHasDiskPressure",
            "EvictionThresholdMet Attempting to reclaim ephemeral-storage");
    // when: there are no more images that could go
    free(9);
    kubelet.advance(10);
    assertThat(kubelet.status(pod).reason()).isEqualTo("Evicted");
  }

  @Test
  void whereImagesDoNotSufficeAPodGoes() {
    has("a", 30);
    node(50);
    PodView pod = kubelet.create(Pods.pod());
    kubelet.advance(600);

    free(1);
    kubelet.advance(10);
    assertThat(removed()).containsExactly("rmi id-a");
    assertThat(kubelet.status(pod).reason()).isEqualTo("Evicted");
    assertThat(told()).filteredOn(event -> event.startsWith("EvictionThresholdMet")).hasSize(1);
  }
}
