package dev.vertlet.kubelet.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kubelet.Kubelet;
import dev.vertlet.kubelet.Nodes;
import dev.vertlet.model.node.NodeImageView;
import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.testing.NodeSpecs;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Images in the status of a node. */
class ShownImagesTest {
  private Kubelet kubelet = new Kubelet();
  private final Map<String, Long> sizes = new HashMap<>();
  private final List<String> changed = new ArrayList<>();

  private void node() {
    kubelet.runtime.imageSizes = sizes;
    kubelet.core.nodes().onChange(changed::add);
    kubelet.core.nodes().observed(new Nodes("n").has("pods", "110").build());
  }

  private void has(String image, long size) {
    sizes.put(image, size);
    kubelet.runtime.images.add(image);
  }

  private @Nullable List<NodeImageView> shown() {
    return kubelet.core.nodes().configure(NodeSpecs.having("n", NodeSpecs.CAPACITY)).images();
  }

  private static List<NodeImageView> shown(int most, ImageRecord... images) {
    return ShownImages.of(ShownImages.sorted(List.of(images)), most);
  }

  @Test
  void theLargestImagesAreShownFirstDigestsBeforeTags() {
    ImageRecord small = new ImageRecord("1", List.of("r/a:1", "r/a@sha256:1"), 5);
    ImageRecord large = new ImageRecord("2", List.of("r/b:1"), 9);
    ImageRecord same = new ImageRecord("3", List.of("r/c:1"), 5);

    assertThat(shown(-1, small, large, same))
        .containsExactly(
            new NodeImageView(List.of("r/b:1"), 9),
            new NodeImageView(List.of("r/c:1"), 5),
            new NodeImageView(List.of("r/a@sha256:1", "r/a:1"), 5));
    assertThat(shown(1, small, large, same)).hasSize(1);
    assertThat(shown(0, small, large, same)).isEmpty();
  }

  @Test
  void anImageHasFiveNamesAtMost() {
    List<String> names = IntStream.range(0, 9).mapToObj(i -> "r/a:" + i).toList();

    assertThat(shown(50, new ImageRecord("1", names, 5)).get(0).names())
        .isEqualTo(names.subList(0, 5));
  }

  @Test
  void aNodeShowsItsImagesTenSecondsAfterTheFirstOfAFewPulls() {
    sizes.put("r/a:1", 5L);
    sizes.put("r/b:1", 7L);
    node();
    kubelet.advance(10);
    assertThat(shown()).isEmpty();
    changed.clear();

    kubelet.create(Pods.pod("a").container("c").image("c", "r/a:1"));
    kubelet.advance(5);
    kubelet.create(Pods.pod("b").container("c").image("c", "r/b:1"));
    assertThat(changed).isEmpty();
    kubelet.advance(5);

    assertThat(changed).containsExactly("n");
    assertThat(shown()).extracting(NodeImageView::sizeBytes).containsExactly(7L, 5L);
    int asked = kubelet.runtime.calls("images").size();
    kubelet.advance(60);
    assertThat(kubelet.runtime.calls("images")).hasSize(asked);
  }

  @Test
  void asManyAsTheNodeIsToShow() {
    has("r/a:1", 5);
    has("r/b:1", 7);
    node();
    kubelet.advance(10);
    assertThat(shown()).hasSize(2);

    kubelet.maxImages = 1;
    assertThat(shown()).hasSize(1);
    assertThat(shown()).extracting(NodeImageView::sizeBytes).containsExactly(7L);
  }

  @Test
  void anImageThatIsRemovedIsNoLongerShown() {
    has("r/a:1", 5);
    node();
    kubelet.advance(10);
    assertThat(shown()).hasSize(1);

    kubelet.runtime.images.clear();
    kubelet.advance(310);
    assertThat(shown()).isEmpty();
  }

  @Test
  void nothingIsSaidWhereTheRuntimeListsNoImagesOrFails() {
    node();
    kubelet.runtime.imageSizes = null;
    kubelet.advance(10);
    assertThat(shown()).isNull();

    kubelet = new Kubelet();
    kubelet.runtime.script("images", () -> Future.failedFuture("busy"));
    kubelet.runtime.script("images", () -> Future.failedFuture("busy"));
    node();
    kubelet.advance(10);
    assertThat(shown()).isNull();
  }

  @Test
  void nothingIsSaidInProfileFast() {
    kubelet = Kubelet.fast();
    has("r/a:1", 5);
    node();
    kubelet.advance(20);

    assertThat(shown()).isNull();
    assertThat(changed).isEmpty();
  }
}
