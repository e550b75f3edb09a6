package dev.vertlet.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pods come, crash, change and go on a runtime that fails and hangs, under a core that is restarted
 * now and then. After each step the rules that nothing may break are checked; in the end everything
 * is deleted and has to be gone.
 */
class SimulationTest {
  private static final int STEPS = 1_500;

  static IntStream seeds() {
    return IntStream.rangeClosed(1, 24);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void nothingIsDoubledLostOrRevived(int seed) {
    new World(seed).run();
  }

  /** The cluster as the simulation sees it. */
  private static final class World {
    private final SplittableRandom random;
    private Kubelet kubelet = new Kubelet();
    private final Map<String, PodView> pods = new LinkedHashMap<>();
    private final Map<String, PodStatusView> shown = new HashMap<>();
    private final Map<String, Future<Void>> creating = new HashMap<>();
    private final List<String> done = new ArrayList<>();
    private int read;
    private int names;
    private int trouble = 5;

    World(int seed) {
      random = new SplittableRandom(seed);
      infest();
    }

    private void infest() {
      kubelet.runtime.chaos =
          call -> {
            int dice = random.nextInt(100);
            if (dice < trouble) {
              return FakeRuntime.Chaos.Fate.FAIL;
            }
            boolean mayHang = !call.startsWith("restore");
            return mayHang && dice < 2 * trouble
                ? FakeRuntime.Chaos.Fate.HANG
                : FakeRuntime.Chaos.Fate.WORK;
          };
    }

    void run() {
      for (int i = 0; i < STEPS; i++) {
        step();
        kubelet.loop.settle();
        check();
      }
      trouble = 0;
      pods.values().stream().toList().forEach(this::delete);
      for (int i = 0; i < 40 && !pods.isEmpty(); i++) {
        pods.values().stream().toList().forEach(this::retry);
        kubelet.loop.advance(Duration.ofSeconds(30));
        check();
      }
      orphans();
      releaseAll();
      kubelet.loop.settle();
      assertThat(pods.keySet()).as("pods that never ended").isEmpty();
      assertThat(kubelet.runtime.pods.keySet()).as("leaked sandboxes").isEmpty();
      assertThat(kubelet.core.list().result()).isEmpty();
    }

    private void step() {
      int dice = random.nextInt(100);
      if (dice < 10 && pods.size() < 12) {
        create();
      } else if (dice < 45) {
        exit();
      } else if (dice < 50) {
        one().ifPresent(this::delete);
      } else if (dice < 53) {
        one().ifPresent(this::changeImage);
      } else if (dice < 55) {
        one().ifPresent(this::loseSandbox);
      } else if (dice < 58) {
        health();
      } else if (dice < 66 && !kubelet.runtime.hung.isEmpty()) {
        kubelet.runtime.release(random.nextInt(kubelet.runtime.hung.size()));
      } else if (dice < 67) {
        restart();
      } else {
        kubelet.loop.advance(Duration.ofMillis(random.nextInt(15_000)));
      }
      one().ifPresent(this::retry);
    }

    private Optional<PodView> one() {
      List<PodView> all = new ArrayList<>(pods.values());
      return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }

    private void create() {
      Pods pod =
          Pods.pod("p" + ++names)
              .policy(RestartPolicy.values()[random.nextInt(3)])
              .grace(1 + random.nextInt(10));
      IntStream.range(0, random.nextInt(3)).forEach(i -> shape(pod, i));
      IntStream.rangeClosed(0, random.nextInt(3)).forEach(i -> pod.container("c" + i));
      if (random.nextInt(10) == 0) {
        pod.deadline(20 + random.nextInt(100));
      }
      PodView view = pod.build();
      pods.put(view.uid(), view);
      creating.put(view.uid(), kubelet.core.create(view));
    }

    private void shape(Pods pod, int i) {
      if (random.nextBoolean()) {
        pod.init("i" + i);
      } else {
        pod.sidecar("s" + i);
      }
    }

    /** Repeats what the core refused, as the caller of a provider does. */
    private void retry(PodView pod) {
      Future<Void> asked = creating.get(pod.uid());
      if (asked != null && asked.failed()) {
        creating.put(
            pod.uid(),
            pod.deleting()
                ? kubelet.core.delete(pod, Duration.ofSeconds(1))
                : kubelet.core.create(pod));
      }
    }

    private void exit() {
      List<FakePod> held = new ArrayList<>(kubelet.runtime.pods.values());
      if (held.isEmpty()) {
        return;
      }
      FakePod pod = held.get(random.nextInt(held.size()));
      List<ContainerRecord> running =
          pod.newest.values().stream().filter(ContainerRecord::running).toList();
      if (!running.isEmpty()) {
        ContainerRecord record = running.get(random.nextInt(running.size()));
        kubelet.runtime.silent = random.nextInt(20) == 0;
        if (random.nextInt(12) == 0) {
          kubelet.runtime.lose(pod.ref, record.name());
        } else {
          kubelet.runtime.exit(pod.ref, record.name(), random.nextInt(3) == 0 ? 1 : 0);
        }
        kubelet.runtime.silent = false;
      }
    }

    private void health() {
      for (FakePod pod : kubelet.runtime.pods.values()) {
        for (ContainerRecord record : pod.newest.values()) {
          if (record.running() && random.nextInt(5) == 0) {
            kubelet.runtime.health(pod.ref, record.name(), true, random.nextBoolean());
            return;
          }
        }
      }
    }

    private void delete(PodView pod) {
      PodView deleted =
          Pods.of(pod).deleted(Instant.EPOCH).grace(1 + random.nextInt(20)).generation(2).build();
      pods.put(pod.uid(), deleted);
      creating.put(pod.uid(), kubelet.core.delete(deleted, Duration.ofSeconds(random.nextInt(20))));
    }

    private void changeImage(PodView pod) {
      PodView changed = Pods.of(pod).image("c0", "img" + random.nextInt(3)).build();
      pods.put(pod.uid(), changed);
      if (kubelet.core.get(pod.ref()).result().isPresent()) {
        Kubelet.done(kubelet.core.update(changed));
      }
    }

    private void loseSandbox(PodView pod) {
      kubelet.runtime.silent = random.nextInt(3) == 0;
      kubelet.runtime.loseSandbox(pod.ref());
      kubelet.runtime.silent = false;
    }

    private void releaseAll() {
      while (!kubelet.runtime.hung.isEmpty()) {
        kubelet.runtime.release(0);
      }
    }

    /** A new agent finds the API server as the old one left it, and the runtime as it is. */
    private void restart() {
      releaseAll();
      check();
      kubelet = kubelet.restarted();
      read = 0;
      for (PodView pod : List.copyOf(pods.values())) {
        PodStatusView status = shown.getOrDefault(pod.uid(), PodStatusView.EMPTY);
        PodView again = Pods.of(pod).status(status).build();
        pods.put(pod.uid(), again);
        creating.put(pod.uid(), kubelet.core.create(again));
      }
      orphans();
    }

    /** Ends what the runtime has and nobody wants any more, as the caller of a provider does. */
    private void orphans() {
      Future<List<PodReport>> listed = kubelet.core.list();
      if (listed.succeeded()) {
        for (PodReport report : listed.result()) {
          if (!pods.containsKey(report.pod().uid())) {
            PodView orphan = Pods.pod(report.pod().name()).build();
            kubelet.core.delete(orphan, Duration.ofSeconds(1)).onFailure(e -> {});
          }
        }
      }
    }

    private void check() {
      assertThat(kubelet.runtime.violations).isEmpty();
      List<PodReport> reports = kubelet.reports;
      for (; read < reports.size(); read++) {
        PodReport report = reports.get(read);
        String uid = report.pod().uid();
        if (done.contains(uid)) {
          assertThat(report.finished()).as("reports after the end").isTrue();
          continue;
        }
        PodStatusView before = shown.put(uid, report.status());
        if (before != null) {
          compare(before, report.status());
        }
        finished(report, uid);
      }
    }

    private void finished(PodReport report, String uid) {
      if (!report.finished()) {
        return;
      }
      assertThat(report.status().phase().terminal()).isTrue();
      PodView pod = pods.get(uid);
      if (pod != null && pod.deleting()) {
        pods.remove(uid);
        done.add(uid);
      }
    }

    private static void compare(PodStatusView before, PodStatusView after) {
      if (before.phase().terminal()) {
        assertThat(after.phase()).isEqualTo(before.phase());
      }
      if (before.phase() != PodPhase.PENDING && before.startTime() != null) {
        assertThat(after.startTime()).isEqualTo(before.startTime());
      }
      monotone(before.initContainerStatuses(), after.initContainerStatuses());
      monotone(before.containerStatuses(), after.containerStatuses());
    }

    private static void monotone(
        List<ContainerStatusView> before, List<ContainerStatusView> after) {
      assertThat(after).hasSameSizeAs(before);
      for (int i = 0; i < before.size(); i++) {
        assertThat(after.get(i).restartCount())
            .as(after.get(i).name())
            .isGreaterThanOrEqualTo(before.get(i).restartCount());
      }
    }
  }
}
