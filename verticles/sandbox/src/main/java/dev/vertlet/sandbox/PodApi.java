package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;

/** Requests for pods. Futures fail with {@link dev.vertlet.kube.KubeException} only. */
public interface PodApi {
  Future<ObjectNode> get(String namespace, String name);

  /** Replaces the pod; fails with a conflict if the pod was changed since it was read. */
  Future<ObjectNode> update(JsonNode pod);

  /**
   * Changes the pod with a strategic merge patch that names its version; fails with a conflict if
   * the pod has another version.
   *
   * @return the pod as the server holds it after the patch
   */
  Future<ObjectNode> patch(String namespace, String name, ObjectNode patch);

  /** Creates a pod. */
  Future<ObjectNode> create(String namespace, JsonNode pod);

  /**
   * Deletes a pod, with its own grace, if it still has this version: a pod claimed meanwhile is not
   * deleted.
   */
  Future<Void> delete(JsonNode pod);
}
