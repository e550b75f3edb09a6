package dev.vertlet.configsync;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.kube.client.PendingRetry;
import dev.vertlet.model.Timestamps;
import dev.vertlet.model.node.NodeConditionView;
import dev.vertlet.model.node.NodeDecoder;
import dev.vertlet.model.node.NodeView;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Writes the config status of one node to its object: the annotations, then the condition, and with
 * it {@code status.config} as long as the server keeps that field. Writes only the newest status,
 * one request at a time; retries until it is written or a newer one replaces it. Confined to the
 * verticle's context.
 */
final class StatusWrites {
  static final String STATUS = "vertlet.dev/config-status";
  static final String DETAIL = "vertlet.dev/config-status-detail";

  /** Kubelets retry a status after 10 s, plus up to 20%; here at once when the server is back. */
  private static final Backoff RETRY =
      new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(10), 1, 0.2);

  private final String node;
  private final Future<KubeClient> kube;
  private final Clock clock;
  private final RandomGenerator random;
  private @Nullable FullStatus wanted;
  private @Nullable NodeView known;
  private boolean served;
  private boolean busy;

  /** Whether to write {@code status.config}: until the server drops the field. */
  private boolean mirrors = true;

  private @Nullable PendingRetry retry;

  /** The complete status to write. */
  record FullStatus(NodeConfigStatus status, ConfigOk condition, ConfigDetail detail) {}

  StatusWrites(String node, Future<KubeClient> kube, Clock clock, RandomGenerator random) {
    this.node = node;
    this.kube = kube;
    this.clock = clock;
    this.random = random;
  }

  void write(FullStatus full) {
    wanted = full;
    drive();
  }

  /** Sets whether this agent serves the node; writes are made only while it does. */
  void served(boolean value) {
    served = value;
    drive();
  }

  /** Takes a version of the object; an older version than the known one is ignored. */
  void observed(NodeView object) {
    boolean newer =
        known == null
            || !known.uid().equals(object.uid())
            || object.resourceVersion() > known.resourceVersion();
    if (newer) {
      known = object;
      mirrors |= object.configStatus() != null;
    }
    drive();
  }

  /** The object is gone. */
  void gone() {
    known = null;
  }

  void stop() {
    served = false;
    if (retry != null) {
      retry.cancel();
    }
  }

  private void drive() {
    FullStatus full = wanted;
    NodeView object = known;
    if (busy || retry != null || !served || full == null || object == null) {
      return;
    }
    Write write = next(full, object);
    if (write == null) {
      wanted = null;
      return;
    }
    busy = true;
    Duration delay = RETRY.delay(1, random);
    Future<?> unused =
        kube.compose(client -> client.scope(node).send(write.request()))
            .map(response -> NodeDecoder.decode(response.body()))
            .onComplete(
                answer -> {
                  busy = false;
                  if (answer.succeeded()) {
                    mirrors &= !write.mirrors() || answer.result().configStatus() != null;
                    observed(answer.result());
                  } else {
                    KubeException failure = KubeException.from(answer.cause());
                    kube.onSuccess(
                        client -> retry = client.retryLater(delay, failure, this::again));
                  }
                });
  }

  private void again() {
    retry = null;
    drive();
  }

  /**
   * A request to send.
   *
   * @param mirrors whether it contains {@code status.config}
   */
  private record Write(KubeRequest request, boolean mirrors) {}

  private @Nullable Write next(FullStatus full, NodeView object) {
    ObjectNode annotations = annotations(full, object);
    if (annotations != null) {
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      patch.putObject("metadata").put("uid", object.uid()).set("annotations", annotations);
      return new Write(
          KubeRequest.patch(
              Lane.NODE,
              KubePath.node(node),
              MediaType.MERGE_PATCH,
              Buffer.buffer(patch.toString())),
          false);
    }
    NodeConditionView old = object.status().condition(ConfigOk.TYPE);
    NodeConditionView condition = full.condition().condition(old, clock.instant());
    ObjectNode config = full.status().json();
    boolean same = object.configStatus() == null || object.configStatus().equals(config);
    if (old != null && old.sameState(condition) && same) {
      return null;
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("uid", object.uid());
    ObjectNode status = patch.putObject("status");
    status.putArray("conditions").add(json(condition));
    // the first write of an empty config would not show whether the server keeps the field
    boolean mirrored = mirrors && (object.configStatus() != null || !config.isEmpty());
    if (mirrored) {
      status.set("config", full.status().patch());
    }
    return new Write(
        KubeRequest.patch(
            Lane.NODE,
            KubePath.nodeStatus(node),
            MediaType.STRATEGIC_MERGE_PATCH,
            Buffer.buffer(patch.toString())),
        mirrored);
  }

  /** Returns the annotations that differ; null if none does. */
  private static @Nullable ObjectNode annotations(FullStatus full, NodeView object) {
    ObjectNode different = JsonNodeFactory.instance.objectNode();
    different(different, object, STATUS, full.status().json().toString());
    different(different, object, DETAIL, full.detail().json().toString());
    return different.isEmpty() ? null : different;
  }

  private static void different(ObjectNode into, NodeView object, String key, String value) {
    if (!value.equals(object.annotations().get(key))) {
      into.put(key, value);
    }
  }

  private static ObjectNode json(NodeConditionView condition) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("type", condition.type())
        .put("status", condition.status())
        .put("reason", condition.reason())
        .put("message", condition.message());
    time(json, "lastHeartbeatTime", condition.lastHeartbeatTime());
    time(json, "lastTransitionTime", condition.lastTransitionTime());
    return json;
  }

  private static void time(ObjectNode json, String key, @Nullable Instant time) {
    if (time != null) {
      json.put(key, Timestamps.format(time));
    }
  }
}
