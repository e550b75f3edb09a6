package dev.vertlet.harness.loadtest;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import dev.vertlet.cli.FailedException;
import dev.vertlet.harness.load.LoadPlan;
import dev.vertlet.harness.load.PodLoad;
import dev.vertlet.harness.subject.Peer;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.Verb;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** Objects that a load test creates in a cluster, and their removal. */
final class CreatedObjects {
  private static final KubePath NAMESPACES = new KubePath("/api/v1/namespaces", "namespaces", "");

  /** The controller takes half a minute for a namespace with thousands of pods. */
  private static final int CLEAR_SECONDS = 120;

  private static final int POLL_MILLIS = 250;

  private final LoadPlan plan;
  private final PodLoad load;

  CreatedObjects(LoadPlan plan, PodLoad load) {
    this.plan = plan;
    this.load = load;
  }

  /**
   * Creates the namespaces and their service accounts, which a cluster's controllers would create
   * later than pods need them.
   */
  Future<?> create() {
    return Future.all(plan.namespaces().stream().map(this::create).toList());
  }

  private Future<?> create(String namespace) {
    return load.send(post(NAMESPACES, "Namespace", namespace))
        .compose(
            made ->
                load.send(
                    post(
                        new KubePath(
                            path(namespace).path() + "/serviceaccounts", "serviceaccounts", ""),
                        "ServiceAccount",
                        plan.serviceAccount())));
  }

  /** Creates the Node objects that a peer serves but does not create. */
  Future<?> createNodes(Peer peer) {
    NodeObjects objects = new NodeObjects(plan, peer);
    return Future.all(
        IntStream.range(0, plan.nodes())
            .mapToObj(
                node ->
                    load.send(
                        KubeRequest.create(Lane.REST, KubePath.nodes(), objects.manifest(node))))
            .toList());
  }

  private KubeRequest post(KubePath path, String kind, String name) {
    JsonObject metadata =
        new JsonObject()
            .put("name", name)
            .put("labels", new JsonObject().put(LoadPlan.LABEL, plan.prefix()));
    return KubeRequest.create(
        Lane.REST,
        path,
        new JsonObject()
            .put("apiVersion", "v1")
            .put("kind", kind)
            .put("metadata", metadata)
            .toBuffer());
  }

  /**
   * Deletes all objects, pods without a grace period because their agent is gone. Blocks until the
   * cleanup has finished, even on Ctrl-C: leftovers would disturb later runs.
   */
  void clear() throws InterruptedException {
    try {
      Future.join(nodes(), namespaces()).await(CLEAR_SECONDS, SECONDS);
      for (String namespace : plan.namespaces()) {
        awaitGone(namespace);
      }
    } catch (TimeoutException e) {
      throw left("within %d s".formatted(CLEAR_SECONDS), e);
    } catch (KubeException e) {
      throw left("(%s)".formatted(e.getMessage()), e);
    }
  }

  private FailedException left(String why, Exception cause) {
    return new FailedException(
        "not cleared %s; what is left goes with: kubectl delete namespaces,nodes -l %s"
            .formatted(why, plan.label()),
        cause);
  }

  /** Deletes namespaces first: in a terminating one, no controller replaces deleted pods. */
  private Future<?> namespaces() {
    return Future.join(
        plan.namespaces().stream()
            .map(
                namespace ->
                    load.send(delete(path(namespace), ""))
                        .compose(going -> load.send(delete(KubePath.pods(namespace), ""))))
            .toList());
  }

  /** Waits until the cluster's controllers have emptied and deleted the namespace. */
  private void awaitGone(String namespace) throws InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + SECONDS.toNanos(CLEAR_SECONDS);
    while (!isGone(namespace).await(CLEAR_SECONDS, SECONDS)) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException("namespace " + namespace);
      }
      MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  /**
   * Deletes nodes by name, because a peer's nodes may not have their label yet. Controllers delete
   * the leases along with the nodes; without controllers the leases would stay.
   */
  private Future<?> nodes() {
    List<Future<?>> going = new ArrayList<>();
    for (int i = 0; i < plan.nodes(); i++) {
      going.add(load.send(delete(KubePath.node(plan.node(i)), "")));
      going.add(load.send(delete(KubePath.nodeLease(plan.node(i)), "")));
    }
    return Future.join(going);
  }

  private static KubeRequest delete(KubePath path, String query) {
    return new KubeRequest(
        Lane.REST,
        Verb.DELETE,
        path,
        query,
        MediaType.JSON,
        Buffer.buffer(
            "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"gracePeriodSeconds\":0}"),
        MediaType.JSON,
        null);
  }

  private static KubePath path(String namespace) {
    return new KubePath(NAMESPACES.path() + "/" + namespace, "namespaces", "");
  }

  private Future<Boolean> isGone(String namespace) {
    return load.send(KubeRequest.get(Lane.REST, path(namespace)))
        .map(found -> false)
        .recover(
            failure ->
                KubeException.is(failure, KubeException.Kind.NOT_FOUND)
                    ? Future.succeededFuture(true)
                    : Future.failedFuture(failure));
  }
}
