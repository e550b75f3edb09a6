package dev.vertlet.cri.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cri.wire.StatusMessages.StatusResponse;
import dev.vertlet.provider.container.ImageRecord;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class SandboxImageTest {
  private static final ImageRecord PAUSE =
      new ImageRecord("sha256:1", List.of("pause@sha256:2", "pause:3"), 700_000);
  private static final ImageRecord OTHER = new ImageRecord("sha256:3", List.of("other:1"), 1);
  private static final List<ImageRecord> IMAGES = List.of(PAUSE, OTHER);

  private int calls;

  private SandboxImage image(Map<String, String> info) {
    return new SandboxImage(
        () -> {
          calls++;
          return Future.succeededFuture(new StatusResponse(null, info, List.of(), null));
        });
  }

  @Test
  void theImageInTheConfigurationIsPinned() {
    SandboxImage image = image(Map.of("config", "{\"sandboxImage\": \"pause:3\", \"x\": 1}"));

    assertThat(image.pin(IMAGES).result())
        .containsExactly(new ImageRecord(PAUSE.id(), PAUSE.names(), PAUSE.size(), true), OTHER);
    assertThat(image.pin(IMAGES).succeeded()).isTrue();
    assertThat(calls).isEqualTo(1);
  }

  @Test
  void withoutOneTheRuntimesOwnMarksCount() {
    for (Map<String, String> info :
        List.of(
            Map.<String, String>of(),
            Map.of("config", "{}"),
            Map.of("config", "no JSON"),
            Map.of("config", "{\"sandboxImage\": 1}"))) {
      assertThat(image(info).pin(IMAGES).result()).isEqualTo(IMAGES);
    }
  }
}
