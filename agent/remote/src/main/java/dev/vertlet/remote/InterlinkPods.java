package dev.vertlet.remote;

import dev.vertlet.bus.PodReport;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.PodStreams;
import dev.vertlet.remote.client.BackendClient;
import dev.vertlet.remote.client.BackendEvents;
import dev.vertlet.remote.client.Call;
import dev.vertlet.remote.client.ContractException;
import dev.vertlet.remote.client.Failures;
import dev.vertlet.remote.client.Fields;
import dev.vertlet.remote.client.PodPayload;
import dev.vertlet.remote.client.RemoteMeters;
import dev.vertlet.remote.client.RemoteSettings;
import dev.vertlet.remote.stream.RemoteStreams;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.streams.WriteStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whole pods of an interLink plugin: {@code /create}, {@code /delete}, {@code /status} and {@code
 * /getLogs}. A plugin reports nothing, so it is polled; it runs no commands in containers. Confined
 * to the context of its shard.
 *
 * @see <a
 *     href="https://github.com/interlink-hq/interLink/blob/main/docs/openapi/plugin-openapi.json">
 *     the plugin API</a>
 */
final class InterlinkPods implements PodProvider, PodStreams, NodeProvider {
  private static final Logger LOG = LoggerFactory.getLogger(InterlinkPods.class);

  private final ProviderSetup setup;
  private final BackendClient client;
  private final PodState.Reader reader = new PodState.Reader();

  /** Pods that the plugin was given, by UID. */
  private final Map<String, Known> pods = new HashMap<>();

  private @Nullable ProviderContext context;

  private static final class Known {
    PodView pod;
    PodStatusView last;
    boolean deleted;

    /** What was wrong with the plugin's last state; empty for nothing. */
    String problem = "";

    Known(PodView pod) {
      this.pod = pod;
      this.last = pod.status();
    }
  }

  InterlinkPods(ProviderSetup setup, RemoteSettings settings, RemoteMeters meters) {
    this.setup = setup;
    this.client = new BackendClient(setup.vertx(), setup.clock(), settings, meters);
  }

  @Override
  public Future<Void> start(ProviderContext given) {
    context = given;
    return Future.succeededFuture();
  }

  @Override
  public boolean reports() {
    return false;
  }

  @Override
  public boolean usesEnvironment() {
    return client.settings().environment();
  }

  @Override
  public PodInput input() {
    return client.settings().content() ? PodInput.VALUES : PodInput.DEFINITION;
  }

  @Override
  public Future<Void> create(PodView pod) {
    return context()
        .fullPod(pod.ref())
        .compose(
            whole -> create(pod, new PodContent(PodDefinition.read(whole), List.of(), Map.of())));
  }

  private ProviderContext context() {
    if (context == null) {
      throw new IllegalStateException("the provider is not started");
    }
    return context;
  }

  /** A pod that the plugin has already is not sent again: a create may have been answered late. */
  @Override
  public Future<Void> create(PodView pod, PodContent content) {
    return statuses(List.of(InterlinkPayload.pod(pod)))
        .compose(
            found -> {
              if (found.containsKey(pod.uid())) {
                pods.computeIfAbsent(pod.uid(), uid -> new Known(pod)).pod = pod;
                return Future.succeededFuture();
              }
              if (!content.missing().isEmpty()) {
                return Future.failedFuture(NewestContent.incomplete(content.missing()));
              }
              JsonObject json = PodPayload.pod(content.definition().json(), pod, usesEnvironment());
              Buffer body = InterlinkPayload.create(json, content.volumes()).toBuffer();
              Call call = Call.post("create", "/create", body).once(); // each is one more job
              return client
                  .call(call)
                  .compose(made -> created(call, pod, made.body()))
                  .onSuccess(made -> pods.put(pod.uid(), new Known(pod)));
            });
  }

  /** Plugins need not answer in JSON, but an answer that is about another pod is none. */
  private static Future<Void> created(Call call, PodView pod, Buffer body) {
    JsonObject said;
    try {
      said = Fields.document(body);
    } catch (ContractException e) {
      return Future.succeededFuture();
    }
    return said.getValue("PodUID") == null || pod.uid().equals(said.getValue("PodUID"))
        ? Future.succeededFuture()
        : Future.failedFuture(
            Failures.invalid(
                call.display(), Fields.refused(said, "PodUID", "must be " + pod.uid())));
  }

  /** Labels and annotations are nothing to a plugin, and it can change nothing else. */
  @Override
  public Future<Void> update(PodView pod) {
    Known known = pods.get(pod.uid());
    if (known == null) {
      return Future.failedFuture(notFound(pod.ref()));
    }
    boolean same = known.pod.spec().hash() == pod.spec().hash();
    known.pod = pod;
    return same
        ? Future.succeededFuture()
        : Future.failedFuture(
            new ProviderException(
                Kind.UNSUPPORTED, "UpdateUnsupported", "interLink plugins change no running pod"));
  }

  private static ProviderException notFound(PodRef pod) {
    return new ProviderException(
        Kind.NOT_FOUND, "NotFound", "the plugin was given no pod " + pod.display());
  }

  /** A plugin may have a job that this agent has not asked for: it was restarted meanwhile. */
  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    Known known = pods.get(pod.uid());
    return known == null
        ? end(new Known(pod)).compose(ended -> Future.failedFuture(notFound(pod.ref())))
        : end(known);
  }

  private Future<Void> end(Known known) {
    if (known.deleted) {
      return Future.succeededFuture();
    }
    Buffer body = InterlinkPayload.pod(known.pod).toBuffer();
    return client
        .answer(Call.post("delete", "/delete", body))
        .compose(
            answer ->
                answer.ok() || answer.status() == 404
                    ? Future.succeededFuture()
                    : Future.failedFuture(
                        Failures.of(
                            Call.delete("delete", "/delete"), answer.status(), answer.body())))
        .onSuccess(done -> known.deleted = true)
        .mapEmpty();
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    Known known = pods.get(pod.uid());
    return known == null
        ? Future.succeededFuture()
        : end(known).onSuccess(done -> pods.remove(pod.uid()));
  }

  /** Asks the plugin for a pod that it may have from before the agent's restart. */
  @Override
  public Future<Optional<PodReport>> get(PodRef pod) {
    Known known = pods.get(pod.uid());
    return known != null
        ? Future.succeededFuture(Optional.of(report(known)))
        : statuses(List.of(InterlinkPayload.pod(pod)))
            .map(found -> Optional.ofNullable(found.get(pod.uid())).map(said -> held(pod)));
  }

  /** Reports a pod of which the agent does not know yet what it runs, and where. */
  private static PodReport held(PodRef pod) {
    return new PodReport(pod, "", PodStatusView.EMPTY, false);
  }

  private PodReport report(Known known) {
    boolean over = known.deleted || known.last.phase().terminal();
    return new PodReport(known.pod.ref(), known.pod.nodeName(), known.last, over);
  }

  @Override
  public Future<List<PodReport>> list() {
    List<Known> asked = pods.values().stream().filter(known -> !known.deleted).toList();
    if (asked.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    return statuses(asked.stream().map(known -> InterlinkPayload.pod(known.pod)).toList())
        .map(
            found -> {
              List<PodReport> reports = new ArrayList<>();
              for (Known known : asked) {
                JsonObject said = found.get(known.pod.uid());
                if (said != null) {
                  take(known, said);
                  reports.add(report(known));
                }
              }
              return reports;
            });
  }

  /** States of those of these pods that the plugin has, by UID. */
  private Future<Map<String, JsonObject>> statuses(List<JsonObject> asked) {
    Call call = Call.get("status", "/status", new JsonArray(asked).toBuffer());
    return client
        .call(call)
        .map(
            answer -> {
              try {
                return InterlinkStates.of(answer.body());
              } catch (ContractException e) {
                throw Failures.invalid(call.display(), e);
              }
            });
  }

  /** Takes a pod's state; one that makes no sense leaves the pod as it was. */
  private void take(Known known, JsonObject said) {
    try {
      known.last = status(known, said);
      known.problem = "";
    } catch (ContractException e) {
      String problem = String.valueOf(e.getMessage());
      if (!problem.equals(known.problem)) {
        known.problem = problem;
        LOG.atWarn()
            .addKeyValue("podUid", known.pod.uid())
            .addKeyValue("error", problem)
            .log("the plugin's state of a pod cannot be read");
        BackendEvents.invalidStatus(context(), known.pod, e);
      }
    }
  }

  private PodStatusView status(Known known, JsonObject said) {
    PodStatusView status = InterlinkStates.status(reader, known.pod.ref(), said);
    String hostIP = setup.node(known.pod.nodeName()).hostIP();
    return Statuses.completed(known.pod, status, known.last, hostIP, setup.clock().instant());
  }

  @Override
  public Future<Void> release(String node) {
    pods.values().removeIf(known -> known.pod.nodeName().equals(node));
    return Future.succeededFuture();
  }

  @Override
  public PodStreams streams() {
    return this;
  }

  @Override
  public Future<Void> check(StreamKind kind, ContainerTarget target) {
    return PodStreams.NONE.check(kind, target);
  }

  @Override
  public Future<Void> logs(LogRequest request, WriteStream<Buffer> out, Future<Void> gone) {
    if (!pods.containsKey(request.target().pod().uid())) {
      return Future.failedFuture(notFound(request.target().pod()));
    }
    Long tail = request.tailLines();
    if (tail != null && tail == 0) {
      return Future.succeededFuture(); // 0 stands for all lines there
    }
    Call call = Call.get("logs", "/getLogs", InterlinkPayload.logs(request).toBuffer());
    Context own = Vertx.currentContext();
    Context to = own == null ? setup.vertx().getOrCreateContext() : own;
    return client.open(call).compose(opened -> RemoteStreams.copy(to, opened, out, gone));
  }

  @Override
  public NodeProvider nodes() {
    return this;
  }

  /** Asks for the states of no pod, as interLink does. */
  @Override
  public Future<Void> ping(String node) {
    return statuses(List.of()).mapEmpty();
  }

  @Override
  public NodeHealth health(String node) {
    return NodeHealth.HEALTHY;
  }

  @Override
  public void onChange(Consumer<String> listener) {
    // a plugin says nothing of nodes
  }

  @Override
  public Future<Void> stop() {
    return client.close();
  }
}
