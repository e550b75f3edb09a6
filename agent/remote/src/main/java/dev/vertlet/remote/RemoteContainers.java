package dev.vertlet.remote;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.NodeConditionView;
import dev.vertlet.model.PodDefinition;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.ContainerRecord;
import dev.vertlet.provider.ContainerRuntime;
import dev.vertlet.provider.ContainerStart;
import dev.vertlet.provider.HookRequest;
import dev.vertlet.provider.NodeSpec;
import dev.vertlet.provider.NodeUsage;
import dev.vertlet.provider.PodInput;
import dev.vertlet.provider.PodStreams;
import dev.vertlet.provider.ProbeRequest;
import dev.vertlet.provider.ProbeResult;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.ProviderException.Kind;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.RegistryCredential;
import dev.vertlet.provider.RuntimePod;
import dev.vertlet.provider.SandboxRecord;
import dev.vertlet.provider.SandboxStart;
import dev.vertlet.provider.VolumeContent;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Single containers of a back end. Confined to the context of its shard. */
final class RemoteContainers implements ContainerRuntime {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteContainers.class);

  /** Time beyond its grace period for the end of a container, as a kubelet gives its runtime. */
  private static final Duration STOP = Duration.ofMinutes(2);

  /** A pull takes as long as it takes; a back end that hangs is found by its event stream. */
  private static final Duration PULL = Duration.ofHours(1);

  private final ProviderSetup setup;
  private final BackendClient client;
  private final SandboxBook book;
  private final RemoteNodes nodes;
  private final RemoteStreams streams;
  private final Subscription subscription;
  private final PodState.Reader reader = new PodState.Reader();
  private @Nullable RuntimeListener listener;
  private boolean stopped;

  RemoteContainers(ProviderSetup setup, RemoteSettings settings, RemoteMeters meters) {
    this.setup = setup;
    this.client = new BackendClient(setup.vertx(), setup.clock(), settings, meters);
    this.book = new SandboxBook(new Changes());
    this.nodes = new RemoteNodes(client, setup.nodes(), book::served);
    this.streams = new RemoteStreams(setup.vertx(), client);
    this.subscription =
        new Subscription(
            setup.vertx(),
            setup.clock(),
            setup.random(),
            client,
            meters,
            "sandboxes",
            new Incoming());
  }

  private RuntimeListener listener() {
    if (listener == null) {
      throw new IllegalStateException("the runtime is not started");
    }
    return listener;
  }

  @Override
  public Future<Void> start(RuntimeListener given) {
    listener = given;
    nodes.onChange(given::nodeChanged);
    return subscription.start().compose(tried -> nodes.read());
  }

  /** What the book decides. */
  private final class Changes implements SandboxBook.Effects {
    @Override
    public void changed(PodRef pod, ContainerRecord container) {
      listener().containerChanged(pod, container);
    }

    @Override
    public void sandboxLost(PodRef pod) {
      listener().sandboxLost(pod);
    }
  }

  private final class Incoming extends StateListener {
    Incoming() {
      super("sandbox", book, nodes);
    }

    @Override
    void observed(JsonObject state) {
      RemoteContainers.this.observed(state);
    }
  }

  private void observed(JsonObject json) {
    try {
      book.observed(SandboxState.read(reader, json));
    } catch (PodState.InvalidStateException | ClassCastException e) {
      String uid = json.getValue("uid") instanceof String text ? text : "";
      book.seen(uid);
      LOG.atWarn()
          .addKeyValue("podUid", uid)
          .addKeyValue("error", e.getMessage())
          .log("the back end's state of a sandbox cannot be read");
    }
  }

  /** Makes a call whose answer is the new state of the pod. */
  private Future<RuntimePod> change(Call call) {
    return client
        .call(call)
        .map(
            answer -> {
              try {
                SandboxState state = SandboxState.read(reader, new JsonObject(answer.body()));
                book.observed(state);
                return state.pod();
              } catch (PodState.InvalidStateException | DecodeException | ClassCastException e) {
                throw Failures.invalid(
                    call.display(), "the answer is no sandbox: " + e.getMessage());
              }
            });
  }

  private static Paths sandbox(String uid) {
    return Paths.of("v1", "sandboxes", uid);
  }

  private static Paths container(String uid, String name, String... action) {
    List<String> segments = new ArrayList<>(List.of("v1", "sandboxes", uid, "containers", name));
    segments.addAll(List.of(action));
    return Paths.of(segments.toArray(String[]::new));
  }

  @Override
  public PodInput input() {
    return client.settings().content() ? PodInput.VALUES : PodInput.DEFINITION;
  }

  @Override
  public boolean usesEnvironment() {
    return client.settings().environment();
  }

  /** Called by programs that have no definition of the pod: its view has all that is sent. */
  @Override
  public Future<SandboxRecord> runSandbox(PodView pod, int attempt) {
    return runSandbox(pod, attempt, Views.json(pod), new JsonObject());
  }

  @Override
  public Future<SandboxRecord> runSandbox(SandboxStart start) {
    JsonObject more = new JsonObject();
    var config = start.config();
    if (config != null) {
      more.put("config", Handlers.json(config));
    }
    if (!start.volumes().isEmpty()) {
      more.put("volumes", PodPayload.volumes(start.volumes()));
    }
    JsonObject pod = PodPayload.pod(start.definition().json(), start.pod(), false);
    return runSandbox(start.pod(), start.attempt(), pod, more);
  }

  private Future<SandboxRecord> runSandbox(
      PodView pod, int attempt, JsonObject definition, JsonObject more) {
    JsonObject body =
        more.put("attempt", attempt).put("node", pod.nodeName()).put("pod", definition);
    Call call = Call.put("sandbox", sandbox(pod.uid()).toString(), body.toBuffer());
    book.served(pod.nodeName());
    book.wanted(pod.uid());
    return change(call)
        .map(
            made -> {
              SandboxRecord record = made.sandbox();
              if (record == null) {
                throw Failures.invalid(call.display(), "/sandbox is missing");
              }
              return record;
            });
  }

  @Override
  public Future<Void> contentChanged(PodRef pod, List<VolumeContent> volumes) {
    return client.sendContent(sandbox(pod.uid()).toString(), volumes);
  }

  @Override
  public Future<Void> removeSandbox(PodRef pod) {
    return done(client.call(Call.delete("remove", sandbox(pod.uid()).toString()).patient(STOP)))
        .onSuccess(v -> book.forget(pod.uid()));
  }

  private static Future<Void> done(Future<?> answer) {
    return Failures.unlessMissing(answer.mapEmpty());
  }

  private static String image(String node, String image) {
    return Paths.of("v1", "image").query("node", node).query("image", image).toString();
  }

  @Override
  public Future<Optional<String>> imageId(String node, String image) {
    return client
        .call(Call.get("image", image(node, image)))
        .map(answer -> Optional.of(text(answer.body(), "id")))
        .recover(
            failure ->
                ProviderException.kindOf(failure) == Kind.NOT_FOUND
                    ? Future.succeededFuture(Optional.empty())
                    : Future.failedFuture(failure));
  }

  @Override
  public Future<String> pull(PodView pod, ContainerView container) {
    return pull(pod, container, null);
  }

  @Override
  public Future<String> pull(
      PodView pod, ContainerView container, @Nullable RegistryCredential credential) {
    JsonObject body = new JsonObject();
    if (credential != null) {
      body.put("credential", PodPayload.credential(credential));
    }
    Call call = Call.put("pull", image(pod.nodeName(), container.image()), body.toBuffer());
    return client.call(call.patient(PULL)).map(answer -> text(answer.body(), "id"));
  }

  private static String text(Buffer body, String key) {
    try {
      if (new JsonObject(body).getValue(key) instanceof String text && !text.isEmpty()) {
        return text;
      }
    } catch (DecodeException | ClassCastException e) {
      // reported below
    }
    throw Failures.invalid("/v1/image", "/" + key + " must be a text");
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId) {
    return startContainer(pod, container, attempt, imageId, Views.json(container));
  }

  @Override
  public Future<ContainerRecord> startContainer(ContainerStart start) {
    JsonObject container = definition(start.pod(), start.container().name());
    PodPayload.resolve(container, start.container());
    if (usesEnvironment()) {
      JsonArray variables = new JsonArray();
      new LinkedHashMap<>(start.environment())
          .forEach(
              (name, value) ->
                  variables.add(new JsonObject().put("name", name).put("value", value)));
      container.put("env", variables);
    }
    return startContainer(
        start.view(), start.container(), start.attempt(), start.imageId(), container);
  }

  /** The container in the pod's definition. */
  private static JsonObject definition(PodDefinition pod, String name) {
    JsonObject spec = new JsonObject(pod.json()).getJsonObject("spec");
    for (String key : List.of("containers", "initContainers", "ephemeralContainers")) {
      for (Object one : spec.getJsonArray(key, new JsonArray())) {
        if (one instanceof JsonObject container && name.equals(container.getString("name"))) {
          return container;
        }
      }
    }
    throw new IllegalArgumentException("the pod has no container " + name);
  }

  private Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId, JsonObject definition) {
    JsonObject body =
        new JsonObject()
            .put("attempt", attempt)
            .put("imageID", imageId)
            .put("container", definition);
    Call call =
        Call.put("start", container(pod.uid(), container.name()).toString(), body.toBuffer());
    return change(call)
        .map(
            state ->
                state.containers().stream()
                    .filter(c -> c.name().equals(container.name()) && c.attempt() == attempt)
                    .findFirst()
                    .orElseThrow(
                        () ->
                            Failures.invalid(
                                call.display(), "/containers has no attempt " + attempt)));
  }

  @Override
  public Future<Void> stopContainer(PodRef pod, String containerId, Duration grace) {
    ContainerRecord known = book.container(pod.uid(), containerId);
    if (known == null) {
      return Future.succeededFuture();
    }
    JsonObject body =
        new JsonObject()
            .put("containerId", containerId)
            .put("gracePeriodSeconds", grace.toSeconds());
    Call call =
        Call.post("stop", container(pod.uid(), known.name(), "stop").toString(), body.toBuffer());
    return done(change(call.patient(grace.plus(STOP))));
  }

  @Override
  public Future<Void> removeContainer(PodRef pod, String containerId) {
    ContainerRecord known = book.container(pod.uid(), containerId);
    if (known == null) {
      return Future.succeededFuture();
    }
    String path = container(pod.uid(), known.name()).query("containerId", containerId).toString();
    return done(change(Call.delete("forget", path)));
  }

  @Override
  public Future<ProbeResult> probe(ProbeRequest request) {
    JsonObject body =
        new JsonObject()
            .put("containerId", request.containerId())
            .put("kind", request.kind().name().toLowerCase(Locale.ROOT))
            .put("timeoutSeconds", request.probe().timeoutSeconds())
            .put("handler", Handlers.json(request.probe().handler()));
    Call call =
        Call.post(
            "probe",
            container(request.pod().uid(), request.container().name(), "probe").toString(),
            body.toBuffer());
    return client
        .call(call.patient(Duration.ofSeconds(request.probe().timeoutSeconds())))
        .map(answer -> result(call, answer.body()));
  }

  private static ProbeResult result(Call call, Buffer body) {
    try {
      JsonObject json = new JsonObject(body);
      String output = json.getString("output", "");
      return switch (json.getString("outcome", "")) {
        case "Success" -> new ProbeResult(ProbeResult.Outcome.SUCCESS, output);
        case "Warning" -> ProbeResult.warning(output);
        case "Failure" -> ProbeResult.failure(output);
        default -> throw Failures.invalid(call.display(), "/outcome is none");
      };
    } catch (DecodeException | ClassCastException e) {
      throw Failures.invalid(call.display(), "must be a JSON object");
    }
  }

  @Override
  public Future<Void> runHook(HookRequest request) {
    boolean begin = request.moment() == HookRequest.Moment.POST_START;
    JsonObject body =
        new JsonObject()
            .put("containerId", request.containerId())
            .put("moment", begin ? "postStart" : "preStop")
            .put("handler", Handlers.json(request.handler()));
    Call call =
        Call.post(
            "hook",
            container(request.pod().uid(), request.container().name(), "hook").toString(),
            body.toBuffer());
    return client.call(call.patient(STOP)).mapEmpty();
  }

  @Override
  public PodStreams streams() {
    return streams;
  }

  @Override
  public Future<NodeUsage> usage(String node) {
    book.served(node);
    return nodes.usage(node);
  }

  @Override
  public NodeSpec configure(NodeSpec spec) {
    return nodes.configure(spec);
  }

  @Override
  public List<NodeConditionView> conditions(String node) {
    return nodes.conditions(node);
  }

  @Override
  public Future<List<RuntimePod>> list() {
    return subscription.awaitSynced().map(known -> book.pods());
  }

  @Override
  public Future<Optional<RuntimePod>> restore(PodView pod) {
    book.served(pod.nodeName());
    return subscription.awaitSynced().map(known -> book.find(pod.uid()));
  }

  @Override
  public Future<Void> release(String node) {
    book.release(node);
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> status() {
    return subscription.problem().isEmpty()
        ? Future.succeededFuture()
        : Future.failedFuture("the back end cannot be reached: " + subscription.problem());
  }

  @Override
  public Future<Void> stop() {
    if (stopped) {
      return Future.succeededFuture();
    }
    stopped = true;
    subscription.stop();
    return client.close();
  }
}
