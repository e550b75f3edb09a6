package dev.vertlet.stats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.provider.node.NodeUsage;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Row 2.3-metrics: what {@code /stats/summary} says, against documents written by hand. */
@Tag("2.3-metrics")
class StatsSummaryTest {
  private static final String FULL =
      """
      {"node": {
         "nodeName": "node-1",
         "startTime": "2026-03-01T00:00:00Z",
         "cpu": {"time": "T", "usageNanoCores": 400000000, "usageCoreNanoSeconds": 123456789000},
         "memory": {"time": "T", "availableBytes": 6442450944, "usageBytes": 3221225472,
           "workingSetBytes": 2147483648, "rssBytes": 1073741824, "pageFaults": 70,
           "majorPageFaults": 20},
         "network": {"time": "T", "name": "eth0", "rxBytes": 5000, "rxErrors": 1, "txBytes": 6000,
           "txErrors": 2, "interfaces": [
             {"name": "eth0", "rxBytes": 5000, "rxErrors": 1, "txBytes": 6000, "txErrors": 2}]},
         "fs": {"time": "T", "availableBytes": 42949672960, "capacityBytes": 107374182400,
           "inodesFree": 900, "inodes": 1000, "usedBytes": 64424509440, "inodesUsed": 100},
         "runtime": {
           "imageFs": {"time": "T", "availableBytes": 10737418240, "capacityBytes": 53687091200,
             "inodesFree": 400, "inodes": 500, "usedBytes": 42949672960, "inodesUsed": 100},
           "containerFs": {"time": "T", "availableBytes": 10737418240,
             "capacityBytes": 53687091200, "inodesFree": 400, "inodes": 500,
             "usedBytes": 42949672960, "inodesUsed": 100}},
         "rlimit": {"time": "T", "maxpid": 32768, "curproc": 768},
         "swap": {"time": "T", "swapAvailableBytes": 2147483648, "swapUsageBytes": 0}},
       "pods": [{
         "podRef": {"name": "web", "namespace": "shop", "uid": "uid-of-web"},
         "startTime": "2026-03-04T05:00:00Z",
         "containers": [
           {"name": "main", "startTime": "2026-03-04T05:00:00Z",
            "cpu": {"time": "T", "usageNanoCores": 125000000, "usageCoreNanoSeconds": 90250000000},
            "memory": {"time": "T", "availableBytes": 29360128, "usageBytes": 115343360,
              "workingSetBytes": 104857600, "rssBytes": 94371840, "pageFaults": 7,
              "majorPageFaults": 2},
            "rootfs": {"time": "T", "availableBytes": 10737418240, "capacityBytes": 53687091200,
              "inodesFree": 400, "inodes": 500, "usedBytes": 5242880, "inodesUsed": 50},
            "logs": {"time": "T", "availableBytes": 10737418240, "capacityBytes": 53687091200,
              "inodesFree": 400, "inodes": 500, "usedBytes": 1048576, "inodesUsed": 1},
            "swap": {"time": "T", "swapAvailableBytes": 5242880, "swapUsageBytes": 3145728}},
           {"name": "side", "startTime": "2026-03-04T05:00:00Z",
            "cpu": {"time": "T", "usageNanoCores": 1000000, "usageCoreNanoSeconds": 500000000},
            "memory": {"time": "T", "workingSetBytes": 20971520},
            "rootfs": {"time": "T", "availableBytes": 10737418240, "capacityBytes": 53687091200,
              "inodesFree": 400, "inodes": 500, "usedBytes": 0, "inodesUsed": 0},
            "logs": {"time": "T", "availableBytes": 10737418240, "capacityBytes": 53687091200,
              "inodesFree": 400, "inodes": 500, "usedBytes": 0, "inodesUsed": 0}}],
         "cpu": {"time": "T", "usageNanoCores": 126000000, "usageCoreNanoSeconds": 90750000000},
         "memory": {"time": "T", "workingSetBytes": 125829120},
         "network": {"time": "T", "name": "eth0", "rxBytes": 1000, "rxErrors": 0, "txBytes": 2000,
           "txErrors": 4, "interfaces": [
             {"name": "lo", "rxBytes": 1, "txBytes": 1},
             {"name": "eth0", "rxBytes": 1000, "rxErrors": 0, "txBytes": 2000, "txErrors": 4}]},
         "volume": [
           {"time": "T", "availableBytes": 42949672960, "capacityBytes": 107374182400,
            "inodesFree": 900, "inodes": 1000, "usedBytes": 0, "name": "a"},
           {"time": "T", "availableBytes": 42949672960, "capacityBytes": 107374182400,
            "inodesFree": 900, "inodes": 1000, "usedBytes": 2097152, "name": "cache"}],
         "ephemeral-storage": {"time": "T", "availableBytes": 10737418240,
           "capacityBytes": 53687091200, "inodesFree": 400, "inodes": 500, "usedBytes": 8388608,
           "inodesUsed": 54},
         "process_stats": {"process_count": 9},
         "swap": {"time": "T", "swapUsageBytes": 3145728}}]}
      """;

  private static final String BARE =
      """
      {"node": {"nodeName": "node-1", "startTime": null},
       "pods": [{
         "podRef": {"name": "web", "namespace": "shop", "uid": "uid-of-web"},
         "startTime": "2026-03-04T05:00:00Z",
         "containers": [
           {"name": "main", "startTime": null,
            "memory": {"time": "2026-03-04T05:06:07Z", "availableBytes": 29360128,
              "workingSetBytes": 104857600},
            "rootfs": {"time": "2026-03-04T05:06:07Z", "usedBytes": 0},
            "logs": {"time": "2026-03-04T05:06:07Z", "usedBytes": 0}}],
         "memory": {"time": "2026-03-04T05:06:07Z", "workingSetBytes": 104857600},
         "ephemeral-storage": {"time": "2026-03-04T05:06:07Z", "usedBytes": 0},
         "process_stats": {"process_count": 1}}]}
      """;

  private static JsonObject expected(String text) {
    return new JsonObject(text.replace("\"T\"", "\"2026-03-04T05:06:07Z\""));
  }

  /** The full document without what is neither processor, memory nor swap. */
  private static JsonObject brief() {
    JsonObject brief = expected(FULL);
    JsonObject pod = brief.getJsonArray("pods").getJsonObject(0);
    List.of("network", "fs", "runtime", "rlimit").forEach(brief.getJsonObject("node")::remove);
    List.of("network", "volume", "ephemeral-storage", "process_stats").forEach(pod::remove);
    for (int i = 0; i < 2; i++) {
      List.of("rootfs", "logs").forEach(pod.getJsonArray("containers").getJsonObject(i)::remove);
    }
    return brief;
  }

  private static JsonObject made(Measured measured, boolean brief) {
    return StatsSummary.json(measured, brief).toJsonObject();
  }

  @Test
  void allThatIsMeasuredIsTold() {
    assertThat(made(Lab.full(), false)).isEqualTo(expected(FULL));
  }

  @Test
  void onlyProcessorAndMemoryAreToldOnDemand() {
    assertThat(made(Lab.full(), true)).isEqualTo(brief());
  }

  @Test
  void whatIsNotMeasuredIsLeftOut() {
    assertThat(made(Lab.bare(), false)).isEqualTo(expected(BARE));
    Measured nothing = new Measured(Lab.node(), NodeUsage.NONE, List.of(Lab.web()), Lab.NOW);
    assertThat(made(nothing, false).encode())
        .isEqualTo("{\"node\":{\"nodeName\":\"node-1\",\"startTime\":null},\"pods\":[]}");
  }

  @Test
  void aMirrorShowsItsStaticPodOnce() {
    NodeUsage usage = Lab.full().usage();
    var mirror = Lab.pod("mirror", Map.of("kubernetes.io/config.mirror", "uid-of-web"));

    Measured both = new Measured(Lab.node(), usage, List.of(Lab.web(), mirror), Lab.NOW);
    assertThat(made(both, true).getJsonArray("pods")).hasSize(1);

    Measured alone = new Measured(Lab.node(), usage, List.of(mirror), Lab.NOW);
    assertThat(made(alone, true).getJsonArray("pods").getJsonObject(0).getJsonObject("podRef"))
        .isEqualTo(
            new JsonObject()
                .put("name", "mirror")
                .put("namespace", "shop")
                .put("uid", "uid-of-web"));
  }

  @Test
  void theParameterIsOneAndTrue() {
    assertThat(StatsSummary.onlyCpuAndMemory(List.of("true"))).isTrue();
    assertThat(StatsSummary.onlyCpuAndMemory(List.of("1"))).isFalse();
    assertThat(StatsSummary.onlyCpuAndMemory(List.of("true", "true"))).isFalse();
    assertThat(StatsSummary.onlyCpuAndMemory(List.of())).isFalse();
  }
}
