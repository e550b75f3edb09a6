package dev.vertlet.trace.tool;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.cli.Cli;
import dev.vertlet.trace.PodDemand;
import dev.vertlet.trace.PodIdentity;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.PodOutcome;
import dev.vertlet.trace.PodTimes;
import dev.vertlet.trace.RecordedNode;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceEvent.Gap;
import dev.vertlet.trace.TraceEvent.NodeAdded;
import dev.vertlet.trace.TraceEvent.NodeLeft;
import dev.vertlet.trace.TraceEvent.PodLived;
import dev.vertlet.trace.TraceEvent.RecordingEnded;
import dev.vertlet.trace.TraceEvent.WorkloadAdded;
import dev.vertlet.trace.TraceEvent.WorkloadDeleted;
import dev.vertlet.trace.TraceEvent.WorkloadScaled;
import dev.vertlet.trace.TraceHeader;
import dev.vertlet.trace.TraceReader;
import dev.vertlet.trace.TraceReader.Tail;
import dev.vertlet.trace.TraceWriter;
import dev.vertlet.trace.WorkloadRef;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TraceCommandTest {
  private static final WorkloadRef WEB = new WorkloadRef("apps/v1", "Deployment", "shop", "web");
  private static final WorkloadRef OLD = new WorkloadRef("apps/v1", "Deployment", "shop", "old");
  private static final WorkloadRef BARE = new WorkloadRef("v1", "Pod", "shop", "bare");

  @TempDir Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private Path file;

  @BeforeEach
  void write() {
    file = dir.resolve("trace.gz");
    TraceHeader header = new TraceHeader(Instant.EPOCH, "c", List.of(), Map.of(), false);
    try (TraceWriter writer = TraceWriter.create(file, header)) {
      for (TraceEvent event :
          List.of(
              new NodeAdded(0, node("n1")),
              new NodeAdded(0, node("n2")),
              new WorkloadAdded(0, WEB, object("Deployment", "web")),
              new WorkloadAdded(0, OLD, object("Deployment", "old")),
              new WorkloadAdded(0, BARE, object("Pod", "bare")),
              new WorkloadDeleted(1000, OLD),
              new WorkloadScaled(2000, WEB, 3),
              pod(
                  3000,
                  "early",
                  WEB,
                  new PodTimes(-9000, -8000L, -7000L, null, 2500L, null, 3000L)),
              pod(5000, "a", WEB, new PodTimes(1000, 2000L, 4000L, 5000L, null, null, null)),
              new NodeLeft(6000, "n2"),
              new Gap(7000, 6500, 7000, Gap.RECORDER, null),
              pod(9000, "a", WEB, new PodTimes(1000, 2000L, 4000L, 5000L, 9000L, null, null)),
              pod(9500, "bare", BARE, new PodTimes(0, 1000L, 2000L, 2000L, null, null, null)),
              pod(9600, "late", WEB, new PodTimes(9000, null, null, null, null, null, null)),
              new RecordingEnded(10_000))) {
        writer.write(event);
      }
    }
  }

  private static RecordedNode node(String name) {
    return new RecordedNode(
        name,
        Map.of("kubernetes.io/hostname", name),
        List.of(),
        Map.of("cpu", "4"),
        Map.of("cpu", "4", "memory", "8Gi"),
        false);
  }

  private static JsonObject object(String kind, String name) {
    return new JsonObject()
        .put("kind", kind)
        .put("metadata", new JsonObject().put("name", name))
        .put("spec", new JsonObject().put("replicas", 1));
  }

  private static TraceEvent pod(long at, String name, WorkloadRef owner, PodTimes times) {
    return new PodLived(
        at,
        new PodLife(
            new PodIdentity("id-" + name, "shop", name, owner, 0, null),
            times.scheduled() == null ? null : "n1",
            times,
            new PodOutcome(times.ended() == null ? "Running" : "Failed", null),
            List.of(),
            new PodDemand(500, 1L << 30),
            null));
  }

  private int run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("trace"));
    all.addAll(Arrays.asList(arguments));
    CommandLine root = new CommandLine(new Root()).addSubcommand(new TraceCommand());
    root.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return Cli.run(root, all.toArray(String[]::new));
  }

  @CommandLine.Command(name = "vertlet")
  private static final class Root {}

  private static List<TraceEvent> read(Path file) {
    List<TraceEvent> events = new ArrayList<>();
    try (TraceReader reader = TraceReader.open(file, Tail.REFUSE)) {
      for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
        events.add(event);
      }
    }
    return events;
  }

  private static @Nullable PodLife last(List<TraceEvent> events, String name) {
    PodLife found = null;
    for (TraceEvent event : events) {
      if (event instanceof PodLived lived && lived.life().identity().name().equals(name)) {
        found = lived.life();
      }
    }
    return found;
  }

  @Test
  void showsALineForEachEvent() {
    assertThat(run("show", file.toString())).isZero();
    assertThat(out.toString().lines())
        .hasSize(16)
        .contains(
            " 00:00.000  node n1 (cpu 4, memory 8Gi) joins",
            " 00:02.000  Deployment shop/web is scaled to 3",
            " 00:07.000  gap from 00:06.500 to 00:07.000 (recorder)");
    assertThat(out.toString())
        .contains("pod shop/a of Deployment web: Failed on n1; created 00:01.000");
  }

  @Test
  void showsJson() {
    assertThat(run("show", file.toString(), "-o", "json")).isZero();
    assertThat(out.toString().lines().map(JsonObject::new).map(line -> line.getString("type")))
        .startsWith(null, "node-added")
        .endsWith("end");
  }

  @Test
  void countsPodsOnceAndTheirTimes() {
    assertThat(run("stats", file.toString(), "-o", "json")).isZero();
    JsonObject stats = new JsonObject(out.toString());
    assertThat(stats.getLong("millis")).isEqualTo(10_000);
    assertThat(stats.getJsonObject("pods").getInteger("count")).isEqualTo(4);
    assertThat(stats.getJsonObject("pods").getInteger("neverScheduled")).isEqualTo(1);
    assertThat(stats.getJsonObject("pendingMillis").getInteger("count")).isEqualTo(3);
    assertThat(stats.getJsonObject("pendingMillis").getLong("p50")).isEqualTo(1000);
    assertThat(stats.getJsonObject("runMillis").getLong("max")).isEqualTo(9500);
    assertThat(stats.getJsonObject("peak").getInteger("pods")).isEqualTo(3);
    assertThat(stats.getJsonObject("peak").getLong("cpuMillis")).isEqualTo(1500);
    assertThat(stats.getJsonObject("nodes").getInteger("peak")).isEqualTo(2);
    assertThat(stats.getJsonArray("gaps")).hasSize(1);
    assertThat(run("stats", file.toString())).isZero();
    assertThat(out.toString()).contains("peak      3 pods on nodes");
  }

  @Test
  void cutsATimeOutOfATrace() {
    Path part = dir.resolve("part.gz");
    assertThat(run("cut", file.toString(), "--from", "4s", "--to", "8s", "--out", part.toString()))
        .isZero();
    List<TraceEvent> events = read(part);
    assertThat(events)
        .filteredOn(WorkloadAdded.class::isInstance)
        .extracting(event -> ((WorkloadAdded) event).workload().name())
        .containsExactly("web", "bare");
    WorkloadAdded web = (WorkloadAdded) events.get(2);
    assertThat(web.object().getJsonObject("spec").getInteger("replicas")).isEqualTo(3);
    assertThat(events)
        .contains(new NodeLeft(2000, "n2"), new Gap(3000, 2500, 3000, Gap.RECORDER, null));
    PodLife a = requireNonNull(last(events, "a"));
    assertThat(a.times()).isEqualTo(new PodTimes(-3000, -2000L, 0L, 1000L, null, null, null));
    assertThat(a.outcome().phase()).isEqualTo("Running");
    assertThat(last(events, "early")).isNull();
    assertThat(last(events, "late")).isNull();
    assertThat(events.get(events.size() - 1)).isEqualTo(new RecordingEnded(4000));
  }

  @Test
  void scalesNodesReplicasAndPods() {
    Path larger = dir.resolve("larger.gz");
    assertThat(run("scale", file.toString(), "--factor", "2", "--out", larger.toString())).isZero();
    List<TraceEvent> events = read(larger);
    assertThat(events)
        .filteredOn(NodeAdded.class::isInstance)
        .extracting(event -> ((NodeAdded) event).node().labels().get("kubernetes.io/hostname"))
        .containsExactly("n1", "n1-x1", "n2", "n2-x1");
    assertThat(events).contains(new WorkloadScaled(2000, WEB, 6), new NodeLeft(6000, "n2-x1"));
    assertThat(events)
        .filteredOn(WorkloadAdded.class::isInstance)
        .extracting(event -> ((WorkloadAdded) event).workload().name())
        .containsExactly("web", "old", "bare", "bare-x1");
    PodLife copy = requireNonNull(last(events, "a-x1"));
    assertThat(copy.node()).isEqualTo("n1-x1");
    assertThat(copy.identity().owner()).isEqualTo(WEB);
    PodLife bare = requireNonNull(last(events, "bare-x1"));
    assertThat(bare.identity().owner().name()).isEqualTo("bare-x1");
  }

  @Test
  void copiesEveryOtherPodWithAFactorOfOneAndAHalf() {
    Path larger = dir.resolve("larger.gz");
    assertThat(run("scale", file.toString(), "--factor", "1.5", "--out", larger.toString()))
        .isZero();
    assertThat(read(larger))
        .filteredOn(NodeAdded.class::isInstance)
        .extracting(event -> ((NodeAdded) event).node().name())
        .containsExactly("n1", "n2", "n2-x1");
  }

  @Test
  void namesWhatIsNotAllowed() throws IOException {
    assertThat(run("scale", file.toString(), "--factor", "0.5", "--out", "x")).isEqualTo(2);
    assertThat(err.toString()).contains("--factor: 0.5 must be from 1 to 100");
    assertThat(run("cut", file.toString(), "--from", "1h", "--out", "x")).isEqualTo(2);
    assertThat(err.toString()).contains("is after the end of the trace, 00:10.000");
    assertThat(run("cut", file.toString(), "--from", "2s", "--to", "1s", "--out", "x"))
        .isEqualTo(2);
    assertThat(run("scale", file.toString(), "--factor", "2", "--out", file.toString()))
        .isEqualTo(1);
    assertThat(err.toString()).contains("exists already");

    byte[] whole = Files.readAllBytes(file);
    Path cut = Files.write(dir.resolve("cut.gz"), Arrays.copyOf(whole, whole.length - 20));
    Path part = dir.resolve("part.gz");
    assertThat(run("cut", cut.toString(), "--out", part.toString())).isEqualTo(1);
    assertThat(err.toString()).contains("is cut off");
    assertThat(part).doesNotExist();
    assertThat(run("cut", "--cut-off", cut.toString(), "--out", part.toString())).isZero();
    assertThat(read(part)).isNotEmpty();
  }
}
