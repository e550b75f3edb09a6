package dev.vertlet.trace.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.model.Timestamps;
import dev.vertlet.trace.TraceHeader;
import dev.vertlet.trace.TraceWriter;
import dev.vertlet.trace.record.sanitize.Anonymizer;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a change costs in the file, with names and times as random as a cluster's. */
class TraceSizeTest {
  private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");
  private static final int PODS = 2000;

  /** 1,000 changes a minute. */
  private static final long CHANGE_MILLIS = 60;

  /** As the recorder does. */
  private static final long FLUSH_MILLIS = TraceSink.INTERVAL_MILLIS;

  @TempDir private Path dir;

  private final SplittableRandom random = new SplittableRandom(5);
  private Instant now = START;

  private String suffix() {
    StringBuilder suffix = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      suffix.append("bcdfghjklmnpqrstvwxz2456789".charAt(random.nextInt(27)));
    }
    return suffix.toString();
  }

  private JsonNode pod(String name, int owner, int step, String node) {
    ObjectNode pod = new ObjectMapper().createObjectNode();
    ObjectNode metadata = pod.putObject("metadata");
    metadata.put("name", name).put("namespace", "shop").put("creationTimestamp", stamp());
    metadata.putObject("labels").put("pod-template-hash", "hash" + owner);
    ObjectNode reference = metadata.putArray("ownerReferences").addObject();
    reference.put("apiVersion", "apps/v1").put("kind", "ReplicaSet").put("controller", true);
    reference.put("name", "web-" + owner).put("uid", "rs" + owner);
    ObjectNode spec = pod.putObject("spec");
    spec.putArray("containers")
        .addObject()
        .put("name", "main")
        .putObject("resources")
        .putObject("requests")
        .put("cpu", "250m");
    ObjectNode status = pod.putObject("status").put("phase", step < 2 ? "Pending" : "Running");
    if (step >= 1) {
      spec.put("nodeName", node);
    }
    if (step >= 2) {
      ObjectNode container = status.putArray("containerStatuses").addObject();
      container.put("name", "main").put("restartCount", 0);
      container.putObject("state").putObject("running").put("startedAt", stamp());
    }
    if (step >= 3) {
      status
          .putArray("conditions")
          .addObject()
          .put("type", "Ready")
          .put("status", "True")
          .put("lastTransitionTime", stamp());
    }
    if (step >= 4) {
      metadata.put("deletionTimestamp", stamp()).put("deletionGracePeriodSeconds", 0);
    }
    return pod;
  }

  private String stamp() {
    return Timestamps.format(now);
  }

  @Test
  @Tag("Q05")
  void aChangeTakesAtMostFiftyBytes() {
    TraceHeader header = new TraceHeader(START, "c", List.of(), Map.of(), false);
    try (TraceWriter writer = TraceWriter.create(dir.resolve("trace.gz"), header)) {
      Recording recording =
          new Recording(Anonymizer.NONE, WorkloadKind.BUILT_IN, START, writer::write);
      recording.synced(START);
      for (int owner = 0; owner < 20; owner++) {
        ObjectNode set = new ObjectMapper().createObjectNode();
        set.putObject("metadata").put("name", "web-" + owner).put("namespace", "shop");
        recording.workload(WorkloadKind.BUILT_IN.get(1), "rs" + owner, set, now);
      }
      Instant flushed = now;
      for (int i = 0; i < PODS; i++) {
        int owner = random.nextInt(20);
        String name = "web-" + owner + "-" + suffix();
        String node = "node-" + random.nextInt(100);
        String uid = new UUID(random.nextLong(), random.nextLong()).toString();
        for (int step = 0; step <= 5; step++) {
          now = now.plusMillis(1 + random.nextLong(2 * CHANGE_MILLIS));
          if (step < 5) {
            recording.pod(uid, pod(name, owner, step, node), now);
          } else {
            recording.podGone(uid, now);
          }
          if (flushed.plusMillis(FLUSH_MILLIS).isBefore(now)) {
            writer.flush();
            flushed = now;
          }
        }
      }
      recording.end(now);
      writer.flush();

      long each = writer.bytes() / recording.changes();
      assertThat(each).isPositive().isLessThanOrEqualTo(50);
      assertThat(recording.podCount()).isZero();
    }
  }
}
