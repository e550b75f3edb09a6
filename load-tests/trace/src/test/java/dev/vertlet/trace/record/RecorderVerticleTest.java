package dev.vertlet.trace.record;

import static dev.vertlet.testsupport.Waits.eventually;
import static dev.vertlet.testsupport.Waits.get;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.apiserver.fault.Fault;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.trace.PodLife;
import dev.vertlet.trace.TraceEvent;
import dev.vertlet.trace.TraceEvent.Gap;
import dev.vertlet.trace.TraceEvent.NodeAdded;
import dev.vertlet.trace.TraceEvent.NodeLeft;
import dev.vertlet.trace.TraceEvent.PodLived;
import dev.vertlet.trace.TraceEvent.WorkloadAdded;
import dev.vertlet.trace.TraceEvent.WorkloadDeleted;
import dev.vertlet.trace.TraceException;
import dev.vertlet.trace.TraceReader;
import dev.vertlet.trace.TraceReader.Tail;
import dev.vertlet.trace.record.sanitize.WorkloadKind;
import io.vertx.core.Vertx;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole recorder on the embedded API server. */
class RecorderVerticleTest {
  @TempDir private Path dir;
  private final Vertx vertx = Vertx.vertx();
  private EmbeddedApiServer server;
  private Path file;

  @BeforeEach
  void start() {
    server = get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    file = dir.resolve("trace.gz");
  }

  @AfterEach
  void stop() {
    get(vertx.close());
  }

  private RecordOptions options() {
    return new RecordOptions(file, List.of(), List.of(), false);
  }

  private Recorder record(RecordOptions options) {
    Recorder recorder =
        Recorder.start(Vertx.vertx(), ApiAccess.of(server.url(), server.token()), options);
    get(recorder.listed());
    return recorder;
  }

  private void pod(String name) {
    ObjectNode pod = Manifests.pod(name, "n1");
    ObjectNode spec = (ObjectNode) pod.path("spec");
    ObjectNode container = (ObjectNode) spec.path("containers").path(0);
    container.putArray("env").addObject().put("name", "TOKEN").put("value", "SECRET");
    container.putArray("args").add("SECRET");
    ((ObjectNode) pod.path("metadata")).putObject("annotations").put("note", "SECRET");
    get(server.objects().create("pods", pod));
  }

  private List<TraceEvent> events() {
    List<TraceEvent> events = new ArrayList<>();
    try (TraceReader reader = TraceReader.open(file, Tail.REFUSE)) {
      for (TraceEvent event = reader.next(); event != null; event = reader.next()) {
        events.add(event);
      }
    }
    return events;
  }

  private static Map<String, PodLife> lives(List<TraceEvent> events) {
    return events.stream()
        .filter(PodLived.class::isInstance)
        .map(event -> ((PodLived) event).life())
        .collect(Collectors.toMap(life -> life.identity().name(), life -> life, (a, b) -> b));
  }

  private static void seen(Recorder recorder, int nodes, int pods) {
    eventually(
        () -> {
          assertThat(recorder.summary().nodes()).isEqualTo(nodes);
          assertThat(recorder.summary().pods()).isEqualTo(pods);
        });
  }

  @Test
  @Tag("Q04")
  void recordsNodesAndPodsWithoutTheirSecrets() throws Exception {
    get(server.objects().create("nodes", Manifests.node("n1")));
    pod("before");
    try (Recorder recorder = record(options())) {
      pod("during");
      get(server.objects().create("nodes", Manifests.node("n2")));
      seen(recorder, 2, 2);
      get(server.objects().deleteNow("pods", "default", "before"));
      get(server.objects().deleteNow("nodes", "", "n2"));
      seen(recorder, 1, 1);
    }

    List<TraceEvent> events = events();
    assertThat(events).filteredOn(NodeAdded.class::isInstance).hasSize(2);
    assertThat(events)
        .filteredOn(NodeLeft.class::isInstance)
        .extracting(event -> ((NodeLeft) event).name())
        .containsExactly("n2");
    assertThat(events)
        .filteredOn(WorkloadAdded.class::isInstance)
        .extracting(event -> ((WorkloadAdded) event).workload().name())
        .containsExactly("before", "during");
    assertThat(events)
        .filteredOn(WorkloadDeleted.class::isInstance)
        .extracting(event -> ((WorkloadDeleted) event).workload().name())
        .containsExactly("before");
    Map<String, PodLife> lives = lives(events);
    assertThat(requireNonNull(lives.get("before")).times().gone()).isNotNull();
    assertThat(requireNonNull(lives.get("during")).times().gone()).isNull();
    assertThat(requireNonNull(lives.get("during")).node()).isEqualTo("n1");
    try (var in = new java.util.zip.GZIPInputStream(Files.newInputStream(file))) {
      assertThat(new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
          .doesNotContain("SECRET")
          .doesNotContain("TOKEN");
    }
  }

  @Test
  void continuesATraceOfTheSameClusterWithoutDoublingAnything() {
    get(server.objects().create("nodes", Manifests.node("n1")));
    pod("stays");
    pod("goes");
    record(options()).close();
    get(server.objects().deleteNow("pods", "default", "goes"));
    pod("comes");
    record(options()).close();

    List<TraceEvent> events = events();
    assertThat(events)
        .filteredOn(WorkloadAdded.class::isInstance)
        .extracting(event -> ((WorkloadAdded) event).workload().name())
        .containsExactlyInAnyOrder("stays", "goes", "comes");
    assertThat(events).filteredOn(NodeAdded.class::isInstance).hasSize(1);
    assertThat(events)
        .filteredOn(Gap.class::isInstance)
        .singleElement()
        .extracting(event -> ((Gap) event).cause())
        .isEqualTo(Gap.RECORDER);
    assertThat(requireNonNull(lives(events).get("goes")).times().gone()).isNotNull();
  }

  @Test
  void tellsTheGapOfAWatchThatHadToBeListedAnew() throws Exception {
    try (Recorder recorder = record(options())) {
      Fault closed = server.faults().on("watch", "pods").respond(500, "InternalError");
      get(server.cutWatches());
      eventually(() -> assertThat(closed.hits()).isPositive());
      pod("unseen");
      get(server.expireWatchWindow());
      closed.lift();
      seen(recorder, 0, 1);
    }
    assertThat(events())
        .filteredOn(Gap.class::isInstance)
        .extracting(event -> ((Gap) event).resource())
        .contains("pods");
    assertThat(lives(events())).containsKey("unseen");
  }

  @Test
  @Tag("Q03")
  void tellsATimeInWhichTheApiServerWasAway() throws Exception {
    try (Recorder recorder = record(options())) {
      get(server.suspend());
      // the recorder looks every second whether the server answers
      eventually(() -> assertThat(recorder.outage()).isTrue());
      get(server.resume());
      pod("after");
      seen(recorder, 0, 1);
      eventually(() -> assertThat(recorder.outage()).isFalse());
    }

    assertThat(events())
        .filteredOn(event -> event instanceof Gap gap && gap.cause().equals(Gap.SERVER))
        .singleElement()
        .satisfies(event -> assertThat(((Gap) event).resource()).isNull());
    assertThat(lives(events())).containsKey("after");
  }

  @Test
  void anApiServerThatIsAwayAtTheEndIsAGap() throws Exception {
    try (Recorder recorder = record(options())) {
      get(server.suspend());
      eventually(() -> assertThat(recorder.outage()).isTrue());
    }

    List<TraceEvent> events = events();
    assertThat(events)
        .filteredOn(event -> event instanceof Gap gap && gap.cause().equals(Gap.SERVER))
        .hasSize(1);
    assertThat(events.get(events.size() - 1)).isInstanceOf(TraceEvent.RecordingEnded.class);
  }

  @Test
  void aClusterThatRefusesLeavesNoFile() {
    server.faults().on("create", "selfsubjectaccessreviews").respond(403, "Forbidden");

    assertThatThrownBy(() -> record(options())).hasMessageContaining("selfsubjectaccessreviews");
    assertThat(file).doesNotExist();
  }

  @Test
  void namesTheKindsThatTheClusterLacksInOneLine() {
    try (Recorder recorder = record(options())) {
      assertThat(recorder.notes())
          .filteredOn(note -> note.contains("does not have"))
          .singleElement()
          .asString()
          .contains("apps/v1.Deployment, ", "batch/v1.Job");
    }
  }

  @Test
  void neverWritesIntoAnythingElse() throws Exception {
    Files.writeString(file, "precious");
    assertThatThrownBy(() -> record(options()))
        .isInstanceOf(TraceException.class)
        .hasMessageContaining("not compressed by gzip");
    assertThat(file).hasContent("precious");

    Files.delete(file);
    record(options()).close();
    byte[] trace = Files.readAllBytes(file);
    RecordOptions others = new RecordOptions(file, List.of("shop"), List.of(), false);
    assertThatThrownBy(() -> record(others)).hasMessageContaining("with other --namespaces: []");
    RecordOptions anonymous = new RecordOptions(file, List.of(), List.of(), true);
    assertThatThrownBy(() -> record(anonymous)).hasMessageContaining("trace.gz.key");
    EmbeddedApiServer other =
        get(EmbeddedApiServer.start(vertx, ApiServerOptions.defaults().withPlainHttp()));
    ApiAccess elsewhere = ApiAccess.of(other.url(), other.token());
    assertThatThrownBy(() -> Recorder.start(Vertx.vertx(), elsewhere, options()))
        .hasMessageContaining("is a trace of another cluster");
    assertThat(Files.readAllBytes(file)).isEqualTo(trace);
  }

  @Test
  void twoRecordersDoNotShareAFile() {
    try (Recorder first = record(options())) {
      assertThat(first.continued()).isFalse();
      assertThatThrownBy(() -> record(options()))
          .hasMessageContaining("another recorder writes to it");
    }
  }

  @Test
  @Tag("Q04")
  void anonymizedTracesKeepTheirNamesWhenTheyAreContinued() {
    RecordOptions anonymous = new RecordOptions(file, List.of(), List.of(), true);
    get(server.objects().create("nodes", Manifests.node("n1")));
    pod("original");
    record(anonymous).close();
    record(anonymous).close();
    List<TraceEvent> events = events();
    assertThat(events).filteredOn(WorkloadAdded.class::isInstance).hasSize(1);
    assertThat(events.toString()).doesNotContain("original");
    assertThat(RecordFile.keyFile(file)).exists();
  }

  @Test
  void refusesNamedKindsThatTheClusterLacks() {
    RecordOptions custom =
        new RecordOptions(
            file,
            List.of(),
            WorkloadKind.parse(List.of("a.example/v1.Thing=/spec/template")),
            false);
    assertThatThrownBy(() -> record(custom))
        .isInstanceOf(RecordException.class)
        .hasMessage("--kinds: the cluster does not have a.example/v1.Thing");
    assertThat(file).doesNotExist();
  }
}
