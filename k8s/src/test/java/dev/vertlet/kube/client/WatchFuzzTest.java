package dev.vertlet.kube.client;

import static dev.vertlet.testsupport.Waits.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.watch.Reflector;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import dev.vertlet.testsupport.Seeds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a watch brought: after the next whole list what is known is what there is. */
class WatchFuzzTest {
  @AutoClose private final ApiLab lab = ApiLab.start();

  private static final Backoff QUICK =
      new Backoff(Duration.ofMillis(5), Duration.ofMillis(40), 2, 0.5);

  private static final int STEPS = 12;
  private static final int NAMES = 6;

  private final Known known = new Known();

  @ParameterizedTest
  @ValueSource(strings = {MediaType.JSON, "application/vnd.kubernetes.protobuf;stream=watch"})
  void afterAnyDamageItKnowsWhatTheServerHas(String accept) throws Exception {
    List<Throwable> escaped = new CopyOnWriteArrayList<>();
    lab.vertx.exceptionHandler(escaped::add);
    DamagingProxy proxy = DamagingProxy.to(lab.vertx, lab.server.port(), accept);
    Reflector<PodView> reflector =
        new Reflector<>(
            lab.client(ApiLab.FAST, lab.access().withMasterUrl(proxy.url()).build()),
            new ListWatch<>(
                "pods",
                KubePath.pods(),
                "",
                "",
                new PodDecoder(),
                500,
                DamagingProxy.LONG - 1,
                Duration.ofMinutes(5)),
            known,
            QUICK,
            new Random(7));
    get(reflector.start());
    for (long seed : Seeds.range(15, 15).toArray()) {
      Random random = Seeds.random(seed);

      proxy.damage(random);
      for (int step = 0; step < STEPS; step++) {
        change(lab, "p" + random.nextInt(NAMES), random);
      }
      proxy.damage(null);
      // what was left out is not found out by watching on
      get(lab.server.cutWatches());
      get(reflector.relist());
      await()
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(5))
          .untilAsserted(
              () -> assertThat(known.versions()).as("seed %d", seed).isEqualTo(has(lab)));
    }
    assertThat(escaped).isEmpty();
    assertThat(lab.metric(KubeMetrics.DECODE_ERRORS, "resource", "pods")).isPositive();
  }

  private static void change(ApiLab lab, String name, Random random) throws Exception {
    if (get(lab.server.objects().find("pods", "default", name)).isEmpty()) {
      get(lab.server.objects().create("pods", Manifests.pod(name)));
    } else if (random.nextBoolean()) {
      get(lab.server.objects().deleteNow("pods", "default", name));
    } else {
      String label = "{\"metadata\":{\"labels\":{\"at\":\"x%d\"}}}".formatted(random.nextInt());
      get(lab.server.objects().patch("pods", "default", name, label));
    }
  }

  private static Map<String, Long> has(ApiLab lab) throws Exception {
    Map<String, Long> versions = new TreeMap<>();
    for (ObjectNode pod : get(lab.server.objects().list("pods", "default"))) {
      versions.put(
          "default/" + pod.at("/metadata/name").asText(),
          pod.at("/metadata/resourceVersion").asLong());
    }
    return versions;
  }

  /** What was told, of which one event loop writes and a test thread reads. */
  private static final class Known implements ReflectorListener<PodView> {
    private final Map<String, Long> versions = new TreeMap<>();

    synchronized Map<String, Long> versions() {
      return Map.copyOf(versions);
    }

    @Override
    public synchronized void upserted(PodView pod) {
      versions.put(pod.namespace() + "/" + pod.name(), pod.resourceVersion());
    }

    @Override
    public synchronized void deleted(Tombstone gone) {
      versions.remove(gone.namespace() + "/" + gone.name());
    }

    @Override
    public void synced() {}
  }
}
