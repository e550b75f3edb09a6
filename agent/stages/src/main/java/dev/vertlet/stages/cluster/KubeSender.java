package dev.vertlet.stages.cluster;

import static dev.vertlet.bus.Addresses.OBJECT_EVENT;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.bus.Bus;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.kube.Backoff;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.KubeResponse;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.MediaType;
import dev.vertlet.kube.Verb;
import dev.vertlet.kube.client.ApiCatalog;
import dev.vertlet.kube.client.ApiResource;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.model.DecodeException;
import dev.vertlet.model.JsonTreeDecoder;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.stages.play.Answer;
import dev.vertlet.stages.play.StageObject;
import dev.vertlet.stages.play.Write;
import dev.vertlet.stages.spec.ResourceRef;
import dev.vertlet.stages.spec.Step.PatchType;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Sends the writes of stages. Patches and deletions carry UID and resourceVersion of the version
 * that the stage was chosen for, so that they never reach a later one, or another object of the
 * name.
 */
final class KubeSender {
  /** 200 ms doubling to 30 s. */
  private static final Backoff BACKOFF =
      new Backoff(Duration.ofMillis(200), Duration.ofSeconds(30), 2, 0.2);

  /** Permissions are granted by people. */
  private static final Duration FORBIDDEN = Duration.ofSeconds(30);

  private final KubeClient kube;
  private final ApiCatalog catalog;
  private final Bus bus;
  private final RandomGenerator random;
  private final String agent;

  /**
   * @param agent name in the source of Events about objects without a node
   */
  KubeSender(KubeClient kube, ApiCatalog catalog, Bus bus, RandomGenerator random, String agent) {
    this.kube = kube;
    this.catalog = catalog;
    this.bus = bus;
    this.random = random;
    this.agent = agent;
  }

  /**
   * Sends a write.
   *
   * @param failures of earlier tries
   * @return never fails
   */
  Future<Answer> send(
      ApiResource resource, StageObject object, Write write, boolean whole, int failures) {
    if (write instanceof Write.Event event) {
      event(resource, object, event);
      return Future.succeededFuture(new Answer.Written(0, null));
    }
    if (write instanceof Write.Apply apply) {
      return apply(object, apply)
          .<Answer>map(v -> new Answer.Written(0, null))
          .otherwise(failure -> failed(failure, failures, true));
    }
    Lane lane = lane(resource);
    KubeRequest request =
        write instanceof Write.Patch patch
            ? patch(lane, resource, object, patch)
            : delete(lane, resource, object);
    return kube.send(whole ? request : request.metadataOnly())
        .map(answer -> written(write, answer, whole))
        .otherwise(failure -> failed(failure, failures, false));
  }

  private static Lane lane(ApiResource resource) {
    ResourceRef kind = new ResourceRef(resource.apiVersion(), resource.kind());
    if (kind.equals(ResourceRef.POD)) {
      return Lane.POD_STATUS;
    }
    return kind.equals(ResourceRef.NODE) ? Lane.NODE : Lane.REST;
  }

  private static Answer written(Write write, KubeResponse answer, boolean whole) {
    if (write instanceof Write.Delete) {
      return new Answer.Written(0, null);
    }
    if (whole) {
      StageObject object = StageObject.of(JsonTreeDecoder.tree(answer.body()));
      return new Answer.Written(object.resourceVersion(), object);
    }
    try {
      return new Answer.Written(ObjectMeta.decode(answer.body()).resourceVersion(), null);
    } catch (DecodeException e) {
      // the answer of a subresource need not be the object
      return new Answer.Written(0, null);
    }
  }

  private Answer failed(Throwable failure, int failures, boolean other) {
    KubeException problem = KubeException.from(failure);
    String message = String.valueOf(problem.getMessage());
    return switch (problem.recovery()) {
      case RETRY, REAUTHENTICATE ->
          new Answer.Retry(BACKOFF.delay(failures + 1, random, problem), message);
      case AUTHORIZE -> new Answer.Retry(FORBIDDEN, message);
      case GIVE_UP -> new Answer.Refused(message);
      case REREAD, RELIST ->
          // an object beside the played one may come yet
          other
              ? new Answer.Retry(BACKOFF.delay(failures + 1, random), message)
              : new Answer.Stale();
    };
  }

  private KubeRequest patch(
      Lane lane, ApiResource resource, StageObject object, Write.Patch patch) {
    JsonNode body =
        patch.type() == PatchType.JSON
            ? guarded((ArrayNode) patch.body(), object)
            : guarded((ObjectNode) patch.body(), object);
    return KubeRequest.patch(
            lane,
            resource.object(object.namespace(), object.name(), patch.subresource()),
            patch.type().mediaType(),
            Buffer.buffer(body.toString()))
        .as(patch.user());
  }

  /** A replaced resourceVersion is the one that the server compares. */
  private static ArrayNode guarded(ArrayNode operations, StageObject object) {
    ArrayNode guarded = JsonNodeFactory.instance.arrayNode();
    guarded
        .addObject()
        .put("op", "replace")
        .put("path", "/metadata/resourceVersion")
        .put("value", Long.toString(object.resourceVersion()));
    return guarded.addAll(operations);
  }

  private static ObjectNode guarded(ObjectNode patch, StageObject object) {
    ObjectNode guarded = JsonNodeFactory.instance.objectNode();
    guarded.setAll(patch);
    ObjectNode metadata = JsonNodeFactory.instance.objectNode();
    if (patch.get("metadata") instanceof ObjectNode own) {
      metadata.setAll(own);
    }
    metadata.put("uid", object.uid());
    metadata.put("resourceVersion", Long.toString(object.resourceVersion()));
    guarded.set("metadata", metadata);
    return guarded;
  }

  private static KubeRequest delete(Lane lane, ApiResource resource, StageObject object) {
    ObjectNode options = JsonNodeFactory.instance.objectNode();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions").put("gracePeriodSeconds", 0);
    options
        .putObject("preconditions")
        .put("uid", object.uid())
        .put("resourceVersion", Long.toString(object.resourceVersion()));
    return new KubeRequest(
        lane,
        Verb.DELETE,
        resource.object(object.namespace(), object.name(), ""),
        "",
        MediaType.JSON,
        Buffer.buffer(options.toString()),
        MediaType.JSON,
        null);
  }

  private Future<?> apply(StageObject object, Write.Apply apply) {
    ObjectNode body = (ObjectNode) apply.body();
    ResourceRef kind =
        new ResourceRef(body.path("apiVersion").asText(), body.path("kind").asText());
    return catalog
        .find(kind.apiGroup(), kind.kind())
        .compose(
            found ->
                found.isPresent()
                    ? apply(found.get(), object, body, apply)
                    : Future.failedFuture(unknown(kind)));
  }

  private static KubeException unknown(ResourceRef kind) {
    return new KubeException(
        KubeException.Kind.NOT_FOUND, 404, "the server does not have the kind " + kind, null, null);
  }

  private Future<?> apply(
      ApiResource resource, StageObject object, ObjectNode body, Write.Apply apply) {
    ObjectNode metadata = body.withObject("/metadata");
    String namespace = metadata.path("namespace").asText("");
    if (resource.namespaced() && namespace.isEmpty()) {
      namespace = object.namespace();
      metadata.put("namespace", namespace);
    }
    Buffer json = Buffer.buffer(body.toString());
    KubeRequest patch =
        applyPatch(resource, namespace, metadata.path("name").asText(""), json, apply);
    if (!apply.subresource().isEmpty()) {
      return kube.send(patch);
    }
    return kube.send(
            KubeRequest.create(Lane.REST, resource.in(namespace), json)
                .metadataOnly()
                .as(apply.user()))
        .recover(
            failure ->
                KubeException.is(failure, KubeException.Kind.ALREADY_EXISTS)
                    ? kube.send(patch)
                    : Future.failedFuture(failure));
  }

  private static KubeRequest applyPatch(
      ApiResource resource, String namespace, String name, Buffer json, Write.Apply apply) {
    String query = apply.type() == PatchType.APPLY ? "fieldManager=vertlet&force=true" : "";
    return new KubeRequest(
            Lane.REST,
            Verb.PATCH,
            resource.object(namespace, name, apply.subresource()),
            query,
            apply.type().mediaType(),
            json,
            MediaType.METADATA_ONLY,
            null)
        .as(apply.user());
  }

  private void event(ApiResource resource, StageObject object, Write.Event event) {
    boolean node = resource.kind().equals("Node") && resource.apiVersion().equals("v1");
    String host = object.nodeName();
    bus.send(
        OBJECT_EVENT,
        new ObjectEvent(
            resource.kind(),
            object.namespace(),
            object.name(),
            node ? object.name() : object.uid(),
            "",
            event.type(),
            event.reason(),
            event.message(),
            node ? object.name() : orAgent(host),
            resource.apiVersion()));
  }

  private String orAgent(@Nullable String host) {
    return Optional.ofNullable(host).filter(name -> !name.isEmpty()).orElse(agent);
  }
}
