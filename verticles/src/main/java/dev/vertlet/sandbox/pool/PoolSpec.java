package dev.vertlet.sandbox.pool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One pool.
 *
 * @param namespace of its pods
 * @param selector labels of its pods, as in a list request; empty for its name under the pool label
 * @param size pods that are kept, claimed ones included; of no use without a template
 * @param template {@code metadata} and {@code spec} of new pods; null for a pool whose pods others
 *     make
 * @param idleImage of the first container while nobody has the pod; empty for the template's
 * @param claimTimeout how long a claim waits that does not say it
 * @param startupTimeout after which a start is given up, and a pod replaced that does not get idle
 * @param idleTimeout after which a sandbox is released that nobody uses; zero for never
 * @param replaceFailed whether pods that failed are deleted; a pool with a template then makes new
 *     ones
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
  /** agentbox's. */
  public static final Duration STARTUP_TIMEOUT = Duration.ofMinutes(2);
}
