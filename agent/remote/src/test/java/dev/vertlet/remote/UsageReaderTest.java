package dev.vertlet.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.node.NodeUsage.Supply;
import io.vertx.core.buffer.Buffer;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class UsageReaderTest {
  @Test
  void readsWhatAKubeletWrites() {
    NodeUsage usage =
        UsageReader.read(
            Buffer.buffer(
                """
                {"node": {"nodeName": "n", "startTime": "2026-01-01T00:00:00Z",
                  "cpu": {"usageNanoCores": 5, "usageCoreNanoSeconds": 7},
                  "memory": {"availableBytes": 60, "workingSetBytes": 40},
                  "fs": {"availableBytes": 1, "capacityBytes": 3, "inodesFree": 2, "inodes": 4},
                  "rlimit": {"maxpid": 100, "curproc": 30}},
                 "pods": [{"podRef": {"name": "p", "namespace": "d", "uid": "u"},
                   "containers": [{"name": "c", "memory": {"workingSetBytes": 11},
                                   "cpu": {"usageCoreNanoSeconds": 13},
                                   "logs": {"usedBytes": 17}, "rootfs": {"usedBytes": 19}}],
                   "volume": [{"name": "v", "usedBytes": 23}],
                   "process_stats": {"process_count": 2}}]}
                """));

    assertThat(usage.memory()).isEqualTo(new Supply(60, 100));
    assertThat(usage.nodeFs()).isEqualTo(new Supply(1, 3));
    assertThat(usage.pids()).isEqualTo(new Supply(70, 100));
    assertThat(usage.stats().startedAt()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
    NodeUsage.PodUsage pod = Objects.requireNonNull(usage.pods().get("u"));
    assertThat(pod.emptyDirs()).containsEntry("v", 23L);
    assertThat(pod.processes()).isEqualTo(2);
    assertThat(pod.containers())
        .singleElement()
        .matches(c -> c.memory() == 11 && c.logs().bytes() == 17 && c.rootFs().bytes() == 19);
  }

  @Test
  void whatIsMissingIsUnknown() {
    NodeUsage usage = UsageReader.read(Buffer.buffer("{\"node\": {}, \"pods\": [{}]}"));

    assertThat(usage.memory()).isNull();
    assertThat(usage.pods()).isEmpty();
    assertThat(usage.stats().cpu()).isNull();
  }

  @Test
  void refusesWhatIsNoSummary() {
    assertThatThrownBy(() -> UsageReader.read(Buffer.buffer("[]")))
        .hasMessageContaining("is no Summary");
  }
}
