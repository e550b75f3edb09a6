package dev.vertlet.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.trace.TraceReader.Tail;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceFileTest {
  private static final TraceHeader HEADER =
      new TraceHeader(
          Instant.parse("2026-01-31T12:00:00Z"),
          "c1",
          List.of("a", "b"),
          Map.of("apps/v1.Deployment", List.of("/spec/template")),
          true);
  private static final WorkloadRef WEB = new WorkloadRef("apps/v1", "Deployment", "shop", "web");
  private static final RecordedNode NODE =
      new RecordedNode(
          "n1",
          Map.of("topology.kubernetes.io/zone", "z1"),
          List.of(new RecordedNode.Taint("gpu", "", "NoSchedule")),
          Map.of("cpu", "4"),
          Map.of("cpu", "3920m", "pods", "110"),
          true);
  private static final List<TraceEvent> EVENTS =
      List.of(
          new TraceEvent.NodeAdded(0, NODE),
          new TraceEvent.WorkloadAdded(
              0, WEB, new JsonObject().put("spec", new JsonObject().put("replicas", 2))),
          new TraceEvent.NodeChanged(3, NODE),
          new TraceEvent.WorkloadScaled(5, WEB, 3),
          new TraceEvent.WorkloadChanged(6, WEB, new JsonObject().put("kind", "Deployment")),
          new TraceEvent.PodLived(7, pod("p1", WEB)),
          new TraceEvent.PodLived(7, pod("p2", new WorkloadRef("v1", "Pod", "shop", "p2"))),
          new TraceEvent.WorkloadDeleted(8, WEB),
          new TraceEvent.NodeLeft(9, "n1"),
          new TraceEvent.Gap(10, 2, 10, TraceEvent.Gap.WATCH, "pods"),
          new TraceEvent.Gap(10, 2, 10, TraceEvent.Gap.RECORDER, null),
          new TraceEvent.RecordingEnded(11));

  @TempDir Path dir;
  private Path file;

  @BeforeEach
  void file() {
    file = dir.resolve("trace.gz");
  }

  private static PodLife pod(String name, WorkloadRef owner) {
    return new PodLife(
        new PodIdentity("id-" + name, "shop", name, owner, 1, 4),
        "n1",
        new PodTimes(-5, 1L, 2L, 3L, 4L, 5L, 6L),
        new PodOutcome("Failed", "Evicted"),
        List.of(
            new ContainerLife("i", true, 0, List.of(), null),
            new ContainerLife(
                "c",
                false,
                1,
                List.of(
                    new ContainerRun(2, 3L, 137, "OOMKilled"),
                    new ContainerRun(4, null, null, null)),
                1200L)),
        new PodDemand(250, 1 << 20),
        new PodUsage(100, 200, 300, 400, 5));
  }

  private List<TraceEvent> read(Tail tail) {
    List<TraceEvent> events = new ArrayList<>();
    try (TraceReader reader = TraceReader.open(file, tail)) {
      for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
        events.add(event);
      }
    }
    return events;
  }

  private void lines(String... lines) throws IOException {
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write((String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  private void written(List<TraceEvent> events) {
    try (TraceWriter writer = TraceWriter.create(file, HEADER)) {
      events.forEach(writer::write);
    }
  }

  @Test
  void readsEveryEventAsItWasWritten() {
    written(EVENTS);
    assertThat(read(Tail.REFUSE)).isEqualTo(EVENTS);
    try (TraceReader reader = TraceReader.open(file, Tail.REFUSE)) {
      assertThat(reader.header()).isEqualTo(HEADER);
    }
  }

  @Test
  void appendsToAWholeTrace() {
    written(EVENTS.subList(0, 5));
    List<TraceEvent> seen = new ArrayList<>();
    try (TraceWriter writer = TraceWriter.append(file, seen::add)) {
      assertThat(writer.last()).isEqualTo(6);
      EVENTS.subList(5, EVENTS.size()).forEach(writer::write);
    }
    assertThat(seen).isEqualTo(EVENTS.subList(0, 5));
    assertThat(read(Tail.REFUSE)).isEqualTo(EVENTS);
  }

  @Test
  void keepsWholeLinesOfATraceThatIsCutOffAnywhere() throws IOException {
    written(EVENTS);
    byte[] whole = Files.readAllBytes(file);
    int most = 0;
    for (int size = 200; size < whole.length; size++) {
      Files.write(file, Arrays.copyOf(whole, size));
      List<TraceEvent> before;
      try (TraceReader reader = TraceReader.open(file, Tail.SKIP)) {
        before = new ArrayList<>();
        for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
          before.add(event);
        }
        assertThat(reader.cutOff()).isTrue();
      } catch (TraceException e) {
        assertThat(e).hasMessageContaining("cut off before the end of its first line");
        continue;
      }
      assertThat(before).isEqualTo(EVENTS.subList(0, before.size()));
      try (TraceWriter writer = TraceWriter.append(file, null)) {
        EVENTS.subList(before.size(), EVENTS.size()).forEach(writer::write);
      }
      assertThat(read(Tail.REFUSE)).isEqualTo(EVENTS);
      most = Math.max(most, before.size());
    }
    assertThat(most).isEqualTo(EVENTS.size());
  }

  @Test
  void whatWasFlushedSurvivesACrash() {
    TraceWriter crashed = TraceWriter.create(file, HEADER);
    EVENTS.forEach(crashed::write);
    crashed.flush();
    assertThat(read(Tail.SKIP)).isEqualTo(EVENTS);
    assertThatThrownBy(() -> read(Tail.REFUSE))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("trace.gz: line 14: is cut off");
    crashed.close();
  }

  @Test
  void neverOverwritesAFile() {
    written(List.of());
    assertThatThrownBy(() -> TraceWriter.create(file, HEADER))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("exists already");
  }

  @Test
  void refusesEventsThatGoBackInTime() {
    try (TraceWriter writer = TraceWriter.create(file, HEADER)) {
      writer.write(new TraceEvent.NodeLeft(5, "n1"));
      assertThatThrownBy(() -> writer.write(new TraceEvent.NodeLeft(4, "n1")))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void refusesANewerTraceByItsVersion() throws IOException {
    lines("{\"trace\":\"vertlet\",\"version\":2,\"started\":\"2026-01-31T12:00:00Z\"}");
    assertThatThrownBy(() -> read(Tail.SKIP))
        .hasMessage(file + ": is a trace of version 2, version 1 can be read");
  }

  @Test
  void refusesFilesThatAreNoTraces() throws IOException {
    assertThatThrownBy(() -> read(Tail.SKIP)).hasMessage(file + ": does not exist");
    Files.writeString(file, "hello hello hello");
    assertThatThrownBy(() -> read(Tail.SKIP)).hasMessageContaining("not compressed by gzip");
    lines("{\"hello\":1}");
    assertThatThrownBy(() -> read(Tail.SKIP)).hasMessageContaining("is not a trace");
    lines("hello");
    assertThatThrownBy(() -> read(Tail.SKIP)).hasMessageContaining("its first line is not JSON");
    Files.write(file, new byte[0]);
    assertThatThrownBy(() -> read(Tail.SKIP)).hasMessageContaining("cut off");
  }

  @Test
  void namesLineAndFieldOfABrokenRecord() throws IOException {
    String header = TraceJson.of(HEADER).encode();
    lines(header, "{\"t\":0,\"type\":\"node-left\"}");
    assertThatThrownBy(() -> read(Tail.SKIP))
        .hasMessage(file + ": line 2: field name is missing, a string is required");
    lines(header, "{\"t\":0,\"type\":\"flood\"}");
    assertThatThrownBy(() -> read(Tail.SKIP))
        .hasMessageContaining("line 2: field type is flood, one of node-added, ");
    lines(header, "{\"t\":-1,\"type\":\"end\"}");
    assertThatThrownBy(() -> read(Tail.SKIP))
        .hasMessageContaining("line 2: field t is -1, 0 or more is allowed");
    lines(header, "{\"t\":5,\"type\":\"end\"}", "{\"t\":4,\"type\":\"end\"}");
    assertThatThrownBy(() -> read(Tail.SKIP))
        .hasMessageContaining("line 3: field t is 4, less than 5 before");
    lines(
        header,
        "{\"t\":0,\"type\":\"pod\",\"id\":\"x\",\"namespace\":\"a\",\"name\":\"b\","
            + "\"template\":0,\"created\":0,\"phase\":\"Running\",\"containers\":[{\"name\":7}]}");
    assertThatThrownBy(() -> read(Tail.SKIP))
        .hasMessageContaining("line 2: field containers[0].name is 7, a string is allowed");
    lines(header, "{not json");
    assertThatThrownBy(() -> read(Tail.SKIP)).hasMessageContaining("line 2: is not JSON");
  }

  @Test
  void refusesDamagedCompression() throws IOException {
    written(EVENTS);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 8] ^= 1;
    Files.write(file, bytes);
    assertThatThrownBy(() -> read(Tail.SKIP))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("is damaged");
  }
}
