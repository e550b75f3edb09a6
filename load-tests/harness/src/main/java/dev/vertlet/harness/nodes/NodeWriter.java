package dev.vertlet.harness.nodes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.vertlet.harness.load.PersistentRequests;
import dev.vertlet.kube.ApiAccess;
import dev.vertlet.kube.KubeClient;
import dev.vertlet.kube.KubeClientOptions;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.Recovery;
import dev.vertlet.kube.Verb;
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
 * Makes and removes nodes, some at a time. All state belongs to its event loop; its methods may be
 * called from any thread, and their Futures complete on that loop.
 */
public final class NodeWriter extends VerticleBase {
  /** An API server answers 500 objects' metadata in some milliseconds. */
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

  /** Written on the event loop, read by whoever shows progress. */
  private volatile int done;

  /** The same: why a request is sent again; empty when none was. */
  private volatile String trouble = "";

  /**
   * @param atOnce requests in flight at most, 1 to 1000
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

  /** Requests that are over, done or not. */
  public int done() {
    return done;
  }

  /** Why a request had to be sent again the last time; empty when none had to. */
  public String trouble() {
    return trouble;
  }

  /**
   * The nodes with these labels, in the order of the API server.
   *
   * @param selector as kubectl has it
   * @return fails with {@link KubeException}, at once when the API server cannot be reached
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
   * Does what a plan says; call it once.
   *
   * @return completes when everything is done, could not be done, or was not begun before {@link
   *     #cancel}; what came of it says {@link #outcome}. Never fails
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

  /** The same for a plan that makes no node. */
  public Future<Void> delete(NodePlan plan) {
    return onLoop(
        () -> {
          plan.delete().forEach(node -> waiting.add(() -> delete(node)));
          next();
          return settled.future();
        });
  }

  /** Begins nothing more; {@link #run} completes when what is in flight is over. */
  public void cancel() {
    context.runOnContext(
        v -> {
          cancelled = true;
          waiting.clear();
          started(requests).cancel();
          next();
        });
  }

  /** What came of it until now. */
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

  /** Never fails; false where nothing is known to have been done, and nothing was refused. */
  private Future<Boolean> create(NodePattern pattern, int index) {
    String name = pattern.nameOf(index);
    // strict: a field that no Node has is an error that names it
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

  /** Another run of this command may have been faster; a node of somebody else stays his. */
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

  /** As {@link #create}. */
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

  /** What the server refuses for one node it refuses for all: nothing more is begun. */
  private Future<Boolean> failed(String name, Throwable failure) {
    KubeException refused = KubeException.from(failure);
    if (cancelled && refused.recovery() == Recovery.RETRY) {
      return Future.succeededFuture(false);
    }
    outcome.failed(name, refused.getMessage());
    if (refused.kind() == Kind.INVALID) {
      outcome.invalid(refused.getMessage());
    }
    // else another node has the name now, which says nothing of the others
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
