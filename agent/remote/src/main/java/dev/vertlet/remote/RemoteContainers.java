package dev.vertlet.remote;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.container.HookRequest;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.container.SandboxStart;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.RegistryCredential;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.probe.ProbeRequest;
import dev.vertlet.provider.probe.ProbeResult;
import dev.vertlet.provider.stream.PodStreams;
import dev.vertlet.remote.client.BackendClient;
import dev.vertlet.remote.client.Call;
import dev.vertlet.remote.client.ContractException;
import dev.vertlet.remote.client.Failures;
import dev.vertlet.remote.client.Fields;
import dev.vertlet.remote.client.PodPayload;
import dev.vertlet.remote.client.RemoteMeters;
import dev.vertlet.remote.client.RemoteSettings;
import dev.vertlet.remote.client.Subscription;
import dev.vertlet.remote.stream.RemoteStreams;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Single containers of a back end. Confined to the context of its shard. */
final class RemoteContainers implements ContainerRuntime {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteContainers.class);

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
    } catch (ContractException e) {
      String uid = json.getValue("uid") instanceof String text ? text : "";
      book.seen(uid);
      LOG.atWarn()
          .addKeyValue("podUid", uid)
          .addKeyValue("error", e.getMessage())
          .log("the back end's state of a sandbox cannot be read");
    }
  }

  /** Makes a call whose answer is the new state of the pod. */
  private Future<RuntimePod> change(PodRef pod, Call call) {
    return read(call, body -> SandboxState.read(reader, Fields.of(pod.uid(), body)))
        .map(
            state -> {
              book.observed(state);
              return state.pod();
            });
  }

  /** Makes a call and reads its answer. */
  private <T> Future<T> read(Call call, Function<Buffer, T> reading) {
    return client
        .call(call)
        .map(
            answer -> {
              try {
                return reading.apply(answer.body());
              } catch (ContractException e) {
                throw Failures.invalid(call.display(), e);
              }
            });
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
    Call call = SandboxCalls.run(pod, attempt, definition, more);
    book.served(pod.nodeName());
    book.wanted(pod.uid());
    return change(pod.ref(), call)
        .map(
            made -> {
              SandboxRecord record = made.sandbox();
              if (record == null) {
                throw Failures.invalid(call.display(), "/sandbox: is missing; must be an object");
              }
              return record;
            });
  }

  @Override
  public Future<Void> contentChanged(PodRef pod, List<VolumeContent> volumes) {
    return client.sendContent(SandboxCalls.path(pod), volumes);
  }

  @Override
  public Future<Void> removeSandbox(PodRef pod) {
    return done(client.call(SandboxCalls.remove(pod))).onSuccess(v -> book.forget(pod.uid()));
  }

  private static Future<Void> done(Future<?> answer) {
    return Failures.unlessMissing(answer.mapEmpty());
  }

  @Override
  public Future<Optional<String>> imageId(String node, String image) {
    return read(SandboxCalls.image(node, image), SandboxCalls::imageId)
        .map(Optional::of)
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
    return read(
        SandboxCalls.pull(pod.nodeName(), container.image(), credential), SandboxCalls::imageId);
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
    Call call = SandboxCalls.start(pod, container.name(), attempt, imageId, definition);
    return change(pod.ref(), call)
        .map(
            state ->
                state.containers().stream()
                    .filter(c -> c.name().equals(container.name()) && c.attempt() == attempt)
                    .findFirst()
                    .orElseThrow(
                        () ->
                            Failures.invalid(
                                call.display(), "/containers: has no attempt " + attempt)));
  }

  @Override
  public Future<Void> stopContainer(PodRef pod, String containerId, Duration grace) {
    ContainerRecord known = book.container(pod.uid(), containerId);
    if (known == null) {
      return Future.succeededFuture();
    }
    return done(change(pod, SandboxCalls.stop(pod, known, grace)));
  }

  @Override
  public Future<Void> removeContainer(PodRef pod, String containerId) {
    ContainerRecord known = book.container(pod.uid(), containerId);
    if (known == null) {
      return Future.succeededFuture();
    }
    return done(change(pod, SandboxCalls.forget(pod, known)));
  }

  @Override
  public boolean resizesContainers() {
    return client.settings().resize();
  }

  @Override
  public Future<Void> updateResources(PodView pod, ContainerView container, String containerId) {
    return change(pod.ref(), SandboxCalls.resize(pod, container, containerId)).mapEmpty();
  }

  @Override
  public Future<ProbeResult> probe(ProbeRequest request) {
    return read(SandboxCalls.probe(request), SandboxCalls::result);
  }

  @Override
  public Future<Void> runHook(HookRequest request) {
    return client.call(SandboxCalls.hook(request)).mapEmpty();
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
