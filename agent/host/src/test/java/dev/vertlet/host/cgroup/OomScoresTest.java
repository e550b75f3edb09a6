package dev.vertlet.host.cgroup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class OomScoresTest {
  private static final long CAPACITY = 10L << 30;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{}|1000",
        "{\"limits\": {\"cpu\": \"1\", \"memory\": \"1Gi\"}, \"requests\": {\"cpu\": \"1\","
            + " \"memory\": \"1Gi\"}}|-997",
        "{\"requests\": {\"memory\": \"1Gi\"}}|900",
        "{\"requests\": {\"memory\": \"1\"}}|999",
        "{\"requests\": {\"cpu\": \"1\"}}|999",
        "{\"requests\": {\"memory\": \"100Gi\"}}|3"
      })
  void theKernelKillsByQosClassAndRequest(String resources, long score) {
    PodView pod = pod(new JsonObject(resources));

    assertThat(OomScores.of(pod, pod.spec().containers().get(0), CAPACITY)).isEqualTo(score);
  }

  private static PodView pod(JsonObject resources) {
    JsonObject container =
        new JsonObject().put("name", "main").put("image", "any").put("resources", resources);
    JsonObject metadata =
        new JsonObject()
            .put("name", "p")
            .put("namespace", "default")
            .put("uid", "u")
            .put("resourceVersion", "1");
    JsonObject spec =
        new JsonObject().put("nodeName", "node").put("containers", new JsonArray().add(container));
    JsonObject event =
        new JsonObject()
            .put("type", "ADDED")
            .put(
                "object",
                new JsonObject()
                    .put("apiVersion", "v1")
                    .put("kind", "Pod")
                    .put("metadata", metadata)
                    .put("spec", spec));
    if (new PodDecoder().decodeEvent(PodDecoder.WATCH_JSON, event.toBuffer())
        instanceof WatchEvent.Upsert<PodView> upsert) {
      return upsert.object();
    }
    throw new IllegalStateException("not a pod: " + event.encode());
  }
}
