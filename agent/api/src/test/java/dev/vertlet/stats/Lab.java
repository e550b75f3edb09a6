package dev.vertlet.stats;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.container.RestartPolicy;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.ContainerUsage;
import dev.vertlet.provider.node.NodeUsage.Disk;
import dev.vertlet.provider.node.NodeUsage.PodUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import dev.vertlet.provider.node.ResourceStats;
import dev.vertlet.provider.node.ResourceStats.Cpu;
import dev.vertlet.provider.node.ResourceStats.Interface;
import dev.vertlet.provider.node.ResourceStats.Memory;
import dev.vertlet.provider.node.ResourceStats.Network;
import dev.vertlet.provider.node.ResourceStats.Swap;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A node with everything measured, and one with next to nothing. */
final class Lab {
  static final Instant NOW = Instant.parse("2026-03-04T05:06:07.089Z");
  static final Instant BOOT = Instant.parse("2026-03-01T00:00:00Z");
  static final Instant STARTED = Instant.parse("2026-03-04T05:00:00.500Z");
  static final long MI = 1 << 20;
  static final long GI = 1 << 30;

  private static final ResourcesView RESOURCES =
      new ResourcesView(
          Map.of("cpu", "250m", "memory", "64Mi"), Map.of("cpu", "500m", "memory", "128Mi"));

  private Lab() {}

  static NodeSpec node() {
    return new NodeSpec(
        "node-1",
        Map.of(),
        Map.of(),
        List.of(),
        Map.of("cpu", "4", "memory", "8Gi", "pods", "110"),
        Map.of(),
        List.of(),
        Map.of("machineID", "m", "systemUUID", "s", "bootID", "b"),
        "10.200.0.0/24");
  }

  static ContainerView container(String name, ResourcesView resources) {
    return new ContainerView(
        name, "registry.example/" + name + ":1", "IfNotPresent", null, null, resources, null);
  }

  static PodView pod(String name, Map<String, String> annotations, ContainerView... containers) {
    PodStatusView status =
        new PodStatusView(
            PodPhase.RUNNING,
            null,
            null,
            "192.0.2.1",
            List.of("10.200.0.7"),
            STARTED,
            null,
            List.of(),
            List.of(),
            List.of(
                new ContainerStatusView(
                    "main", "app", "", "simulated://abc", 0, true, true, null, null)),
            List.of());
    return new PodView(
        new PodRef("shop", name, "uid-of-" + name),
        1,
        1,
        "node-1",
        Map.of(),
        annotations,
        null,
        STARTED,
        null,
        null,
        new PodSpecView(
            1,
            RestartPolicy.ALWAYS,
            30,
            null,
            false,
            0,
            List.of(),
            List.of(),
            List.of(containers),
            List.of()),
        status);
  }

  static PodView web() {
    return pod(
        "web", Map.of(), container("main", RESOURCES), container("side", ResourcesView.NONE));
  }

  /** Everything there is a place for. */
  static Measured full() {
    ContainerUsage main =
        new ContainerUsage(
            "main",
            100 * MI,
            new Disk(5 * MI, 50),
            new Disk(MI, 1),
            new ResourceStats(
                STARTED,
                new Cpu(125_000_000L, 90_250_000_000L),
                new Memory(null, 110 * MI, 90 * MI, 7L, 2L),
                new Swap(3 * MI, 5 * MI),
                null));
    ContainerUsage side =
        new ContainerUsage(
            "side",
            20 * MI,
            Disk.NONE,
            Disk.NONE,
            new ResourceStats(STARTED, new Cpu(1_000_000L, 500_000_000L)));
    PodUsage web =
        new PodUsage(
            List.of(main, side),
            new Disk(2 * MI, 3),
            9,
            Map.of("cache", 2 * MI, "a", 0L),
            new ResourceStats(
                STARTED,
                null,
                null,
                new Swap(3 * MI, null),
                new Network(
                    "eth0",
                    List.of(
                        new Interface("lo", 1L, null, 1L, null),
                        new Interface("eth0", 1000L, 0L, 2000L, 4L)))));
    NodeUsage usage =
        new NodeUsage(
            NOW.minusMillis(89),
            new Supply(6 * GI, 8 * GI),
            new Supply(40 * GI, 100 * GI),
            new Supply(900, 1000),
            new Supply(10 * GI, 50 * GI),
            new Supply(400, 500),
            new Supply(32_000, 32_768),
            Map.of("uid-of-web", web, "uid-of-somebody-elses", web),
            new ResourceStats(
                BOOT,
                new Cpu(400_000_000L, 123_456_789_000L),
                new Memory(null, 3 * GI, 1 * GI, 70L, 20L),
                new Swap(0L, 2 * GI),
                new Network("eth0", List.of(new Interface("eth0", 5000L, 1L, 6000L, 2L)))));
    return new Measured(node(), usage, List.of(web(), pod("idle", Map.of())), NOW);
  }

  /** What a provider made that knows of evictions alone. */
  static Measured bare() {
    PodUsage web =
        new PodUsage(
            List.of(new ContainerUsage("main", 100 * MI, Disk.NONE, Disk.NONE)), Disk.NONE, 1);
    NodeUsage usage =
        new NodeUsage(null, null, null, null, null, null, null, Map.of("uid-of-web", web));
    return new Measured(node(), usage, List.of(web()), NOW);
  }
}
