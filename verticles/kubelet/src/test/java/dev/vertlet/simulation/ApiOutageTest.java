package dev.vertlet.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.vertlet.kubelet.SimulatedContainers;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.container.ContainerRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A whole agent, whose API server goes away for five minutes while containers crash. */
class ApiOutageTest {
  private static final int PODS = 8;
  private static final Duration OUTAGE = Duration.ofMinutes(5);

  /** The longest pauses of a watch (30 s) and of a status write (10 s), stretched. */
  private static final Duration RECOVERY = Duration.ofSeconds(60);

  /** The longest pause between restarts, and a look at the pod. */
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(310);

  private static final Logger LOG = (Logger) LoggerFactory.getLogger("dev.vertlet");

  private final Level before = LOG.getLevel();
  private final FakeLoop loop = new FakeLoop();
  private final Journal journal = new Journal(true);

  /** How often each container has ended, and what its last exit code was, by pod. */
  private final Map<String, List<Integer>> crashes = new HashMap<>();

  /** Warnings about the outage are of no interest. */
  @BeforeEach
  void silence() {
    LOG.setLevel(Level.OFF);
  }

  @AfterEach
  void speak() {
    LOG.setLevel(before);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @Tag("C63")
  void c63WhatContainersDoWhileTheServerIsAwayIsToldOnceItIsBack(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    SimulatedContainers containers = new SimulatedContainers(loop, random.split(), what -> {});
    WriteRules rules = new WriteRules(journal, containers);
    Server server = new Server(random.split(), loop, journal, rules);
    Wire wire = new Wire(random.split(), loop, server, rules);
    PodShapes shapes = new PodShapes(random.split());
    new Agent(loop, server, wire, containers, rules, Mutant.NONE, random.split(), journal).start();
    for (int i = 0; i < PODS; i++) {
      server.create(crashing(shapes, i));
    }
    loop.advance(Duration.ofSeconds(30));
    assertThat(server.pods()).allSatisfy(pod -> assertThat(main(pod).restartCount()).isZero());
    Map<String, PodStatusView> old = statuses(server);

    server.down(true);
    Instant back = loop.instant().plus(OUTAGE);
    while (loop.instant().isBefore(back)) {
      loop.advance(Duration.ofMillis(500 + random.nextInt(10_000)));
      PodView pod = server.pods().get(random.nextInt(PODS));
      if (containers.running(pod.ref()) > 0) {
        int code = 1 + random.nextInt(100);
        containers.exit(pod.ref(), "c0", code);
        crashes.computeIfAbsent(pod.uid(), uid -> new ArrayList<>()).add(code);
        loop.settle();
      }
    }
    assertThat(statuses(server)).as("nothing could be written").isEqualTo(old);
    assertThat(crashes.values()).as("crashes").anyMatch(codes -> codes.size() > 2);
    server.down(false);
    loop.advance(RECOVERY);
    assertThat(server.pods()).hasSize(PODS).allSatisfy(pod -> shownAsItIs(pod, containers));

    loop.advance(LONGEST_PAUSE);
    assertThat(server.pods())
        .allSatisfy(
            pod -> {
              shownAsItIs(pod, containers);
              assertThat(main(pod).restartCount()).isEqualTo(codes(pod).size());
              assertThat(main(pod).state()).isInstanceOf(Running.class);
            });
    rules.containers();
    journal.check();
  }

  /** A pod of one container that is always restarted. */
  private PodView crashing(PodShapes shapes, int number) {
    while (true) {
      String node = Agent.NODES.get(number % 2);
      PodView pod =
          shapes.draw(Server.ref("p" + number, number), node, 100 + number, loop.instant());
      if (pod.spec().restartPolicy() == RestartPolicy.ALWAYS
          && pod.spec().activeDeadlineSeconds() == null
          && pod.spec().initContainers().isEmpty()
          && pod.spec().containers().size() == 1
          && pod.spec().placement().requests().milliCpu() == 0) {
        return pod;
      }
    }
  }

  private static Map<String, PodStatusView> statuses(Server server) {
    Map<String, PodStatusView> statuses = new HashMap<>();
    server.pods().forEach(pod -> statuses.put(pod.uid(), pod.status()));
    return statuses;
  }

  private static ContainerStatusView main(PodView pod) {
    return pod.status().containerStatuses().get(0);
  }

  private List<Integer> codes(PodView pod) {
    return crashes.getOrDefault(pod.uid(), List.of());
  }

  /** Restarts, how it ended last, and whether it runs or waits. */
  private void shownAsItIs(PodView pod, SimulatedContainers containers) {
    ContainerRecord real = Objects.requireNonNull(containers.newest(pod.ref(), "c0"));
    ContainerStatusView shown = main(pod);
    List<Integer> codes = codes(pod);
    assertThat(shown.restartCount()).as("restarts of %s", pod.uid()).isEqualTo(real.attempt());
    assertThat(real.attempt() + (real.running() ? 0 : 1)).isEqualTo(codes.size());
    if (real.running()) {
      assertThat(shown.state()).isInstanceOf(Running.class);
      assertThat(shown.containerId()).isEqualTo(real.id());
    } else {
      assertThat(shown.state())
          .isInstanceOfSatisfying(
              Waiting.class, wait -> assertThat(wait.reason()).isEqualTo("CrashLoopBackOff"));
    }
    if (!codes.isEmpty()) {
      assertThat(shown.lastState())
          .isInstanceOfSatisfying(
              Terminated.class,
              last -> {
                assertThat(last.exitCode()).isEqualTo(codes.get(codes.size() - 1));
                assertThat(Objects.equals(last.containerId(), real.id()))
                    .isEqualTo(!real.running());
              });
    }
  }
}
