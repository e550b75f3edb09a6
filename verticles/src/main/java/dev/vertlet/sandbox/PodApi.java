package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;

/**
 * The requests about pods that sandboxes need. Futures fail with {@link
 * dev.vertlet.kube.KubeException} and nothing else.
 */
public interface PodApi {
  Future<ObjectNode> get(String namespace, String name);

  /** Replaces the pod; fails with a conflict when it is not the version that was read. */
  Future<ObjectNode> update(JsonNode pod);

  /**
   * Changes the pod by a strategic merge patch that names its version; fails with a conflict when
   * it is another one.
   *
   * @return the pod as the server has it then
   */
  Future<ObjectNode> patch(String namespace, String name, ObjectNode patch);

  /** Stores a new pod. */
  Future<ObjectNode> create(String namespace, JsonNode pod);

  /**
   * Deletes a pod, with its own grace, if it is still this version of it: nothing is deleted that
   * somebody has claimed meanwhile.
   */
  Future<Void> delete(JsonNode pod);
}
