package dev.vertlet.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime.RuntimeListener;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.container.HookRequest.Moment;
import dev.vertlet.remote.client.RemoteMeters;
import dev.vertlet.remote.client.RemoteSettings;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The runtime against a back end with faults. */
class RemoteContainersVerticleTest {
  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final List<String> changes = new CopyOnWriteArrayList<>();
  private final PodView pod = TestPods.running("a");
  private ScriptedBackend backend;
  private RemoteContainers runtime;

  @BeforeEach
  void start() {
    backend = ScriptedBackend.start(vertx);
    backend.fault(
        "GET /v1/sandboxes",
        (request, body) ->
            request
                .response()
                .end(
                    new JsonObject()
                        .put("cursor", "1000000")
                        .put("sandboxes", new JsonArray())
                        .toBuffer()));
    JsonObject settings =
        new JsonObject().put("url", backend.url()).put("level", "containers").put("resize", true);
    ProviderSetup setup = TestPods.setup(vertx, settings);
    runtime =
        on(
            () ->
                Future.succeededFuture(
                    new RemoteContainers(
                        setup,
                        RemoteSettings.read(setup.settings()),
                        new RemoteMeters(setup.metrics()))));
    on(
        () ->
            runtime.start(
                new RuntimeListener() {
                  @Override
                  public void containerChanged(PodRef changed, ContainerRecord container) {}

                  @Override
                  public void sandboxLost(PodRef lost) {}

                  @Override
                  public void nodeChanged(String changed) {
                    changes.add(changed);
                  }
                }));
  }

  @AfterEach
  void stop() {
    on(runtime::stop);
    Waits.get(vertx.close());
  }

  private <T> T on(Supplier<Future<T>> call) {
    Promise<T> answer = Promise.promise();
    loop.runOnContext(v -> call.get().onComplete(answer));
    return Waits.get(answer.future());
  }

  private List<NodeConditionView> conditions() {
    return on(() -> Future.succeededFuture(runtime.conditions(TestPods.NODE)));
  }

  @Test
  void theReadyConditionOfTheBackEndIsThatOfTheNode() {
    JsonObject ready =
        new JsonObject()
            .put("type", "Ready")
            .put("status", "False")
            .put("reason", "Off")
            .put("message", "no power");
    JsonObject node =
        new JsonObject()
            .put("metadata", new JsonObject().put("name", TestPods.NODE))
            .put("status", new JsonObject().put("conditions", new JsonArray().add(ready)));

    backend.node(node);

    Waits.eventually(() -> assertThat(changes).contains(TestPods.NODE));
    Waits.eventually(
        () ->
            assertThat(conditions())
                .singleElement()
                .matches(condition -> condition.type().equals("Ready"))
                .matches(condition -> condition.message().equals("no power")));
  }

  @Test
  void aResizeHasAllResourcesOfTheContainer() {
    List<JsonObject> sent = new CopyOnWriteArrayList<>();
    backend.fault(
        "POST /v1/sandboxes/uid-a/containers/main/resize",
        (request, body) -> {
          sent.add(new JsonObject(body));
          request.response().setStatusCode(507).end("{\"message\": \"no memory is left\"}");
        });
    ResourcesView bigger = new ResourcesView(Map.of("cpu", "1"), Map.of("memory", "1Gi"));
    ContainerView main = pod.spec().containers().get(0).withResources(bigger);

    assertThat(runtime.resizesContainers()).isTrue();
    assertThatThrownBy(() -> on(() -> runtime.updateResources(pod, main, "process://1")))
        .hasMessage("POST /v1/sandboxes/uid-a/containers/main/resize: 507: no memory is left");
    assertThat(sent)
        .containsExactly(
            new JsonObject()
                .put("containerId", "process://1")
                .put(
                    "resources",
                    new JsonObject()
                        .put("requests", new JsonObject().put("cpu", "1"))
                        .put("limits", new JsonObject().put("memory", "1Gi"))));
    assertThat(backend.violations()).isEmpty();
  }

  @Test
  void aStateOfAnotherPodIsNoAnswer() {
    backend.fault(
        "PUT /v1/sandboxes",
        (request, body) ->
            request
                .response()
                .end(
                    new JsonObject()
                        .put("uid", "uid-other")
                        .put("namespace", "default")
                        .put("name", "a")
                        .put("node", TestPods.NODE)
                        .put("revision", 1)
                        .put("containers", new JsonArray())
                        .toBuffer()));

    assertThatThrownBy(() -> on(() -> runtime.runSandbox(pod, 0)))
        .hasMessage("PUT /v1/sandboxes/uid-a: /uid: \"uid-other\" must be uid-a");
  }

  /** A back end that breaks off may have run the hook. */
  @Test
  void aHookIsNotRepeatedWhenItsConnectionCloses() {
    HookRequest hook =
        new HookRequest(
            pod,
            "",
            pod.spec().containers().get(0),
            "id",
            Moment.POST_START,
            new HandlerView.Exec(List.of("register")));
    backend.fault("POST", (request, body) -> request.response().end("{}"));
    on(() -> runtime.runHook(hook));
    backend.fault(
        "POST",
        (request, body) -> {
          Future<Void> unused = request.connection().close();
        });

    assertThatThrownBy(() -> on(() -> runtime.runHook(hook))).hasMessageContaining("/hook: ");

    assertThat(backend.calls("POST")).isEqualTo(2);
  }
}
