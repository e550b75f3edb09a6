package dev.vertlet.harness.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.harness.load.PersistentRequests;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.Recovery;
import dev.vertlet.kube.Verb;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Creates and deletes nodes with a limited number of requests in flight. All state belongs to its
 * event loop; methods may be called from any thread, and their Futures complete on that loop.
 */
public final class NodeWriter extends VerticleBase {
  /** Page size of lists: an API server returns the metadata of 500 objects in some milliseconds. */
  private static final int PAGE = 500;

  private static final String METADATA_LIST =
      "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io,application/json";

  private final ApiAccess access;
  private final int atOnce;
  private final NodeOutcome.Builder outcome = new NodeOutcome.Builder();
  private final Promise<Void> settled = Promise.promise();
  private final Deque<Supplier<Future<Boolean>>> waiting = new ArrayDeque<>();
  private int inFlight;
  private int settledNodes;
  private boolean cancelled;
  private @Nullable KubeClient client;
  private @Nullable PersistentRequests requests;

  /** Written on the event loop, read by the thread that shows progress. */
  private volatile int done;

  /** Reason for the last retry; empty for none. Written on the event loop like {@link #done}. */
  private volatile String trouble = "";

  /**
   * @param atOnce limit of requests in flight, 1 to 1000
   */
  public NodeWriter(ApiAccess access, int atOnce) {
    this.access = access;
    this.atOnce = atOnce;
  }

  @Override
  public Future<?> start() {
    KubeClientOptions options = KubeClientOptions.defaults().withWindow(atOnce);
    return KubeClient.create(vertx, options, access, new SimpleMeterRegistry())
        .onSuccess(
            created -> {
              client = created;
              requests =
                  new PersistentRequests(
                      vertx, created, new SplittableRandom(), message -> trouble = message);
            });
  }

  @Override
  public Future<?> stop() {
    return client == null ? Future.succeededFuture() : client.close();
  }

  private static <T> T started(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the writer has not been started");
    }
    return part;
  }

  /** Number of finished requests, successful or not. */
  public int done() {
    return done;
  }

  /** Reason for the last retry; empty without one. */
  public String trouble() {
    return trouble;
  }

  /**
   * Lists the nodes with matching labels, in the API server's order.
   *
   * @param selector label selector in kubectl's syntax
   * @return fails with {@link KubeException}, at once when the API server is unreachable
   */
  public Future<List<FoundNode>> list(String selector) {
    return onLoop(() -> page(selector, "", new ArrayList<>()));
  }

  private Future<List<FoundNode>> page(String selector, String next, List<FoundNode> found) {
    String query =
        "labelSelector=%s&limit=%d".formatted(URLEncoder.encode(selector, UTF_8), PAGE)
            + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, UTF_8));
    return started(client)
        .send(KubeRequest.list(Lane.NODE, KubePath.nodes(), query, METADATA_LIST))
        .compose(
            answer -> {
              JsonObject list = answer.body().toJsonObject();
              JsonArray items = list.getJsonArray("items");
              if (items != null) { // an API server writes null for none
                items.forEach(item -> found.add(found((JsonObject) item)));
              }
              String more = list.getJsonObject("metadata").getString("continue", "");
              return more.isEmpty() ? Future.succeededFuture(found) : page(selector, more, found);
            });
  }

  private static FoundNode found(JsonObject node) {
    JsonObject metadata = node.getJsonObject("metadata");
    return new FoundNode(metadata.getString("name"), metadata.getString("uid"));
  }

  /**
   * Executes a plan; call it once.
   *
   * @return completes when every change has succeeded, has failed, or was not started before {@link
   *     #cancel}; {@link #outcome} has the details. Never fails
   */
  public Future<Void> run(NodePattern pattern, NodePlan plan) {
    return onLoop(
        () -> {
          plan.delete().forEach(node -> waiting.add(() -> delete(node)));
          plan.create().forEach(index -> waiting.add(() -> create(pattern, index)));
          outcome.kept(plan.kept());
          next();
          return settled.future();
        });
  }

  /** Executes a plan that only deletes nodes; otherwise like {@link #run}. */
  public Future<Void> delete(NodePlan plan) {
    return onLoop(
        () -> {
          plan.delete().forEach(node -> waiting.add(() -> delete(node)));
          next();
          return settled.future();
        });
  }

  /** Starts no more requests; {@link #run} completes when those in flight have finished. */
  public void cancel() {
    context.runOnContext(
        v -> {
          cancelled = true;
          waiting.clear();
          started(requests).cancel();
          next();
        });
  }

  /** Outcome so far. */
  public Future<NodeOutcome> outcome() {
    return onLoop(() -> Future.succeededFuture(outcome.build()));
  }

  private void next() {
    while (inFlight < atOnce && !waiting.isEmpty()) {
      inFlight++;
      waiting
          .poll()
          .get()
          .onSuccess(
              over -> {
                inFlight--;
                settledNodes += over ? 1 : 0;
                done = settledNodes;
                next();
              });
    }
    if (inFlight == 0) {
      settled.tryComplete();
    }
  }

  /** Never fails. False if the result is unknown and the server has not refused the request. */
  private Future<Boolean> create(NodePattern pattern, int index) {
    String name = pattern.nameOf(index);
    // strict: an unknown field is an error that names it
    KubeRequest request =
        new KubeRequest(
            Lane.NODE,
            Verb.CREATE,
            KubePath.nodes(),
            "fieldValidation=Strict",
            MediaType.JSON,
            pattern.node(index).toBuffer(),
            MediaType.METADATA_ONLY,
            null);
    return started(requests)
        .send(request)
        .map(
            answer -> {
              outcome.created(name);
              return true;
            })
        .recover(
            failure ->
                KubeException.is(failure, Kind.ALREADY_EXISTS)
                    ? existing(name)
                    : failed(name, failure));
  }

  /** Keeps a node that another run of the command created; a foreign node is a failure. */
  private Future<Boolean> existing(String name) {
    return started(requests)
        .send(KubeRequest.get(Lane.NODE, KubePath.node(name)).metadataOnly())
        .map(
            answer -> {
              JsonObject labels =
                  answer
                      .body()
                      .toJsonObject()
                      .getJsonObject("metadata")
                      .getJsonObject("labels", new JsonObject());
              if (NodeSet.VALUE.equals(labels.getValue(NodeSet.LABEL))) {
                outcome.keptOneMore();
              } else {
                outcome.failed(
                    name, "is there and has no label " + NodeSet.SELECTOR + ": it stays as it is");
              }
              return true;
            })
        .recover(failure -> failed(name, failure));
  }

  /** Deletes a node; result as of {@link #create}. */
  private Future<Boolean> delete(FoundNode node) {
    KubeRequest request = KubeRequest.deleteNow(Lane.NODE, KubePath.node(node.name()), node.uid());
    return started(requests)
        .send(request)
        .map(
            answer -> {
              outcome.deleted(node.name());
              return true;
            })
        .recover(failure -> failed(node.name(), failure));
  }

  /** Records a failure and starts no more requests: the server would refuse the others, too. */
  private Future<Boolean> failed(String name, Throwable failure) {
    KubeException refused = KubeException.from(failure);
    if (cancelled && refused.recovery() == Recovery.RETRY) {
      return Future.succeededFuture(false);
    }
    outcome.failed(name, refused.getMessage());
    if (refused.kind() == Kind.INVALID) {
      outcome.invalid(refused.getMessage());
    }
    // a conflict means that the name has a new node and does not concern the others
    if (refused.kind() != Kind.CONFLICT) {
      waiting.clear();
    }
    return Future.succeededFuture(true);
  }

  private <T> Future<T> onLoop(Supplier<Future<T>> task) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(v -> task.get().onComplete(promise));
    return promise.future();
  }
}
