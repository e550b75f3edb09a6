package dev.vertlet.manifest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.vertlet.model.pod.PodView;
import dev.vertlet.testsupport.Seeds;
import dev.vertlet.testsupport.fuzz.JsonFuzz;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** Whatever a manifest's annotations say: a static pod that is marked as one, or why it is none. */
class ManifestAnnotationsFuzzTest {
  private static final Manifests FILES = new Manifests("n", Manifests.FILE);
  private static final JsonObject ANNOTATIONS =
      new JsonObject()
          .put(StaticPod.SOURCE, "api")
          .put(StaticPod.HASH, "0123")
          .put(StaticPod.SEEN, "2026-01-01T00:00:00Z")
          .put(StaticPod.MIRROR, "0123")
          .put("sim.vertlet.dev/run-for", "10s");

  private static String manifest(JsonFuzz fuzz) {
    String annotations = fuzz.mutant(ANNOTATIONS);
    return "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"web\",\"annotations\":"
        + annotations
        + "},\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"nginx:1.27\"}]}}";
  }

  @Test
  void areKeptOrRefused() {
    int seeds = Seeds.count(40, 200);
    int refused = 0;
    for (long seed = 0; seed < seeds; seed++) {
      String manifest = manifest(new JsonFuzz(Seeds.random(seed)));
      try {
        PodView pod = FILES.pod(manifest.getBytes(UTF_8), "/pods/web.yaml").view();
        assertThat(pod.annotations())
            .containsEntry(StaticPod.SOURCE, Manifests.FILE)
            .containsEntry(StaticPod.HASH, pod.uid())
            .doesNotContainKeys(StaticPod.MIRROR, StaticPod.SEEN);
      } catch (ManifestException e) {
        refused++;
        assertThat(e.reason())
            .as("seed %d", seed)
            .matches("(?s)is neither YAML nor JSON.*|has more than .*|.*metadata.annotations.*");
      } catch (Throwable e) {
        fail("seed %d: %s".formatted(seed, manifest), e);
      }
    }
    assertThat(refused).isBetween(seeds / 10, seeds - seeds / 10);
  }
}
