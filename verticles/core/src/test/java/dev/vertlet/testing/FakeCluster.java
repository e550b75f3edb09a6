package dev.vertlet.testing;

import static dev.vertlet.bus.Addresses.LEASE_ACQUIRED;
import static dev.vertlet.testsupport.Waits.get;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.ApiServerOptions;
import dev.vertlet.apiserver.EmbeddedApiServer;
import dev.vertlet.apiserver.Manifests;
import dev.vertlet.apiserver.Objects;
import dev.vertlet.apiserver.fault.Faults;
import dev.vertlet.bus.Address;
import dev.vertlet.bus.BatchAddress;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.BusMessage;
import dev.vertlet.bus.LeaseAcquired;
import dev.vertlet.bus.Shards;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.access.ApiAccess;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.KubeClientOptions;
import dev.vertlet.loop.Env;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import dev.vertlet.nodes.KubeletEndpoint;
import dev.vertlet.nodes.NodeOptions;
import dev.vertlet.nodes.NodeSettings;
import dev.vertlet.nodes.NodeVerticle;
import dev.vertlet.pods.PodSyncVerticle;
import dev.vertlet.pods.PodWatchOptions;
import dev.vertlet.pods.PodWatchVerticle;
import dev.vertlet.provider.node.NodeProvider;
import dev.vertlet.provider.node.NodeSpec;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.status.StatusVerticle;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * What the tests of verticles share: an API server, a client of it and the bus. Used on the test's
 * thread. Every wait has the same long limit, because slow machines run these tests, too.
 */
public final class FakeCluster implements AutoCloseable {

  private final Vertx vertx;
  private final EmbeddedApiServer server;
  private final KubeClient kube;
  private final Bus bus;
  private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();

  private FakeCluster(Vertx vertx, ApiServerOptions options, KubeClientOptions client) {
    this.vertx = vertx;
    this.bus = Bus.install(vertx);
    this.server = get(EmbeddedApiServer.start(vertx, options.withPlainHttp()));
    ApiAccess access = ApiAccess.of(server.url(), server.token());
    this.kube = get(KubeClient.create(vertx, client, access, metrics));
  }

  public static FakeCluster start() {
    return start(ApiServerOptions.defaults(), KubeClientOptions.defaults());
  }

  public static FakeCluster start(ApiServerOptions options, KubeClientOptions client) {
    return new FakeCluster(Vertx.vertx(), options, client);
  }

  public Vertx vertx() {
    return vertx;
  }

  public EmbeddedApiServer server() {
    return server;
  }

  public Objects objects() {
    return server.objects();
  }

  public Faults faults() {
    return server.faults();
  }

  public KubeClient kube() {
    return kube;
  }

  public Bus bus() {
    return bus;
  }

  public SimpleMeterRegistry metrics() {
    return metrics;
  }

  /**
   * @return for {@link #undeploy}
   */
  public String deploy(Deployable verticle) {
    return get(vertx.deployVerticle(verticle));
  }

  /** Watches the pods of one node, for the only shard there is. */
  public void watchPods(String node) {
    deploy(
        new PodWatchVerticle(
            new PodWatchOptions(PodWatchOptions.Mode.AUTO, 500, 1 << 20, false),
            List.of(node),
            new Shards(1),
            kube(),
            bus(),
            new Random(1)));
  }

  /** Runs the pods of one node on a provider, and serves the node. */
  public void servePods(Context shard, PodProvider provider, String node) {
    deployOn(shard, statuses(System::nanoTime));
    deployOn(shard, podSync(node, provider, Clock.systemUTC(), System::nanoTime));
    watchPods(node);
    acquire(node);
  }

  /** For the pods of one node, in the only shard there is. */
  public PodSyncVerticle podSync(
      String node, PodProvider provider, Clock clock, LongSupplier nanos) {
    return new PodSyncVerticle(0, List.of(node), List.of(), provider, kube, bus, env(clock, nanos));
  }

  /** For the statuses of pods in the only shard there is. */
  public StatusVerticle statuses(LongSupplier nanos) {
    return new StatusVerticle(0, false, 100, kube, bus, env(Clock.systemUTC(), nanos));
  }

  /** For nodes of a shard without a kubelet's endpoint, whose configuration never changes. */
  public NodeVerticle nodes(
      int shard, NodeOptions options, List<NodeSpec> specs, NodeProvider provider, Clock clock) {
    Map<String, NodeSpec> byName = new LinkedHashMap<>();
    specs.forEach(spec -> byName.put(spec.name(), spec));
    NodeSettings settings =
        new NodeSettings(
            List.copyOf(byName.keySet()), byName::get, node -> options, node -> List.of());
    Future<Map<String, KubeletEndpoint>> endpoints = Future.succeededFuture(Map.of());
    return new NodeVerticle(shard, settings, provider, endpoints, kube, bus, env(clock));
  }

  /** With the machine's monotonic time, and chance that is the same in each run. */
  public Env env(Clock clock) {
    return env(clock, System::nanoTime);
  }

  /** With chance that is the same in each run. */
  public Env env(Clock clock, LongSupplier nanos) {
    return new Env(clock, nanos, new Random(1), metrics);
  }

  /** Deploys a verticle on a context that the test has, too. */
  public void deployOn(Context context, Deployable verticle) {
    Promise<Object> done = Promise.promise();
    context.runOnContext(
        v -> {
          try {
            verticle.deploy(context).<Object>mapEmpty().onComplete(done);
          } catch (Exception e) {
            done.fail(e);
          }
        });
    get(done.future());
  }

  public void undeploy(String deployment) {
    get(vertx.undeploy(deployment));
  }

  /** All messages that arrive here from now on; the list grows. */
  public <T extends BusMessage> List<T> hear(Address<T> address) {
    List<T> heard = new CopyOnWriteArrayList<>();
    get(bus.consume(address, heard::add).completion());
    return heard;
  }

  /** All messages that arrive here from now on; the list grows. */
  public <T extends BusMessage> List<T> hear(BatchAddress<T> address) {
    List<T> heard = new CopyOnWriteArrayList<>();
    get(bus.consume(address, heard::addAll).completion());
    return heard;
  }

  /** An object that must exist. */
  public ObjectNode object(String plural, String namespace, String name) {
    return get(server.objects().get(plural, namespace, name));
  }

  public ObjectNode node(String name) {
    return object("nodes", "", name);
  }

  public ObjectNode pod(String name) {
    return object("pods", "default", name);
  }

  public boolean exists(String plural, String namespace, String name) {
    return get(server.objects().find(plural, namespace, name)).isPresent();
  }

  public ObjectNode create(String plural, String json) {
    return get(objects().create(plural, json));
  }

  public ObjectNode create(String plural, ObjectNode object) {
    return get(objects().create(plural, object));
  }

  public void patch(String plural, String namespace, String name, String patch) {
    get(objects().patch(plural, namespace, name, patch));
  }

  public void patchStatus(String plural, String namespace, String name, String patch) {
    get(objects().patchStatus(plural, namespace, name, patch));
  }

  public void delete(String plural, String namespace, String name) {
    get(objects().delete(plural, namespace, name));
  }

  public void deleteNow(String plural, String namespace, String name) {
    get(objects().deleteNow(plural, namespace, name));
  }

  public <T extends BusMessage> void publish(Address<T> address, T message) {
    bus.publish(address, message);
  }

  /** Says that this agent serves a node, as whoever holds its lease does. */
  public void acquire(String node) {
    publish(LEASE_ACQUIRED, new LeaseAcquired(node, 0));
  }

  /** A pod with one container, bound to a node, as a scheduler leaves it. */
  public ObjectNode createPod(String name, String node) {
    return create("pods", Manifests.pod(name, node));
  }

  /** Changes one label of a pod. */
  public void label(String pod, String key, String value) {
    String patch = "{\"metadata\": {\"labels\": {\"%s\": \"%s\"}}}".formatted(key, value);
    patch("pods", "default", pod, patch);
  }

  /** The pod as a watch would deliver it now. */
  public PodView view(String pod) {
    JsonObject event =
        new JsonObject().put("type", "MODIFIED").put("object", new JsonObject(pod(pod).toString()));
    Buffer frame = event.toBuffer();
    if (new PodDecoder().decodeEvent(PodDecoder.WATCH_JSON, frame)
        instanceof WatchEvent.Upsert<PodView> upsert) {
      return upsert.object();
    }
    throw new AssertionError("not a pod: " + event);
  }

  /** Waits until the server has seen all that was sent to it before. */
  public void settle() {
    get(kube.send(KubeRequest.get(Lane.REST, KubePath.nodes())));
  }

  /** How many of the requests so far wrote to this resource, or to its status. */
  public long writes(String resource) {
    return server.count(request -> request.isWrite() && request.resource().equals(resource));
  }

  /** The element of an array whose field has this value; a missing node when there is none. */
  public static JsonNode find(JsonNode array, String field, String value) {
    for (JsonNode element : array) {
      if (element.path(field).asText().equals(value)) {
        return element;
      }
    }
    return array.path("none");
  }

  @Override
  public void close() {
    get(kube.close());
    get(server.stop());
    get(vertx.close());
  }
}
