package dev.vertlet.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.content.ContentFile;
import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.PolledProvider;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.PodStreams.StreamKind;
import dev.vertlet.remote.client.RemoteMeters;
import dev.vertlet.remote.client.RemoteSettings;
import dev.vertlet.tck.Client;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The provider against a stub of interLink's plugin API. */
class InterlinkPodsVerticleTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Map<String, JsonObject> api = new ConcurrentHashMap<>();
  private final RecordingContext context = new RecordingContext(vertx, api);

  /** State of each job of the plugin, by UID. */
  private final Map<String, JsonObject> jobs = new ConcurrentHashMap<>();

  private final List<JsonObject> creates = new CopyOnWriteArrayList<>();
  private volatile boolean breaksOff;

  /** Answer to every question for states; empty for the usual one. */
  private volatile String nonsense = "";

  /** Containers in the state of the pod {@code odd}, as JSON; empty for the usual ones. */
  private volatile String odd = "";

  /** UID in answers to creates; empty for that of the pod. */
  private volatile String answersFor = "";

  private PodProvider provider;

  @BeforeEach
  void start() {
    int port =
        Waits.get(vertx.createHttpServer().requestHandler(this::plugin).listen(0, "127.0.0.1"))
            .actualPort();
    JsonObject settings =
        new JsonObject().put("url", "http://127.0.0.1:" + port).put("dialect", "interlink");
    ProviderSetup setup = TestPods.setup(vertx, settings);
    provider =
        on(
            () ->
                Future.succeededFuture(
                    PolledProvider.every(
                        Duration.ofMillis(50),
                        new InterlinkPods(
                            setup,
                            RemoteSettings.read(setup.settings()),
                            new RemoteMeters(setup.metrics())))));
    on(() -> provider.start(context));
  }

  @AfterEach
  void stop() {
    on(provider::stop);
    Waits.get(vertx.close());
  }

  private <T> T on(Supplier<Future<T>> call) {
    Promise<T> answer = Promise.promise();
    loop.runOnContext(v -> call.get().onComplete(answer));
    return Waits.get(answer.future());
  }

  /** Jobs wait in the queue at first; each poll moves them on. */
  private void plugin(HttpServerRequest request) {
    request
        .body()
        .onSuccess(
            body -> {
              switch (request.path()) {
                case "/create" -> create(request, new JsonObject(body));
                case "/delete" -> {
                  String uid = new JsonObject(body).getJsonObject("metadata").getString("uid");
                  jobs.remove(uid);
                  request.response().end("deleted");
                }
                case "/status" ->
                    request
                        .response()
                        .end(nonsense.isEmpty() ? status(new JsonArray(body)).encode() : nonsense);
                case "/getLogs" ->
                    request
                        .response()
                        .end("log of " + new JsonObject(body).getString("PodName") + "\n");
                default -> request.response().setStatusCode(404).end();
              }
            });
  }

  private void create(HttpServerRequest request, JsonObject body) {
    creates.add(body);
    if (breaksOff) {
      Future<Void> unused = request.connection().close();
      return;
    }
    JsonObject metadata = body.getJsonObject("pod").getJsonObject("metadata");
    String uid = metadata.getString("uid");
    jobs.put(uid, state("waiting", new JsonObject()));
    String said = answersFor.isEmpty() ? uid : answersFor;
    request.response().end(new JsonObject().put("PodUID", said).put("PodJID", "7").toBuffer());
  }

  private JsonArray status(JsonArray asked) {
    JsonArray answer = new JsonArray();
    for (Object one : asked) {
      JsonObject metadata = ((JsonObject) one).getJsonObject("metadata");
      String uid = metadata.getString("uid");
      JsonObject job = jobs.get(uid);
      if (job != null) {
        answer.add(
            new JsonObject()
                .put("name", metadata.getString("name"))
                .put("UID", uid)
                .put("namespace", metadata.getString("namespace"))
                .put("JID", "7")
                .put(
                    "containers",
                    uid.equals("uid-odd") && !odd.isEmpty()
                        ? Json.decodeValue(odd)
                        : new JsonArray()
                            .add(new JsonObject().put("name", "main").put("state", job))));
      }
    }
    return answer;
  }

  private static JsonObject state(String kind, JsonObject value) {
    return new JsonObject().put(kind, value);
  }

  private PodView pod(String name) {
    JsonObject json = TestPods.pod(name, "Never");
    PodView view = TestPods.view(json);
    api.put(view.uid(), json);
    return view;
  }

  private void awaitPhase(PodView pod, PodPhase phase) {
    Waits.eventually(
        () ->
            assertThat(context.last(pod.uid()))
                .isNotNull()
                .matches(report -> report.status().phase() == phase, "is " + phase));
  }

  private String log(PodView pod) {
    Client client = Client.listening();
    ContainerTarget target = new ContainerTarget(pod.ref(), TestPods.NODE, "main", "");
    LogRequest request =
        new LogRequest(target, false, false, false, null, null, null, LogRequest.Stream.ALL);
    on(() -> provider.streams().logs(request, client.out(), client.gone()));
    return client.out().text();
  }

  @Test
  void jobsRunAndCompleteAndTheirLogsAreRead() {
    List<PodView> pods = IntStream.range(0, 20).mapToObj(i -> pod("job" + i)).toList();
    on(() -> Future.all(pods.stream().map(provider::create).toList()));

    jobs.replaceAll((uid, job) -> state("running", new JsonObject()));
    pods.forEach(pod -> awaitPhase(pod, PodPhase.RUNNING));
    jobs.replaceAll((uid, job) -> state("terminated", new JsonObject().put("exitCode", 0)));

    pods.forEach(pod -> awaitPhase(pod, PodPhase.SUCCEEDED));
    assertThat(creates).hasSize(20);
    assertThat(pods)
        .allSatisfy(pod -> assertThat(log(pod)).isEqualTo("log of " + pod.name() + "\n"));
  }

  @Test
  void aJobThatFailsIsAFailedPod() {
    PodView pod = pod("bad");
    on(() -> provider.create(pod));

    jobs.replaceAll((uid, job) -> state("terminated", new JsonObject().put("exitCode", 3)));

    awaitPhase(pod, PodPhase.FAILED);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\": 1}|must be a JSON array",
        "[7]|/0: 7 must be an object",
        "[{}]|/0/UID: is missing; must be a text",
        "[{\"UID\": 7}]|/0/UID: 7 must be a text",
      })
  void anAnswerThatIsNoListOfStatesIsNamedByPointer(String answer, String problem) {
    nonsense = answer;

    assertThatThrownBy(() -> on(() -> Objects.requireNonNull(provider.nodes()).ping(TestPods.NODE)))
        .hasMessage("GET /status: " + problem)
        .matches(e -> ProviderException.reasonOf(e, "").equals("InvalidAnswer"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"x\"|/containers: \"x\" must be an array",
        "[7]|/status/containerStatuses/0: 7 is no value of a PodStatus",
        "[{\"name\": \"main\", \"state\": {\"terminated\": {\"exitCode\":"
            + " \"x\"}}}]|/status/containerStatuses/0/state/terminated/exitCode: \"x\" is no value"
            + " of a PodStatus"
      })
  void aStateThatMakesNoSenseIsToldOfItsPodOnce(String containers, String problem) {
    PodView pod = pod("odd");
    PodView other = pod("b");
    odd = containers;

    on(() -> provider.create(pod));
    on(() -> provider.create(other));
    Waits.eventually(() -> assertThat(context.events()).isNotEmpty());
    jobs.replaceAll((uid, job) -> state("running", new JsonObject()));
    awaitPhase(other, PodPhase.RUNNING);

    assertThat(context.events())
        .singleElement()
        .matches(event -> event.uid().equals(pod.uid()))
        .matches(event -> event.reason().equals("InvalidStatus"))
        .matches(event -> event.message().contains(problem), problem);
    assertThat(context.last(pod.uid())).isNull();
  }

  @Test
  void anAnswerToACreateThatIsOfAnotherPodIsRefused() {
    answersFor = "uid-other";

    assertThatThrownBy(() -> on(() -> provider.create(pod("a"))))
        .hasMessage("POST /create: /PodUID: \"uid-other\" must be uid-a");
  }

  @Test
  void aDeletedPodIsGoneFromThePlugin() {
    PodView pod = pod("a");
    on(() -> provider.create(pod));

    on(() -> provider.delete(pod, Duration.ofSeconds(5)));

    Waits.eventually(
        () -> assertThat(context.last(pod.uid())).isNotNull().matches(PodReport::finished));
    assertThat(jobs).isEmpty();
    on(() -> provider.kill(pod.ref()));
  }

  @Test
  void aPodThatThePluginHasIsNotSentAgain() {
    PodView pod = pod("a");
    jobs.put(pod.uid(), state("running", new JsonObject()));

    on(() -> provider.create(pod));

    awaitPhase(pod, PodPhase.RUNNING);
    assertThat(creates).isEmpty();
  }

  @Test
  void aCreateWithoutAnAnswerIsNotSentTwice() {
    PodView pod = pod("a");
    breaksOff = true;

    assertThatThrownBy(() -> on(() -> provider.create(pod)))
        .hasMessageStartingWith("POST /create: ");

    assertThat(creates).hasSize(1);
  }

  @Test
  void aJobOfAnEarlierAgentIsAdoptedWhileContentIsMissing() {
    PodView pod = pod("a");
    PodContent without =
        new PodContent(
            PodDefinition.read(TestPods.pod("a", "Never").toBuffer()),
            List.of(),
            Map.of(),
            List.of("v"));
    assertThat(on(() -> provider.get(pod.ref()))).isEmpty();
    assertThatThrownBy(() -> on(() -> provider.create(pod, without)))
        .hasMessage("content of volumes is missing: v");
    jobs.put(pod.uid(), state("running", new JsonObject()));

    assertThat(on(() -> provider.get(pod.ref()))).isPresent();
    on(() -> provider.create(pod, without));

    assertThat(creates).isEmpty();
  }

  @Test
  void aJobThatARestartedAgentHasToEndIsDeleted() {
    PodView pod = pod("a");
    jobs.put(pod.uid(), state("running", new JsonObject()));

    assertThatThrownBy(() -> on(() -> provider.delete(pod, Duration.ofSeconds(5))))
        .matches(e -> ProviderException.kindOf(e) == ProviderException.Kind.NOT_FOUND);

    assertThat(jobs).isEmpty();
  }

  @Test
  void volumesComeAsTheObjectsThatTheyAreOf() {
    JsonObject json = TestPods.pod("a", "Never");
    JsonObject spec = json.getJsonObject("spec");
    spec.put(
        "volumes",
        new JsonArray()
            .add(
                new JsonObject()
                    .put("name", "v")
                    .put("secret", new JsonObject().put("secretName", "s"))));
    spec.getJsonArray("containers")
        .getJsonObject(0)
        .put(
            "volumeMounts",
            new JsonArray().add(new JsonObject().put("name", "v").put("mountPath", "/v")));
    PodView pod = TestPods.view(json);
    ContentFile file = new ContentFile("key", Buffer.buffer("value"), 0644, null);
    PodContent content =
        new PodContent(
            PodDefinition.read(json.toBuffer()),
            List.of(new VolumeContent("v", "secret", List.of(file))),
            Map.of());

    on(() -> provider.create(pod, content));

    JsonObject container = creates.get(0).getJsonArray("container").getJsonObject(0);
    JsonObject secret = container.getJsonArray("secrets").getJsonObject(0);
    assertThat(secret.getJsonObject("metadata").getString("name")).isEqualTo("s");
    assertThat(secret.getJsonObject("data").getString("key")).isEqualTo("dmFsdWU=");
  }

  @Test
  void commandsAreNotOffered() {
    PodView pod = pod("a");
    ContainerTarget target = new ContainerTarget(pod.ref(), TestPods.NODE, "main", "");

    Throwable failure =
        on(
            () ->
                provider
                    .streams()
                    .check(StreamKind.EXEC, target)
                    .transform(done -> Future.succeededFuture(done.cause())));

    assertThat(ProviderException.kindOf(failure)).isEqualTo(ProviderException.Kind.UNSUPPORTED);
  }
}
