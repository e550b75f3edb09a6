package dev.vertlet.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.container.EnvironmentView.Variable;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.node.NodeAddressView;
import dev.vertlet.model.node.TaintView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.ProviderSettings;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.content.ContentFile;
import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.remote.client.RemoteMeters;
import dev.vertlet.remote.client.RemoteSettings;
import dev.vertlet.testsupport.Waits;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The provider against a back end with faults. */
class RemotePodsVerticleTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Map<String, JsonObject> api = new ConcurrentHashMap<>();
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
  private ScriptedBackend backend;

  @SuppressWarnings("NullAway.Init") // set by startProvider
  private RecordingContext context;

  @SuppressWarnings("NullAway.Init") // set by startProvider
  private RemotePods provider;

  @TempDir Path directory;

  @BeforeEach
  void startBackend() {
    backend = ScriptedBackend.start(vertx);
  }

  @AfterEach
  void everythingKeptTheContract() {
    if (provider != null) {
      on(provider::stop);
    }
    Waits.get(vertx.close());
    assertThat(backend.violations()).isEmpty();
  }

  private JsonObject settings() {
    return new JsonObject()
        .put("url", backend.url())
        .put("callTimeout", "30s")
        .put("heartbeat", "10s");
  }

  private void startProvider() {
    startProvider(settings());
  }

  private void startProvider(JsonObject settings) {
    provider = on(() -> Future.succeededFuture(new RemotePods(setup(), read(settings), meters())));
    context = new RecordingContext(vertx, api);
    on(() -> provider.start(context));
  }

  private RemoteMeters meters() {
    return new RemoteMeters(metrics);
  }

  private static RemoteSettings read(JsonObject settings) {
    return RemoteSettings.read(ProviderSettings.of(settings));
  }

  private ProviderSetup setup() {
    NodeSpec node =
        new NodeSpec(
            TestPods.NODE,
            Map.of("configured", "yes"),
            Map.of(),
            List.of(),
            Map.of("cpu", "8", "memory", "16Gi", "pods", "110"),
            Map.of("cpu", "8", "memory", "16Gi", "pods", "110"),
            List.of(new NodeAddressView("InternalIP", "192.0.2.1")),
            Map.of(),
            "");
    return new ProviderSetup(
        vertx,
        Clock.systemUTC(),
        new SplittableRandom(1),
        metrics,
        ProviderSettings.NONE,
        List.of(node),
        directory.resolve("pods"));
  }

  private <T> T on(Supplier<Future<T>> call) {
    return Waits.get(begin(call));
  }

  private <T> Future<T> begin(Supplier<Future<T>> call) {
    Promise<T> answer = Promise.promise();
    loop.runOnContext(v -> call.get().onComplete(answer));
    return answer.future();
  }

  private PodView pod(String name, String restartPolicy) {
    JsonObject json = TestPods.pod(name, restartPolicy);
    PodView view = TestPods.view(json);
    api.put(view.uid(), json);
    return view;
  }

  private PodView pod(String name) {
    return pod(name, "Always");
  }

  private PodReport awaitPhase(PodView pod, PodPhase phase) {
    Waits.eventually(
        () ->
            assertThat(context.last(pod.uid()))
                .isNotNull()
                .matches(report -> report.status().phase() == phase, "is " + phase));
    return Objects.requireNonNull(context.last(pod.uid()));
  }

  private void awaitFinished(PodView pod) {
    Waits.eventually(
        () -> assertThat(context.last(pod.uid())).isNotNull().matches(PodReport::finished));
  }

  private List<PodView> running(int count, String policy) {
    List<PodView> pods = IntStream.range(0, count).mapToObj(i -> pod(policy + i, policy)).toList();
    on(() -> Future.all(pods.stream().map(provider::create).toList()));
    pods.forEach(pod -> awaitPhase(pod, PodPhase.RUNNING));
    return pods;
  }

  /** A request that is answered later. */
  private record Put(HttpServerRequest request, Buffer body) {}

  private static <T> T of(Map<String, T> all, String key) {
    return Objects.requireNonNull(all.get(key), key);
  }

  private static void refuse(HttpServerRequest request, int status, String body) {
    request.response().setStatusCode(status).end(body);
  }

  @Test
  void aDeletionWaitsForTheAnswerOfTheCreate() throws InterruptedException {
    startProvider();
    PodView pod = pod("a");
    BlockingQueue<Put> held = new LinkedBlockingQueue<>();
    backend.fault("PUT", (r, body) -> held.add(new Put(r, body)));
    Future<Void> created = begin(() -> provider.create(pod));
    Put put = Waits.take(held);

    Future<Void> deleted = begin(() -> provider.delete(pod, GRACE));
    backend.fault("PUT", null);
    assertThat(backend.calls("DELETE")).isZero();
    backend.answer(put.request, put.body);

    Waits.get(created);
    Waits.get(deleted);
    awaitFinished(pod);
    assertThat(backend.calls("DELETE")).isEqualTo(1);
    on(() -> provider.kill(pod.ref()));
    assertThat(backend.held()).isEmpty();
  }

  @Test
  void theNewestGenerationWinsWhateverTheOrderOfAnswers() throws InterruptedException {
    startProvider(settings().put("callTimeout", "3s"));
    PodView first = pod("a");
    JsonObject newer = TestPods.pod("a", "Always");
    newer
        .getJsonObject("metadata")
        .put("resourceVersion", "11")
        .put("labels", new JsonObject().put("x", "y"));
    PodView second = TestPods.view(newer);
    BlockingQueue<Put> held = new LinkedBlockingQueue<>();
    backend.fault("PUT", (r, body) -> held.add(new Put(r, body)));
    Future<Void> created = begin(() -> provider.create(first));
    Put late = Waits.take(held);
    // its limit is over, and the pod is sent again
    assertThatThrownBy(() -> Waits.get(created)).hasMessageContaining("no answer within");
    backend.fault("PUT", null);
    api.put(second.uid(), newer);

    on(() -> provider.create(second));
    backend.fault("PUT", (r, body) -> held.add(new Put(r, body)));
    backend.answer(late.request, late.body);

    awaitPhase(first, PodPhase.RUNNING);
    assertThat(backend.held()).containsExactly(first.uid());
    assertThat(backend.starts(first.uid())).isEqualTo(1);
    assertThat(on(() -> provider.list())).hasSize(1);
    assertThat(backend.puts())
        .extracting(put -> put.getLong("generation"))
        .containsExactly(11L, 10L);
  }

  @Test
  void aStreamThatBreaksOffLosesAndRepeatsNothing() {
    backend.cutAfter(10);
    startProvider();

    List<PodView> pods = running(500, "Always");
    on(() -> Future.all(pods.stream().map(pod -> provider.delete(pod, GRACE)).toList()));

    pods.forEach(this::awaitFinished);
    for (PodView pod : pods) {
      List<PodReport> reports = context.reports(pod.uid());
      assertThat(backend.starts(pod.uid())).isEqualTo(1);
      for (int i = 1; i < reports.size(); i++) {
        assertThat(reports.get(i)).isNotEqualTo(reports.get(i - 1));
      }
      assertThat(reports)
          .extracting(r -> r.status().phase())
          .containsExactly(PodPhase.RUNNING, PodPhase.SUCCEEDED);
    }
    assertThat(backend.calls("GET /v1/pods")).as("lists").isEqualTo(1);
  }

  @Test
  void aBackEndThatRestartsEmptyGetsItsPodsOnceMore() {
    startProvider();
    List<PodView> always = running(50, "Always");
    List<PodView> never = running(50, "Never");
    int puts = backend.puts().size();

    backend.restartEmpty();

    never.forEach(pod -> awaitPhase(pod, PodPhase.FAILED));
    for (PodView pod : always) {
      Waits.eventually(
          () ->
              assertThat(context.last(pod.uid()))
                  .isNotNull()
                  .matches(r -> r.status().phase() == PodPhase.RUNNING)
                  .matches(r -> r.status().containerStatuses().get(0).restartCount() == 1));
      assertThat(backend.starts(pod.uid())).isEqualTo(2);
    }
    assertThat(never)
        .allSatisfy(
            pod -> {
              PodReport last = Objects.requireNonNull(context.last(pod.uid()));
              assertThat(last.status().reason()).isEqualTo("NotFound");
              assertThat(last.finished()).isTrue();
              assertThat(backend.starts(pod.uid())).isEqualTo(1);
            });
    assertThat(backend.puts()).hasSize(puts + 50);
    assertThat(metrics.get("vertlet_remote_lost_pods_total").counter().count()).isEqualTo(100);
  }

  @Test
  void aPodThatTheBackEndFailsForHarmsNoOther() {
    startProvider(settings().put("callTimeout", "5s"));
    Map<String, PodView> bad = Map.of("five", pod("five"), "hang", pod("hang"), "odd", pod("odd"));
    backend.fault(
        "PUT /v1/pods/uid-five",
        (r, body) -> refuse(r, 500, "{\"message\": \"the disk is full\"}"));
    backend.fault("PUT /v1/pods/uid-hang", (r, body) -> {});
    backend.fault("PUT /v1/pods/uid-odd", (r, body) -> refuse(r, 200, "{\"uid\": 7}"));

    Map<String, Future<Void>> answers = new ConcurrentHashMap<>();
    bad.forEach((name, pod) -> answers.put(name, begin(() -> provider.create(pod))));
    running(20, "Always");

    assertThatThrownBy(() -> Waits.get(of(answers, "five")))
        .hasMessage("PUT /v1/pods/uid-five: 500: the disk is full")
        .matches(e -> ProviderException.kindOf(e) == ProviderException.Kind.TEMPORARY);
    assertThatThrownBy(() -> Waits.get(of(answers, "hang")))
        .hasMessage("PUT /v1/pods/uid-hang: no answer within 5000 ms");
    assertThatThrownBy(() -> Waits.get(of(answers, "odd")))
        .hasMessage("PUT /v1/pods/uid-odd: /uid: 7 must be uid-odd");
  }

  @Test
  void aStateThatMakesNoSenseIsToldOfItsPodAlone() {
    startProvider();
    PodView pod = pod("a");
    PodView other = pod("b");
    on(() -> provider.create(pod));
    on(() -> provider.create(other));

    backend.say(
        "{\"type\":\"pod\",\"cursor\":\"1000001\",\"pod\":{\"uid\":\"uid-a\",\"namespace\":\"default\","
            + "\"name\":\"a\",\"node\":\"node-a\",\"generation\":1,\"revision\":2000000,"
            + "\"status\":{\"phase\":\"Flying\"}}}");
    backend.end(other.uid(), 0);

    awaitPhase(other, PodPhase.SUCCEEDED);
    assertThat(context.events())
        .singleElement()
        .matches(event -> event.uid().equals("uid-a") && event.reason().equals("InvalidStatus"))
        .matches(
            event ->
                event
                    .message()
                    .contains(
                        "/status/phase: \"Flying\" must be one of Pending, Running, Succeeded,"
                            + " Failed"));
    assertThat(Objects.requireNonNull(context.last(pod.uid())).status().phase())
        .isEqualTo(PodPhase.RUNNING);
  }

  @Test
  void aRefusalIsForGood() {
    startProvider();
    PodView pod = pod("a");
    backend.fault(
        "PUT",
        (r, body) -> refuse(r, 422, "{\"reason\": \"NoGpu\", \"message\": \"there is no GPU\"}"));

    assertThatThrownBy(() -> on(() -> provider.create(pod)))
        .matches(e -> ProviderException.kindOf(e) == ProviderException.Kind.INVALID)
        .matches(e -> ProviderException.reasonOf(e, "").equals("NoGpu"));
  }

  @Test
  void aConflictIsContentmentOnlyWithTheSamePod() {
    startProvider();
    PodView there = pod("a");
    PodView missing = pod("b");
    PodView other = pod("c");
    String conflict = "{\"reason\": \"NameTaken\", \"message\": \"the name is taken\"}";
    backend.fault("PUT", (r, body) -> refuse(r, 409, conflict));
    JsonObject newer = TestPods.state(there, 2_000_000, "Running");
    backend.fault("GET /v1/pods/uid-a", (r, body) -> refuse(r, 200, newer.encode()));
    backend.fault("GET /v1/pods/uid-b", (r, body) -> refuse(r, 404, "{\"reason\": \"NotFound\"}"));
    backend.fault("GET /v1/pods/uid-c", (r, body) -> refuse(r, 200, newer.encode()));

    on(() -> provider.create(there));
    awaitPhase(there, PodPhase.RUNNING);

    assertThatThrownBy(() -> on(() -> provider.create(missing)))
        .hasMessage("PUT /v1/pods/uid-b: 409: the name is taken")
        .matches(e -> ProviderException.kindOf(e) == ProviderException.Kind.TEMPORARY)
        .matches(e -> ProviderException.reasonOf(e, "").equals("NameTaken"));
    assertThatThrownBy(() -> on(() -> provider.create(other)))
        .hasMessage("GET /v1/pods/uid-c: /uid: \"uid-a\" must be uid-c");
  }

  @Test
  void aListWithoutAnEndIsGivenUp() {
    AtomicInteger pages = new AtomicInteger();
    JsonObject page = new JsonObject().put("cursor", "1").put("x", "y".repeat(900));
    backend.fault(
        "GET /v1/pods",
        (r, body) -> {
          page.put("pods", new JsonArray())
              .put("continue", String.valueOf(pages.getAndIncrement()));
          refuse(r, 200, page.encode());
        });

    startProvider(settings().put("maxAnswerBytes", 1024));

    assertThat(health())
        .contains("GET /v1/pods: the pages of the list are larger than 16384 bytes together");
  }

  @Test
  void aListThatContinuesWithTheSamePageIsGivenUp() {
    backend.fault(
        "GET /v1/pods",
        (r, body) -> refuse(r, 200, "{\"cursor\": \"1\", \"pods\": [], \"continue\": \"again\"}"));

    startProvider();

    assertThat(health())
        .contains("GET /v1/pods: /continue: \"again\" must be another page than the last");
    assertThat(backend.calls("GET /v1/pods")).isLessThan(10);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"cursor\": \"1\"}|/pods: is missing; must be an array",
        "{\"cursor\": \"1\", \"pods\": {}}|/pods: {} must be an array",
        "{\"cursor\": 1, \"pods\": []}|/cursor: 1 must be a text",
        "{\"cursor\": \"1\", \"pods\": [], \"continue\": 2}|/continue: 2 must be a text",
        "{\"cursor\": \"1\", \"pods\": [7]}|/pods/0: 7 must be an object",
        "{\"cursor\": \"1\", \"pods\": [{\"uid\": 7}]}|/pods/0/uid: 7 must be a text",
        "{\"cursor\": \"1\", \"pods\": [{}]}|/pods/0/uid: is missing; must be a text"
      })
  void aListThatMakesNoSenseIsNamedByPointer(String answer, String problem) {
    backend.fault("GET /v1/pods", (r, body) -> refuse(r, 200, answer));

    startProvider();

    assertThat(health()).endsWith("GET /v1/pods: " + problem);
  }

  @Test
  void aReplacedTokenIsReadAgainAndTheCallRepeatedOnce() throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "first\n");
    List<String> sent = new CopyOnWriteArrayList<>();
    startProvider(settings().put("tokenFile", token.toString()));
    PodView pod = pod("a");
    backend.fault(
        "PUT",
        (r, body) -> {
          sent.add(r.getHeader("Authorization"));
          if (r.getHeader("Authorization").equals("Bearer second")) {
            backend.answer(r, body);
          } else {
            refuse(r, 401, "");
          }
        });
    Files.writeString(token, "second\n");

    on(() -> provider.create(pod));

    assertThat(sent).endsWith("Bearer second").hasSizeLessThanOrEqualTo(2);
    backend.fault("PUT", (r, body) -> refuse(r, 401, ""));
    assertThatThrownBy(() -> on(() -> provider.create(pod("b")))).hasMessageContaining(": 401");
    assertThat(backend.calls("PUT /v1/pods/uid-b")).isEqualTo(2);
  }

  @Test
  void anUnknownCursorMeansOneListAndNoReport() {
    startProvider();
    running(30, "Always");
    int reports = context.reportCount();
    long lists = backend.calls("GET /v1/pods");

    backend.forgetCursors();
    PodView later = pod("later");
    on(() -> provider.create(later));
    backend.end(later.uid(), 0);

    awaitPhase(later, PodPhase.SUCCEEDED);
    assertThat(backend.calls("GET /v1/pods")).isEqualTo(lists + 1);
    assertThat(context.reportCount()).isEqualTo(reports + 2);
  }

  @Test
  void aBackEndThatKnowsNoCursorIsListedWithGrowingPauses() {
    backend.fault("GET /v1/events", (r, body) -> refuse(r, 410, "{\"message\": \"list again\"}"));
    startProvider();

    Waits.eventually(() -> assertThat(backend.calls("GET /v1/events")).isGreaterThan(2));
    Promise<Void> later = Promise.promise();
    vertx.setTimer(500, id -> later.complete()); // enough for hundreds of calls without a pause
    Waits.get(later.future());

    assertThat(backend.calls("GET /v1/pods")).isLessThan(20);
  }

  @Test
  void aListThatCannotBeTakenIsReadAgain() {
    startProvider();
    running(1, "Always");
    on(provider::stop);
    RecordingContext failing = new RecordingContext(vertx, api);
    failing.failOnce();
    provider =
        on(() -> Future.succeededFuture(new RemotePods(setup(), read(settings()), meters())));

    on(() -> provider.start(failing));

    Waits.eventually(() -> assertThat(backend.calls("GET /v1/events")).isEqualTo(2));
    assertThat(on(provider::list)).hasSize(1);
  }

  @Test
  void theNodesDocumentIsLaidOverItsConfiguration() {
    backend.node(node(new JsonArray(), "64"));
    startProvider();
    BlockingQueue<String> changes = new LinkedBlockingQueue<>();
    NodeSpec configured = setup().node(TestPods.NODE);
    on(
        () -> {
          provider.nodes().onChange(changes::add);
          return Future.succeededFuture();
        });

    NodeSpec first = on(() -> Future.succeededFuture(provider.nodes().configure(configured)));
    backend.node(
        node(
            new JsonArray().add(new JsonObject().put("key", "drained").put("effect", "NoSchedule")),
            "32"));
    Waits.eventually(() -> assertThat(changes).contains(TestPods.NODE));
    NodeSpec second = on(() -> Future.succeededFuture(provider.nodes().configure(configured)));

    assertThat(first.capacity()).containsEntry("cpu", "64").containsEntry("memory", "16Gi");
    assertThat(first.allocatable()).containsEntry("cpu", "64");
    assertThat(first.labels()).containsEntry("configured", "yes").containsEntry("zone", "b");
    assertThat(second.capacity()).containsEntry("cpu", "32");
    assertThat(second.taints()).containsExactly(new TaintView("drained", "", "NoSchedule"));
  }

  private static JsonObject node(JsonArray taints, String cpu) {
    return new JsonObject()
        .put(
            "metadata",
            new JsonObject()
                .put("name", TestPods.NODE)
                .put("labels", new JsonObject().put("zone", "b")))
        .put("spec", new JsonObject().put("taints", taints))
        .put("status", new JsonObject().put("capacity", new JsonObject().put("cpu", cpu)));
  }

  @Test
  void aRestartedAgentAdoptsItsPodsWithoutACall() {
    startProvider(settings().put("pageSize", 300));
    List<PodView> pods = running(1000, "Always");
    Map<String, PodReport> written = new ConcurrentHashMap<>();
    pods.forEach(p -> written.put(p.uid(), Objects.requireNonNull(context.last(p.uid()))));
    on(provider::stop);
    int puts = backend.puts().size();

    startProvider(settings().put("pageSize", 300));
    on(
        () ->
            Future.all(
                pods.stream()
                    .map(p -> provider.create(p.withStatus(of(written, p.uid()).status())))
                    .toList()));

    for (PodView pod : pods) {
      assertThat(context.last(pod.uid())).isEqualTo(written.get(pod.uid()));
    }
    assertThat(backend.puts()).hasSize(puts);
    assertThat(backend.calls("GET /v1/pods")).as("pages").isGreaterThanOrEqualTo(4);
  }

  @Test
  void aBackEndWithoutAStreamIsPolled() {
    backend.fault("GET /v1/events", (r, body) -> refuse(r, 501, ""));
    startProvider(settings().put("pollInterval", "100ms"));
    PodView pod = pod("a");
    on(() -> provider.create(pod));
    awaitPhase(pod, PodPhase.RUNNING);

    backend.end(pod.uid(), 0);

    awaitPhase(pod, PodPhase.SUCCEEDED);
    assertThat(context.reports(pod.uid())).hasSize(2);
    assertThat(backend.calls("GET /v1/events")).isEqualTo(1);
  }

  @Test
  void aSilentStreamIsGivenUpAndTheNodeNotReadyMeanwhile() {
    startProvider(settings().put("heartbeat", "100ms"));
    assertThat(health()).isEmpty();

    backend.silence(true);
    backend.fault("GET /v1/events", (r, body) -> refuse(r, 503, "{\"message\": \"going down\"}"));
    Waits.eventually(() -> assertThat(health()).contains("the back end cannot be reached"));
    backend.silence(false);
    backend.fault("GET /v1/events", null);

    Waits.eventually(() -> assertThat(health()).isEmpty());
  }

  private String health() {
    return on(() -> Future.succeededFuture(provider.nodes().health(TestPods.NODE).message()));
  }

  @Test
  void aBackEndThatIsDownDelaysNothingButItsPods() {
    startProvider(settings().put("url", "http://127.0.0.1:1").put("callTimeout", "300ms"));

    assertThat(health()).contains("the back end cannot be reached");
    assertThatThrownBy(() -> on(() -> provider.create(pod("a"))))
        .matches(e -> ProviderException.kindOf(e) == ProviderException.Kind.TEMPORARY)
        .hasMessageContaining("127.0.0.1:1");
  }

  @Test
  void aPodThatNobodyAskedForIsUnclaimedAndKilled() {
    startProvider();
    PodView pod = running(1, "Always").get(0);
    on(provider::stop);
    startProvider();
    Waits.eventually(() -> assertThat(context.unclaimed()).hasSize(1));
    assertThat(on(provider::list)).hasSize(1);

    on(() -> provider.kill(pod.ref()));

    assertThat(backend.held()).isEmpty();
    assertThat(on(provider::list)).isEmpty();
  }

  @Test
  void contentComesWithThePodAndItsNewVersionsAsPatches() {
    startProvider();
    PodView pod = pod("a");
    List<JsonObject> patches = new CopyOnWriteArrayList<>();
    backend.fault(
        "PATCH",
        (r, body) -> {
          patches.add(new JsonObject(body));
          r.response().setStatusCode(204).end();
        });

    on(() -> provider.create(pod, content(pod, "first")));
    on(() -> provider.contentChanged(pod.ref(), content(pod, "second").volumes()));
    awaitPhase(pod, PodPhase.RUNNING);
    backend.restartEmpty();
    Waits.eventually(() -> assertThat(backend.starts(pod.uid())).isEqualTo(2));

    JsonObject put = backend.puts().get(0);
    assertThat(text(put)).isEqualTo("first");
    assertThat(put.getJsonObject("credentials").getJsonArray("example.com/app:1")).hasSize(1);
    assertThat(text(patches.get(0))).isEqualTo("second");
    JsonObject again = backend.puts().get(1);
    assertThat(text(again)).isEqualTo("second");
    assertThat(again.getJsonObject("credentials").getJsonArray("example.com/app:1")).hasSize(1);
  }

  @Test
  void newContentOfAnUpdateThatTheBackEndHasIsPatched() {
    startProvider();
    PodView pod = pod("a");
    List<JsonObject> patches = new CopyOnWriteArrayList<>();
    backend.fault(
        "PATCH",
        (r, body) -> {
          patches.add(new JsonObject(body));
          r.response().setStatusCode(204).end();
        });
    on(() -> provider.create(pod, content(pod, "first")));

    on(() -> provider.update(pod, content(pod, "second")));

    assertThat(patches).singleElement().extracting(body -> text(body)).isEqualTo("second");
    assertThat(backend.puts()).hasSize(1);
  }

  @Test
  void aPodThatTheBackEndDoesNotKnowIsDeleted() {
    startProvider();
    PodView pod = pod("a");
    backend.fault("DELETE", (r, body) -> refuse(r, 404, "not found"));

    on(() -> provider.kill(pod.ref()));

    assertThat(backend.calls("DELETE /v1/pods/uid-a")).isEqualTo(1);
  }

  @Test
  void anAdoptedPodGetsItsNewTokens() {
    startProvider();
    PodView pod = pod("a");
    on(() -> provider.create(pod, content(pod, "first")));
    PodReport report = awaitPhase(pod, PodPhase.RUNNING);
    on(provider::stop);
    backend.fault("PATCH", (r, body) -> refuse(r, 404, "{\"message\": \"no such route\"}"));

    startProvider();
    on(() -> provider.create(pod.withStatus(report.status()), content(pod, "second")));

    assertThat(backend.calls("PATCH /v1/pods/uid-a")).isEqualTo(1);
    assertThat(backend.puts()).hasSize(1);
  }

  @Test
  void aHeldPodIsAdoptedWhileContentIsMissingAndAnotherIsNotSent() {
    startProvider();
    PodView held = pod("a");
    on(() -> provider.create(held, content(held, "first")));
    PodReport report = awaitPhase(held, PodPhase.RUNNING);
    on(provider::stop);
    startProvider();

    on(() -> provider.create(held.withStatus(report.status()), without(held)));

    assertThat(context.last(held.uid())).isNotNull();
    assertThat(backend.puts()).hasSize(1);
    PodView other = pod("b");
    assertThatThrownBy(() -> on(() -> provider.create(other, without(other))))
        .hasMessage("content of volumes is missing: api")
        .matches(e -> ProviderException.kindOf(e) == ProviderException.Kind.TEMPORARY);
    on(() -> provider.create(other, content(other, "late")));
    assertThat(backend.puts()).hasSize(2);
  }

  @Test
  void aLostPodIsCreatedAgainOnceItsContentIsKnown() {
    startProvider();
    PodView pod = pod("a");
    on(() -> provider.create(pod, content(pod, "first")));
    PodReport report = awaitPhase(pod, PodPhase.RUNNING);
    on(provider::stop);
    startProvider();
    on(() -> provider.create(pod.withStatus(report.status()), without(pod)));

    backend.restartEmpty();
    Waits.eventually(
        () ->
            assertThat(context.events())
                .anyMatch(event -> event.message().endsWith("is missing: api")));
    assertThat(backend.puts()).hasSize(1);
    on(() -> provider.contentChanged(pod.ref(), content(pod, "second").volumes()));

    Waits.eventually(() -> assertThat(backend.puts()).hasSize(2));
    assertThat(text(backend.puts().get(1))).isEqualTo("second");
  }

  @Test
  void aNewTokenOfAPodThatEndsIsSent() {
    startProvider();
    PodView pod = pod("a");
    on(() -> provider.create(pod, content(pod, "first")));
    awaitPhase(pod, PodPhase.RUNNING);
    backend.fault("DELETE", (r, body) -> refuse(r, 202, "{}"));
    backend.fault("PATCH", (r, body) -> refuse(r, 204, ""));
    on(() -> provider.delete(pod, GRACE));

    on(() -> provider.contentChanged(pod.ref(), content(pod, "second").volumes()));

    assertThat(backend.calls("PATCH /v1/pods/uid-a")).isEqualTo(1);
  }

  /** A pod whose container has a variable of a ConfigMap, as the API server has it. */
  private PodView referring(String name) {
    JsonObject json = TestPods.pod(name, "Always");
    JsonObject reference = new JsonObject().put("name", "m").put("key", "k");
    json.getJsonObject("spec")
        .getJsonArray("containers")
        .getJsonObject(0)
        .put(
            "env",
            new JsonArray()
                .add(
                    new JsonObject()
                        .put("name", "A")
                        .put("valueFrom", new JsonObject().put("configMapKeyRef", reference))));
    PodView view = TestPods.view(json);
    api.put(view.uid(), json);
    return view;
  }

  private static PodView resolved(PodView pod, String value) {
    Variable variable = new Variable("A", value, EnvironmentView.LITERAL);
    ContainerView container =
        pod.spec()
            .containers()
            .get(0)
            .withEnvironment(new EnvironmentView(List.of(variable), List.of()));
    return pod.withSpec(pod.spec().withContainers(List.of(), List.of(container), List.of()));
  }

  @Test
  void aHeldPodIsAdoptedWithoutItsEnvironmentAndCreatedAgainOnlyWithIt() {
    startProvider();
    PodView pod = referring("a");
    on(() -> provider.create(resolved(pod, "1")));
    PodReport report = awaitPhase(pod, PodPhase.RUNNING);
    on(provider::stop);
    startProvider();
    on(() -> provider.create(pod.withStatus(report.status())));
    assertThat(context.last(pod.uid())).isNotNull();
    assertThat(backend.puts()).hasSize(1);

    backend.restartEmpty();
    Waits.eventually(
        () ->
            assertThat(context.events())
                .anyMatch(
                    event ->
                        event
                            .message()
                            .equals("the environment of container \"main\" is not known")));
    assertThat(backend.puts()).hasSize(1);
    assertThatThrownBy(() -> on(() -> provider.update(resolved(pod, "2"))))
        .matches(e -> ProviderException.kindOf(e) == ProviderException.Kind.NOT_FOUND);

    Waits.eventually(() -> assertThat(backend.puts()).hasSize(2));
    assertThat(backend.puts().get(1).encode()).contains("{\"name\":\"A\",\"value\":\"2\"}");
  }

  private PodContent without(PodView pod) {
    return new PodContent(
        PodDefinition.read(of(api, pod.uid()).toBuffer()), List.of(), Map.of(), List.of("api"));
  }

  private PodContent content(PodView pod, String text) {
    ContentFile file = new ContentFile("token", Buffer.buffer(text), 0644, null);
    return new PodContent(
        PodDefinition.read(of(api, pod.uid()).toBuffer()),
        List.of(new VolumeContent("api", "projected", List.of(file))),
        Map.of("example.com/app:1", List.of(new RegistryCredential("example.com", "u", "p"))));
  }

  private static String text(JsonObject body) {
    JsonObject file =
        body.getJsonObject("volumes").getJsonObject("api").getJsonArray("files").getJsonObject(0);
    assertThat(file.getInteger("mode")).isEqualTo(0644);
    return new String(
        Base64.getDecoder().decode(file.getString("content")), StandardCharsets.UTF_8);
  }

  @Test
  void anAnswerBeyondTheLimitIsRefusedByName() {
    startProvider(settings().put("maxAnswerBytes", 65536));
    backend.fault(
        "PUT",
        (r, body) -> {
          r.response().setChunked(true);
          Buffer piece = Buffer.buffer(new byte[1 << 16]);
          for (int i = 0; i < 320; i++) {
            r.response().write(piece);
          }
          r.response().end();
        });

    assertThatThrownBy(() -> on(() -> provider.create(pod("a"))))
        .hasMessage("PUT /v1/pods/uid-a: the answer is larger than 65536 bytes")
        .matches(e -> ProviderException.reasonOf(e, "").equals("AnswerTooLarge"));
  }

  @Test
  void aFloodOfHeadersIsRefused() {
    startProvider();
    backend.fault(
        "PUT",
        (r, body) -> {
          for (int i = 0; i < 2000; i++) {
            r.response().putHeader("X-Flood-" + i, "y".repeat(100));
          }
          r.response().end();
        });

    assertThatThrownBy(() -> on(() -> provider.create(pod("a"))))
        .hasMessageContaining("PUT /v1/pods/uid-a: ")
        .matches(e -> ProviderException.kindOf(e) == ProviderException.Kind.TEMPORARY);
  }

  @Test
  void noFailureRepeatsWhatARequestCarried() {
    startProvider();
    JsonObject secret = TestPods.pod("a", "Always");
    secret
        .getJsonObject("spec")
        .getJsonArray("containers")
        .getJsonObject(0)
        .put("env", new JsonArray().add(new JsonObject().put("name", "P").put("value", "s3cr3t")));
    PodView pod = TestPods.view(secret);
    api.put(pod.uid(), secret);
    List<String> messages = new ArrayList<>();
    backend.fault("PUT", (r, body) -> refuse(r, 500, "not JSON: " + body));
    begin(() -> provider.create(pod)).onComplete(done -> messages.add(done.cause().toString()));
    Waits.eventually(() -> assertThat(messages).hasSize(1));

    assertThat(messages.get(0)).doesNotContain("s3cr3t").contains("PUT /v1/pods/uid-a: 500");
  }
}
