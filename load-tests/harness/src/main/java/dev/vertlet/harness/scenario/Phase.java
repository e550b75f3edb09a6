package dev.vertlet.harness.scenario;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * A part of a scenario. It ends when everything that it began has arrived: pods that were created
 * are Ready, those that were deleted or whose life is over are gone.
 */
public sealed interface Phase {
  /** Unique in its scenario. */
  String name();

  /** Whether its figures count for nothing: code gets compiled, caches fill. */
  boolean warmUp();

  /**
   * Creates pods.
   *
   * @param lifetime after which a Ready pod is deleted again; empty: it stays
   */
  record Create(String name, boolean warmUp, int pods, Arrival arrival, Optional<Lifetime> lifetime)
      implements Phase {}

  /** Creates Deployments, whose pods the cluster's controllers make and its scheduler places. */
  record Deploy(String name, boolean warmUp, int deployments, int replicas, Arrival arrival)
      implements Phase {}

  /**
   * Deletes Deployments, the oldest first; the cluster's controllers delete their pods.
   *
   * @param deployments at most so many
   */
  record Undeploy(String name, boolean warmUp, int deployments, Arrival arrival) implements Phase {}

  /** Changes an annotation of one pod after the other, round and round. */
  record Update(String name, boolean warmUp, int updates, Arrival arrival) implements Phase {}

  /**
   * Makes all nodes run by a ConfigMap, or by an edit of it.
   *
   * @param kubelet fields of a KubeletConfiguration
   */
  record Rollout(String name, boolean warmUp, JsonObject kubelet) implements Phase {}

  /**
   * Deletes pods that a {@link Create} made as a user does, the oldest first, with their grace.
   *
   * @param pods at most so many
   */
  record Delete(String name, boolean warmUp, int pods, Arrival arrival) implements Phase {}

  /** Does nothing but watch: what remains is leases. */
  record Hold(String name, boolean warmUp, Duration lasting) implements Phase {}
}
