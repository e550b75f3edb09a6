package dev.vertlet.sandboxes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.loop.Env;
import dev.vertlet.model.Timestamps;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects a leader with a Lease, as client-go does: another holder's Lease has expired when it has
 * not changed for its duration by this process's own clock. A leader that cannot renew stops acting
 * at two thirds of the duration, before others may take over.
 */
final class LeaderVerticle extends VerticleBase {
  static final String URL_ANNOTATION = "vertlet.dev/sandbox-url";

  private static final Logger LOG = LoggerFactory.getLogger(LeaderVerticle.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Notified, on the verticle's context, when this process starts and stops leading. */
  interface Listener {
    Future<?> acquired();

    Future<?> lost();
  }

  private final SandboxConfig.Leader config;
  private final String namespace;
  private final String identity;
  private final String url;
  private final KubeClient kube;
  private final Env env;
  private final Listener listener;
  private boolean leading;
  private boolean stopped;
  private long renewed;
  private String seen = "";
  private long seenSince;
  private Future<?> turn = Future.succeededFuture();
  private volatile Known known = new Known("", ""); // written here, read by the API's loop

  /** The current leader; empty when it is unknown. */
  record Known(String identity, String url) {}

  /**
   * @param url of this process' API, told to those who ask others
   * @param env with the machine's own clock
   */
  LeaderVerticle(
      SandboxConfig.Leader config,
      String namespace,
      String identity,
      String url,
      KubeClient kube,
      Env env,
      Listener listener) {
    this.config = config;
    this.namespace = namespace;
    this.identity = identity;
    this.url = url;
    this.kube = kube;
    this.env = env;
    this.listener = listener;
  }

  /** Returns the current leader. Thread-safe. */
  Known known() {
    return known;
  }

  @Override
  public Future<?> start() {
    seenSince = env.nanos().getAsLong();
    look();
    vertx.setPeriodic(config.renewInterval().toMillis(), id -> look());
    return Future.succeededFuture();
  }

  @Override
  public Future<?> stop() {
    stopped = true;
    boolean held = leading;
    return turn.otherwiseEmpty()
        .compose(v -> lose())
        .compose(v -> held ? release() : Future.succeededFuture())
        .otherwiseEmpty();
  }

  private void look() {
    if (leading && env.nanos().getAsLong() - renewed > config.duration().toNanos() * 2 / 3) {
      LOG.warn("Lease not renewed in time; this process stops managing the pools");
      lose();
    }
    if (stopped || !turn.isComplete()) {
      return;
    }
    long began = env.nanos().getAsLong();
    turn =
        kube.send(within(KubeRequest.get(Lane.LEASE, path())))
            .map(LeaderVerticle::read)
            .compose(lease -> judge(lease, began))
            .recover(
                failure ->
                    KubeException.is(failure, KubeException.Kind.NOT_FOUND)
                        ? write(JSON.createObjectNode(), began, true)
                        : Future.failedFuture(failure))
            .onFailure(
                failure ->
                    LOG.atDebug()
                        .addKeyValue("error", failure.getMessage())
                        .log("Lease not acquired"));
  }

  private KubePath path() {
    return KubePath.lease(namespace, config.name());
  }

  private KubeRequest within(KubeRequest request) {
    return request.withTimeout(config.duration().dividedBy(3));
  }

  private Future<Void> judge(ObjectNode lease, long began) {
    String holder = lease.path("spec").path("holderIdentity").asText("");
    String version = lease.path("metadata").path("resourceVersion").asText("");
    if (!version.equals(seen)) {
      seen = version;
      seenSince = began;
    }
    long seconds =
        lease.path("spec").path("leaseDurationSeconds").asLong(config.duration().toSeconds());
    boolean over = began - seenSince > Duration.ofSeconds(seconds).toNanos();
    if (holder.isEmpty() || holder.equals(identity) || over) {
      return write(lease, began, false);
    }
    known =
        new Known(
            holder, lease.path("metadata").path("annotations").path(URL_ANNOTATION).asText(""));
    return leading ? lose().mapEmpty() : Future.succeededFuture();
  }

  private Future<Void> write(ObjectNode lease, long began, boolean create) {
    ObjectNode next = fill(lease, identity);
    KubeRequest request =
        create
            ? KubeRequest.create(
                Lane.LEASE, KubePath.leases(namespace), Buffer.buffer(next.toString()))
            : KubeRequest.update(Lane.LEASE, path(), Buffer.buffer(next.toString()));
    return kube.send(within(request))
        .map(LeaderVerticle::read)
        .compose(
            written -> {
              seen = written.path("metadata").path("resourceVersion").asText("");
              seenSince = began;
              renewed = began;
              known = new Known(identity, url);
              return leading || stopped ? Future.succeededFuture() : gain();
            });
  }

  private ObjectNode fill(ObjectNode lease, String holder) {
    ObjectNode next = lease.deepCopy();
    next.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    ObjectNode metadata =
        next.get("metadata") instanceof ObjectNode given ? given : next.putObject("metadata");
    metadata.put("name", config.name()).put("namespace", namespace).remove("managedFields");
    ObjectNode annotations =
        metadata.get("annotations") instanceof ObjectNode given
            ? given
            : metadata.putObject("annotations");
    annotations.put(URL_ANNOTATION, url);
    ObjectNode spec = next.get("spec") instanceof ObjectNode given ? given : next.putObject("spec");
    String now = Timestamps.formatMicro(env.clock().instant());
    if (!spec.path("holderIdentity").asText("").equals(holder)) {
      spec.put("acquireTime", now)
          .put("leaseTransitions", spec.path("leaseTransitions").asInt(0) + 1);
    }
    spec.put("holderIdentity", holder)
        .put("leaseDurationSeconds", config.duration().toSeconds())
        .put("renewTime", now);
    return next;
  }

  private Future<Void> gain() {
    leading = true;
    LOG.atInfo().addKeyValue("identity", identity).log("this process manages the pools");
    return listener.acquired().mapEmpty();
  }

  private Future<?> lose() {
    if (!leading) {
      return Future.succeededFuture();
    }
    leading = false;
    LOG.atInfo().addKeyValue("identity", identity).log("this process no longer manages the pools");
    return listener.lost();
  }

  /** Releases the Lease, so that the next leader need not wait. */
  private Future<?> release() {
    return kube.send(within(KubeRequest.get(Lane.LEASE, path())))
        .map(LeaderVerticle::read)
        .compose(
            lease ->
                lease.path("spec").path("holderIdentity").asText("").equals(identity)
                    ? kube.send(
                        within(
                            KubeRequest.update(
                                Lane.LEASE, path(), Buffer.buffer(fill(lease, "").toString()))))
                    : Future.succeededFuture());
  }

  private static ObjectNode read(KubeResponse answer) {
    try {
      JsonNode lease = JSON.readTree(answer.body().getBytes());
      if (lease instanceof ObjectNode object) {
        return object;
      }
      throw new IllegalArgumentException("the answer is no Lease");
    } catch (IOException e) {
      throw new IllegalArgumentException("the answer is no Lease", e);
    }
  }
}
