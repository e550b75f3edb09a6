package dev.vertlet.kubelet;

import static dev.vertlet.model.reference.ReferredKind.CONFIG_MAP;
import static dev.vertlet.model.reference.ReferredKind.SECRET;
import static dev.vertlet.testing.EnvPods.data;
import static dev.vertlet.testing.EnvPods.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.env.FakeReferences;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.testing.EnvPods;
import dev.vertlet.testing.Pods;
import dev.vertlet.testsupport.Seeds;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Pods that come, crash and go while what they refer to is read late, appears, changes and
 * vanishes. A failing seed is printed.
 */
class EnvironmentSimulationTest {
  private static final int STEPS = 60;

  @Test
  void whatIsFollowedIsWhatPodsNeedAndNothingStartsWithoutIt() {
    for (long seed : Seeds.range(100, 500).toArray()) {
      try {
        new Run(seed).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private static final class Run {
    private static final List<ReferredKey> KEYS =
        List.of(
            new ReferredKey(CONFIG_MAP, "ns", "a"),
            new ReferredKey(CONFIG_MAP, "ns", "b"),
            new ReferredKey(SECRET, "ns", "c"));

    private final Random random;
    private final FakeReferences cluster = new FakeReferences();
    private final Kubelet kubelet = new Kubelet(new EnvironmentInputs(cluster, node -> Map.of()));
    private final Map<String, PodView> pods = new LinkedHashMap<>();
    private final Map<String, ReferredKey> needs = new LinkedHashMap<>();

    /** What the core was told of each key: without a key it is unread or gone. */
    private final Set<ReferredKey> present = new LinkedHashSet<>();

    private int created;

    Run(long seed) {
      random = new Random(seed);
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        step();
        check();
      }
      KEYS.forEach(this::appear);
      kubelet.advance(700);
      pods.values().forEach(pod -> assertThat(kubelet.state(pod, "c")).isInstanceOf(Running.class));
      List.copyOf(pods.keySet()).forEach(this::delete);
      assertThat(cluster.followed).isEmpty();
      assertThat(kubelet.runtime.violations).isEmpty();
    }

    private void step() {
      switch (random.nextInt(7)) {
        case 0, 1 -> create();
        case 2 -> appear(any(KEYS));
        case 3 -> vanish(any(KEYS));
        case 4 -> crash();
        case 5 -> {
          if (!pods.isEmpty()) {
            delete(any(List.copyOf(pods.keySet())));
          }
        }
        default -> kubelet.advance(random.nextInt(20));
      }
    }

    private <T> T any(List<T> choice) {
      return choice.get(random.nextInt(choice.size()));
    }

    private void create() {
      String name = "p" + created++;
      ReferredKey key = any(KEYS);
      needs.put(name, key);
      // whoever is the first to follow is told later, if at all
      if (!cluster.followed.contains(key)) {
        present.remove(key);
      }
      pods.put(
          name,
          kubelet.create(
              Pods.pod(name)
                  .container(
                      EnvPods.container(List.of(), entry("A", key.kind(), key.name(), "k")))));
    }

    private void appear(ReferredKey key) {
      present.add(key);
      ReferredView object = data(key.name(), Map.of("k", "v" + random.nextInt(3)));
      cluster.tell(key, object);
    }

    private void vanish(ReferredKey key) {
      present.remove(key);
      cluster.tell(key);
    }

    private void crash() {
      List<PodView> running = new ArrayList<>();
      for (PodView pod : pods.values()) {
        if (kubelet.runtime.running(pod.ref()) > 0) {
          running.add(pod);
        }
      }
      if (!running.isEmpty()) {
        PodView pod = any(running);
        kubelet.runtime.exit(pod.ref(), "c", 1);
      }
    }

    private void delete(String name) {
      PodView pod = pods.remove(name);
      needs.remove(name);
      if (pod != null) {
        kubelet.delete(pod, 1);
      }
    }

    private void check() {
      assertThat(cluster.followed)
          .containsExactlyInAnyOrderElementsOf(new LinkedHashSet<>(needs.values()));
      Map<String, Integer> starts = Map.copyOf(kubelet.runtime.starts);
      for (Map.Entry<String, PodView> pod : pods.entrySet()) {
        String container = pod.getValue().uid() + "/c";
        int before = seen.getOrDefault(container, 0);
        int now = starts.getOrDefault(container, 0);
        if (now > before) {
          assertThat(present).as(pod.getKey()).contains(needs.get(pod.getKey()));
        }
        seen.put(container, now);
      }
    }

    /** Starts of each container that were checked. */
    private final Map<String, Integer> seen = new LinkedHashMap<>();
  }
}
