package dev.vertlet.sandbox.pool.claim;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request for a sandbox of a pool.
 *
 * @param id of the sandbox; requests with the same id are one claim. A label value
 * @param images by container; the name "" stands for the first container
 * @param labels while the sandbox is claimed
 * @param annotations while the sandbox is claimed
 * @param patience maximum wait for a pod; null for the pool's
 * @param startupTimeout null for the pool's
 * @param idleTimeout null for the pool's; zero for never
 */
public record ClaimRequest(
    String id,
    Map<String, String> images,
    Map<String, String> labels,
    Map<String, String> annotations,
    @Nullable Duration patience,
    @Nullable Duration startupTimeout,
    @Nullable Duration idleTimeout) {
  public ClaimRequest {
    images = new LinkedHashMap<>(images);
    labels = new LinkedHashMap<>(labels);
    annotations = new LinkedHashMap<>(annotations);
  }

  /** Requests one image in the first container, with the pool's defaults. */
  public static ClaimRequest of(String id, String image) {
    return new ClaimRequest(id, Map.of("", image), Map.of(), Map.of(), null, null, null);
  }
}
