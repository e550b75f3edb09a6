package dev.vertlet.remote;

import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.Backoff;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodView;
import dev.vertlet.provider.NodeProvider;
import dev.vertlet.provider.NodeUsage;
import dev.vertlet.provider.PodContent;
import dev.vertlet.provider.PodInput;
import dev.vertlet.provider.PodProvider;
import dev.vertlet.provider.PodStreams;
import dev.vertlet.provider.ProviderContext;
import dev.vertlet.provider.ProviderException;
import dev.vertlet.provider.ProviderException.Kind;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.RegistryCredential;
import dev.vertlet.provider.VolumeContent;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whole pods of a back end. Confined to the context of its shard. */
final class RemotePods implements PodProvider {
  private static final Logger LOG = LoggerFactory.getLogger(RemotePods.class);

  /** Delays between tries to create a lost pod again; as between those of a new pod. */
  private static final Backoff RETRIES =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 2, 0.1);

  private static final int CONFLICT = 409;

  private final ProviderSetup setup;
  private final BackendClient client;
  private final RemoteMeters meters;
  private final PodBook book;
  private final RemoteNodes nodes;
  private final RemoteStreams streams;
  private final Subscription subscription;
  private final PodState.Reader reader = new PodState.Reader();

  /** Last call of each pod that has one in progress, by UID: calls of one pod never overlap. */
  private final Map<String, Future<?>> turns = new HashMap<>();

  /** Newest content of each pod's volumes by name, by UID, for a pod that has to be sent again. */
  private final Map<String, Map<String, VolumeContent>> contents = new HashMap<>();

  /** Credentials of each pod by image, by UID, for the same. */
  private final Map<String, Map<String, List<RegistryCredential>>> credentials = new HashMap<>();

  private @Nullable ProviderContext context;
  private boolean stopped;

  RemotePods(ProviderSetup setup, RemoteSettings settings, RemoteMeters meters) {
    this.setup = setup;
    this.meters = meters;
    this.client = new BackendClient(setup.vertx(), setup.clock(), settings, meters);
    this.book = new PodBook(this::hostIP, setup.clock()::instant, new Decisions());
    this.nodes = new RemoteNodes(client, setup.nodes(), book::served);
    this.streams = new RemoteStreams(setup.vertx(), client);
    this.subscription =
        new Subscription(
            setup.vertx(), setup.clock(), setup.random(), client, meters, "pods", new Incoming());
  }

  private String hostIP(String node) {
    return nodes.hostIP(node);
  }

  private ProviderContext context() {
    if (context == null) {
      throw new IllegalStateException("the provider is not started");
    }
    return context;
  }

  /**
   * Starts to follow the back end. A back end that is down does not fail the start: its nodes are
   * NotReady until it answers.
   */
  @Override
  public Future<Void> start(ProviderContext given) {
    context = given;
    return subscription.start().compose(tried -> nodes.read());
  }

  private final class Incoming extends StateListener {
    Incoming() {
      super("pod", book, nodes);
    }

    @Override
    void observed(JsonObject state) {
      RemotePods.this.observed(state);
    }

    @Override
    void other(String type, JsonObject line) {
      if (type.equals("event")) {
        event(Subscription.object(line, "event"));
      } else {
        super.other(type, line);
      }
    }
  }

  /** Takes a state of the list or the stream; one that cannot be read harms its own pod alone. */
  private void observed(JsonObject json) {
    try {
      book.observed(reader.read(json));
    } catch (PodState.InvalidStateException e) {
      String uid = json.getValue("uid") instanceof String text ? text : "";
      book.seen(uid);
      PodView pod = book.wanted(uid);
      LOG.atWarn()
          .addKeyValue("podUid", uid)
          .addKeyValue("error", e.getMessage())
          .log("the back end's state of a pod cannot be read");
      if (pod != null) {
        write(
            pod,
            ObjectEvent.WARNING,
            "InvalidStatus",
            "status of the back end: " + e.getMessage(),
            "");
      }
    }
  }

  private void event(JsonObject event) {
    PodView pod = book.wanted(event.getString("uid", ""));
    if (pod != null) {
      String type = event.getString("type", ObjectEvent.NORMAL);
      write(
          pod,
          type.equals(ObjectEvent.WARNING) ? type : ObjectEvent.NORMAL,
          event.getString("reason", "BackendEvent"),
          event.getString("message", ""),
          event.getString("fieldPath", ""));
    }
  }

  private void write(PodView pod, String type, String reason, String message, String fieldPath) {
    context()
        .event(
            new ObjectEvent(
                "Pod",
                pod.namespace(),
                pod.name(),
                pod.uid(),
                fieldPath,
                type,
                reason,
                message,
                pod.nodeName()));
  }

  /** What the book decides. */
  private final class Decisions implements PodBook.Effects {
    @Override
    public void report(PodReport report) {
      context().report(report);
    }

    @Override
    public void unclaimed(PodReport report) {
      context().unclaimed(report);
    }

    @Override
    public void lost(PodView pod) {
      meters.lost();
      LOG.atWarn()
          .addKeyValue("node", pod.nodeName())
          .addKeyValue("pod", pod.ref().display())
          .addKeyValue("podUid", pod.uid())
          .log("the back end no longer has the pod");
    }

    @Override
    public void createAgain(PodView pod) {
      again(pod.uid(), 1);
    }
  }

  /** Creates a lost pod, unless it is wanted no longer or is there again. */
  private void again(String uid, int attempt) {
    inTurn(
            uid,
            () -> {
              PodView pod = stopped ? null : book.missing(uid);
              return pod == null ? Future.<Void>succeededFuture() : send(pod, null);
            })
        .onFailure(failure -> notAgain(uid, attempt, failure));
  }

  private void notAgain(String uid, int attempt, Throwable failure) {
    PodView pod = book.missing(uid);
    if (pod != null && !stopped) {
      write(
          pod,
          ObjectEvent.WARNING,
          "ProviderCreateFailed",
          String.valueOf(failure.getMessage()),
          "");
      long delay = RETRIES.delay(attempt, setup.random()).toMillis();
      setup.vertx().setTimer(delay, id -> again(uid, attempt + 1));
    }
  }

  @Override
  public PodInput input() {
    return client.settings().content() ? PodInput.VALUES : PodInput.DEFINITION;
  }

  /** Called by programs that have no content for the pod. */
  @Override
  public Future<Void> create(PodView pod) {
    return subscription.awaitSynced().compose(known -> inTurn(pod.uid(), () -> claim(pod, null)));
  }

  @Override
  public Future<Void> create(PodView pod, PodContent content) {
    return subscription
        .awaitSynced()
        .compose(known -> inTurn(pod.uid(), () -> claim(pod, content)));
  }

  private Future<Void> claim(PodView pod, @Nullable PodContent content) {
    keep(pod, content);
    return switch (book.claim(pod)) {
      case SEND -> send(pod, content);
      // tokens that the back end has end with the agent that requested them
      case ADOPTED -> held(pod, content);
      case OVER -> Future.succeededFuture();
    };
  }

  /** Sends the content of a pod that the back end has as it is wanted. */
  private Future<Void> held(PodView pod, @Nullable PodContent content) {
    return content == null ? Future.succeededFuture() : patch(pod.uid(), content.volumes());
  }

  private void keep(PodView pod, @Nullable PodContent content) {
    if (content != null) {
      keep(pod.uid(), content.volumes());
      if (content.credentials().isEmpty()) {
        credentials.remove(pod.uid());
      } else {
        credentials.put(pod.uid(), content.credentials());
      }
    }
  }

  private void keep(String uid, List<VolumeContent> volumes) {
    if (!volumes.isEmpty()) {
      Map<String, VolumeContent> own = contents.computeIfAbsent(uid, unused -> new HashMap<>());
      volumes.forEach(volume -> own.put(volume.volume(), volume));
    }
  }

  private void drop(String uid) {
    contents.remove(uid);
    credentials.remove(uid);
  }

  @Override
  public Future<Void> contentChanged(PodRef pod, List<VolumeContent> volumes) {
    keep(pod.uid(), volumes);
    return inTurn(
        pod.uid(),
        () -> book.holds(pod.uid()) ? patch(pod.uid(), volumes) : Future.succeededFuture());
  }

  /** Sends new content; a back end without this call keeps the first. */
  private Future<Void> patch(String uid, List<VolumeContent> volumes) {
    return client.sendContent(Paths.of("v1", "pods", uid).toString(), volumes);
  }

  /**
   * Sends a pod.
   *
   * @param given null if it has to be read
   */
  private Future<Void> send(PodView pod, @Nullable PodContent given) {
    Map<String, Integer> counts = book.restartCounts(pod);
    Collection<VolumeContent> volumes = contents.getOrDefault(pod.uid(), Map.of()).values();
    Future<Buffer> definition =
        given == null
            ? context().fullPod(pod.ref())
            : Future.succeededFuture(given.definition().json());
    Map<String, List<RegistryCredential>> own = credentials.getOrDefault(pod.uid(), Map.of());
    return definition
        .map(whole -> PodPayload.of(whole, pod, usesEnvironment(), counts, volumes, own))
        .compose(body -> put(pod, body));
  }

  private Future<Void> put(PodView pod, Buffer body) {
    Call call = Call.put("put", Paths.of("v1", "pods", pod.uid()).toString(), body);
    return client
        .answer(call)
        .compose(
            answer -> {
              if (answer.status() == CONFLICT) {
                book.seen(pod.uid()); // a newer generation is there, and the stream tells of it
                return Future.succeededFuture();
              }
              if (!answer.ok()) {
                return Future.failedFuture(Failures.of(call, answer.status(), answer.body()));
              }
              return taken(call, pod, answer.body());
            });
  }

  private Future<Void> taken(Call call, PodView pod, Buffer body) {
    try {
      PodState state = reader.read(new JsonObject(body));
      if (!state.pod().uid().equals(pod.uid())) {
        throw Failures.invalid(call.display(), "/uid is that of another pod");
      }
      book.observed(state);
      return Future.succeededFuture();
    } catch (PodState.InvalidStateException | DecodeException | ClassCastException e) {
      return Future.failedFuture(
          Failures.invalid(call.display(), "the answer is no state of a pod: " + e.getMessage()));
    }
  }

  @Override
  public Future<Void> update(PodView pod) {
    return change(pod, null);
  }

  @Override
  public Future<Void> update(PodView pod, PodContent content) {
    keep(pod, content);
    return change(pod, content);
  }

  private Future<Void> change(PodView pod, @Nullable PodContent content) {
    return inTurn(
        pod.uid(),
        () -> {
          book.updated(pod);
          if (!book.holds(pod.uid())) {
            return Future.failedFuture(notFound(pod.ref()));
          }
          return book.holds(pod) ? held(pod, content) : send(pod, content);
        });
  }

  private static ProviderException notFound(PodRef pod) {
    return new ProviderException(
        Kind.NOT_FOUND, "NotFound", "the back end has no pod " + pod.display());
  }

  @Override
  public Future<Void> delete(PodView pod, Duration grace) {
    book.ending(pod.uid());
    drop(pod.uid());
    return inTurn(pod.uid(), () -> end(pod.uid(), Math.max(1, grace.toSeconds())));
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    book.killing(pod.uid());
    drop(pod.uid());
    return inTurn(
        pod.uid(),
        () ->
            Failures.unlessMissing(end(pod.uid(), 0))
                .onSuccess(done -> book.forget(pod.uid()))
                .onFailure(failure -> book.notKilled(pod.uid())));
  }

  private Future<Void> end(String uid, long graceSeconds) {
    String path =
        Paths.of("v1", "pods", uid)
            .query("gracePeriodSeconds", String.valueOf(graceSeconds))
            .toString();
    return client.call(Call.delete("delete", path)).mapEmpty();
  }

  private <T> Future<T> inTurn(String uid, Supplier<Future<T>> call) {
    Future<?> before = turns.get(uid);
    Future<T> own =
        before == null || before.isComplete() ? call.get() : before.transform(done -> call.get());
    turns.put(uid, own);
    return own.onComplete(done -> turns.remove(uid, own));
  }

  @Override
  public Future<Optional<PodReport>> get(PodRef pod) {
    return subscription.awaitSynced().map(known -> book.report(pod));
  }

  @Override
  public Future<List<PodReport>> list() {
    return subscription.awaitSynced().map(known -> book.reports());
  }

  @Override
  public boolean tellsUnclaimed() {
    return true;
  }

  @Override
  public boolean usesEnvironment() {
    return client.settings().environment();
  }

  @Override
  public Future<Void> release(String node) {
    book.release(node);
    contents.keySet().removeIf(uid -> book.wanted(uid) == null);
    credentials.keySet().removeIf(uid -> book.wanted(uid) == null);
    return Future.succeededFuture();
  }

  @Override
  public NodeProvider nodes() {
    return nodes;
  }

  @Override
  public PodStreams streams() {
    return streams;
  }

  @Override
  public Future<NodeUsage> usage(String node) {
    return nodes.usage(node);
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
