package dev.vertlet.harness.replay.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.harness.replay.plan.ReplayLabels;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SightingsTest {
  private final Sightings sightings = new Sightings(annotation -> annotation);

  private static PodView pod(String name, String node, String workload, String phase) {
    JsonObject metadata =
        new JsonObject()
            .put("name", name)
            .put("namespace", "shop")
            .put("resourceVersion", "1")
            .put("uid", "uid-" + name)
            .put("annotations", new JsonObject().put(ReplayLabels.TEMPLATE, workload));
    JsonObject event =
        new JsonObject()
            .put("type", "ADDED")
            .put(
                "object",
                new JsonObject()
                    .put("metadata", metadata)
                    .put("spec", new JsonObject().put("nodeName", node))
                    .put("status", new JsonObject().put("phase", phase)));
    WatchEvent<PodView> decoded =
        new PodDecoder().decodeEvent("application/json", Buffer.buffer(event.encode()));
    return ((WatchEvent.Upsert<PodView>) decoded).object();
  }

  @Test
  @Tag("Q01")
  void eachPodOfANodeIsEvictedOnce() {
    sightings.pod(pod("a", "n1", "web", "Running"), 0);
    sightings.pod(pod("b", "n1", "web", "Running"), 1);
    sightings.pod(pod("c", "n2", "web", "Running"), 2);
    sightings.pod(pod("d", "n1", "api", "Running"), 3);

    assertThat(sightings.evict("n1", "web")).contains("shop/a");
    assertThat(sightings.evict("n1", "web")).contains("shop/b");
    assertThat(sightings.evict("n1", "web")).isEmpty();
    assertThat(sightings.podsOn("n1")).containsExactly("shop/a", "shop/b", "shop/d");
  }

  @Test
  void podsThatHaveEndedOrGoneAreNotEvicted() {
    sightings.pod(pod("a", "n1", "web", "Succeeded"), 0);
    sightings.pod(pod("b", "n1", "web", "Running"), 1);
    sightings.podGone("uid-b", 2);

    assertThat(sightings.evict("n1", "web")).isEmpty();
    assertThat(sightings.podsOn("n1")).containsExactly("shop/a");
  }
}
