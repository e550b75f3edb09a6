package dev.vertlet.remote;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.Backoff;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.content.PodContent;
import dev.vertlet.provider.content.PodInput;
import dev.vertlet.provider.content.VolumeContent;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeUsage;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.provider.pod.ProviderContext;
import dev.vertlet.provider.stream.PodStreams;
import dev.vertlet.remote.client.BackendClient;
import dev.vertlet.remote.client.BackendEvents;
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
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whole pods of a back end. Confined to the context of its shard. */
final class RemotePods implements PodProvider {
  private static final Logger LOG = LoggerFactory.getLogger(RemotePods.class);

  /** Delays between tries to create a lost pod again; as between those of a new pod. */
  private static final Backoff RETRIES =
      new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 2, 0.1);

  private final ProviderSetup setup;
  private final BackendClient client;
  private final RemoteMeters meters;
  private final PodBook book;
  private final RemoteNodes nodes;
  private final RemoteStreams streams;
  private final Subscription subscription;
  private final PodState.Reader reader = new PodState.Reader();
  private final PodCalls calls;
  private final PodTurns turns = new PodTurns();

  /** Newest content of each pod by UID, for a pod that has to be sent again. */
  private final Map<String, NewestContent> contents = new HashMap<>();

  private @Nullable ProviderContext context;
  private boolean stopped;

  RemotePods(ProviderSetup setup, RemoteSettings settings, RemoteMeters meters) {
    this.setup = setup;
    this.meters = meters;
    this.client = new BackendClient(setup.vertx(), setup.clock(), settings, meters);
    this.calls = new PodCalls(client, reader);
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
        event(Fields.object(line, "event"));
      } else {
        super.other(type, line);
      }
    }
  }

  /** Takes a state of the list or the stream; one that cannot be read harms its own pod alone. */
  private void observed(JsonObject json) {
    try {
      book.observed(reader.read(json));
    } catch (ContractException e) {
      String uid = json.getValue("uid") instanceof String text ? text : "";
      book.seen(uid);
      PodView pod = book.wanted(uid);
      LOG.atWarn()
          .addKeyValue("podUid", uid)
          .addKeyValue("error", e.getMessage())
          .log("the back end's state of a pod cannot be read");
      if (pod != null) {
        BackendEvents.invalidStatus(context(), pod, e);
      }
    }
  }

  private void event(JsonObject event) {
    PodView pod = book.wanted(Fields.text(event, "uid"));
    if (pod != null) {
      BackendEvents.of(context(), pod, event);
    }
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
    turns
        .inTurn(
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
      BackendEvents.warn(
          context(), pod, "ProviderCreateFailed", String.valueOf(failure.getMessage()));
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
    return subscription
        .awaitSynced()
        .compose(known -> turns.inTurn(pod.uid(), () -> claim(pod, null)));
  }

  @Override
  public Future<Void> create(PodView pod, PodContent content) {
    return subscription
        .awaitSynced()
        .compose(known -> turns.inTurn(pod.uid(), () -> claim(pod, content)));
  }

  private Future<Void> claim(PodView pod, @Nullable PodContent content) {
    if (content != null) {
      keep(pod, content);
    }
    return switch (book.claim(pod)) {
      case SEND -> send(pod, content);
      // tokens that the back end has end with the agent that requested them
      case ADOPTED -> held(pod, content);
      case OVER -> Future.succeededFuture();
    };
  }

  /** Sends the content of a pod that the back end has as it is wanted. */
  private Future<Void> held(PodView pod, @Nullable PodContent content) {
    return content == null ? Future.succeededFuture() : calls.patch(pod.uid(), content.volumes());
  }

  private void keep(PodView pod, PodContent content) {
    contents.computeIfAbsent(pod.uid(), unused -> new NewestContent()).take(content);
  }

  @Override
  public Future<Void> contentChanged(PodRef pod, List<VolumeContent> volumes) {
    NewestContent newest = contents.get(pod.uid());
    if (newest != null) {
      newest.take(volumes);
    }
    return turns.inTurn(
        pod.uid(),
        () -> book.holds(pod.uid()) ? calls.patch(pod.uid(), volumes) : Future.succeededFuture());
  }

  /**
   * Sends a pod.
   *
   * @param given null if it has to be read
   */
  private Future<Void> send(PodView pod, @Nullable PodContent given) {
    Map<String, Integer> counts = book.restartCounts(pod);
    NewestContent newest = contents.getOrDefault(pod.uid(), new NewestContent());
    if (!newest.missing().isEmpty()) {
      return Future.failedFuture(NewestContent.incomplete(newest.missing()));
    }
    Future<Buffer> definition =
        given == null
            ? context().fullPod(pod.ref())
            : Future.succeededFuture(given.definition().json());
    return definition
        .map(
            whole ->
                PodPayload.of(
                    whole, pod, usesEnvironment(), counts, newest.volumes(), newest.credentials()))
        .compose(body -> calls.put(pod, body))
        .onSuccess(book::observed)
        .mapEmpty();
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
    return turns.inTurn(
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
    contents.remove(pod.uid());
    return turns.inTurn(pod.uid(), () -> calls.delete(pod.uid(), Math.max(1, grace.toSeconds())));
  }

  @Override
  public Future<Void> kill(PodRef pod) {
    book.killing(pod.uid());
    contents.remove(pod.uid());
    return turns.inTurn(
        pod.uid(),
        () ->
            Failures.unlessMissing(calls.delete(pod.uid(), 0))
                .onSuccess(done -> book.forget(pod.uid()))
                .onFailure(failure -> book.notKilled(pod.uid())));
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
