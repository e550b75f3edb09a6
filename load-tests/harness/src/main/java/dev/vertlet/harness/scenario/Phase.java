package dev.vertlet.harness.scenario;

import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;

/**
 * Part of a scenario. It ends when its last result has arrived: created pods are Ready, deleted
 * pods and those whose lifetime has ended are gone.
 */
public sealed interface Phase {
  /** Name, unique in its scenario. */
  String name();

  /** Whether its figures are ignored because code is compiled and caches fill. */
  boolean warmUp();

  /**
   * Creates pods.
   *
   * @param lifetime time after which a Ready pod is deleted again; empty if it stays
   */
  record Create(String name, boolean warmUp, int pods, Arrival arrival, Optional<Lifetime> lifetime)
      implements Phase {}

  /** Creates Deployments; the cluster's controllers and scheduler create and bind their pods. */
  record Deploy(String name, boolean warmUp, int deployments, int replicas, Arrival arrival)
      implements Phase {}

  /**
   * Deletes the oldest Deployments; the cluster's controllers delete their pods.
   *
   * @param deployments limit of the number of Deployments
   */
  record Undeploy(String name, boolean warmUp, int deployments, Arrival arrival) implements Phase {}

  /** Changes an annotation of the pods in turn, repeatedly. */
  record Update(String name, boolean warmUp, int updates, Arrival arrival) implements Phase {}

  /**
   * Configures all nodes by a ConfigMap, or changes that ConfigMap.
   *
   * @param kubelet fields of a KubeletConfiguration
   */
  record Rollout(String name, boolean warmUp, JsonObject kubelet) implements Phase {}

  /**
   * Deletes the oldest pods of {@link Create} phases as a user does, with their grace period.
   *
   * @param pods limit of the number of pods
   */
  record Delete(String name, boolean warmUp, int pods, Arrival arrival) implements Phase {}

  /** Sends no requests and only watches: the remaining load is lease renewals. */
  record Hold(String name, boolean warmUp, Duration lasting) implements Phase {}
}
