package dev.vertlet.sandbox.pool.claim;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.sandbox.PodTree;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import dev.vertlet.sandbox.SandboxNames;
import java.util.Map;
import java.util.TreeMap;

/**
 * Latest known state of a claimed pod.
 *
 * @param id of the claim
 * @param phase starting, running, stopping or, just after the release, idle
 * @param node empty before the pod is bound
 * @param podIp empty before the pod has one
 * @param images by container, as in the spec
 * @param claimedAt RFC 3339
 * @param startedAt RFC 3339, empty before the sandbox runs
 * @param lastActive RFC 3339, empty before the sandbox runs
 * @param stopReason empty before the sandbox ends
 * @param failureReason why the sandbox ended; empty if it was released
 */
public record Sandbox(
    String pool,
    String id,
    String phase,
    String namespace,
    String pod,
    String uid,
    String node,
    String podIp,
    Map<String, String> images,
    String claimedAt,
    String startedAt,
    String lastActive,
    String stopReason,
    String failureReason) {
  /** Phase of a sandbox whose pod is deleted. */
  public static final String GONE = "gone";

  public Sandbox {
    images = new TreeMap<>(images);
  }

  /** No pod has this id. */
  public static SandboxException notFound(String id) {
    return new SandboxException(Reason.NOT_FOUND, "sandbox \"" + id + "\" not found");
  }

  public static Sandbox of(String pool, JsonNode pod, SandboxNames names) {
    Map<String, String> images = new TreeMap<>();
    PodTree.containers(pod).forEach(c -> images.put(c, PodTree.image(pod, c)));
    return new Sandbox(
        pool,
        PodTree.label(pod, names.id()),
        PodTree.label(pod, names.phase()),
        PodTree.namespace(pod),
        PodTree.name(pod),
        PodTree.uid(pod),
        pod.path("spec").path("nodeName").asText(""),
        pod.path("status").path("podIP").asText(""),
        images,
        PodTree.annotation(pod, names.claimedAt()),
        PodTree.annotation(pod, names.startedAt()),
        PodTree.annotation(pod, names.lastActive()),
        PodTree.annotation(pod, names.stopReason()),
        PodTree.annotation(pod, names.failureReason()));
  }

  /** Returns this sandbox in another phase. */
  public Sandbox in(String otherPhase) {
    return new Sandbox(
        pool,
        id,
        otherPhase,
        namespace,
        pod,
        uid,
        node,
        podIp,
        images,
        claimedAt,
        startedAt,
        lastActive,
        stopReason,
        failureReason);
  }
}
