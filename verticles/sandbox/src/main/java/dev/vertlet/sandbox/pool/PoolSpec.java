package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Configuration of one pool.
 *
 * @param namespace of its pods
 * @param selector labels of its pods, as in a list request; empty for its name under the pool label
 * @param size number of pods to keep, including claimed ones; ignored without a template
 * @param template {@code metadata} and {@code spec} of new pods; null for a pool whose pods are
 *     created by others
 * @param idleImage of the first container while the pod is idle; empty for the template's
 * @param claimTimeout default wait of a claim
 * @param startupTimeout after which a start is cancelled, and after which a pod that does not
 *     become idle is replaced
 * @param idleTimeout after which an unused sandbox is released; zero for never
 * @param replaceFailed whether to delete failed pods; a pool with a template then creates new ones
 */
public record PoolSpec(
    String namespace,
    String name,
    String selector,
    int size,
    @Nullable ObjectNode template,
    String idleImage,
    Duration claimTimeout,
    Duration startupTimeout,
    Duration idleTimeout,
    boolean replaceFailed) {
  /** agentbox's value. */
  public static final Duration STARTUP_TIMEOUT = Duration.ofMinutes(2);
}
