package dev.vertlet.apiserver.scheduler;

import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.store.StoredObject;

/** A pod that waits for a node. */
record PendingPod(
    String uid, String namespace, String name, int priority, Requirements requirements) {
  static PendingPod of(StoredObject pod) {
    return new PendingPod(
        pod.uid(),
        pod.namespace(),
        pod.name(),
        Json.at(pod.json(), "spec", "priority").asInt(0),
        Requirements.of(pod.json()));
  }
}
