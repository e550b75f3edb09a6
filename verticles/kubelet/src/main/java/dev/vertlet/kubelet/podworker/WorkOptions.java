package dev.vertlet.kubelet.podworker;

import dev.vertlet.kubelet.container.BackOffRange;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * How pods are driven.
 *
 * @param fast whether only the statuses that clients wait for are reported, and pods may rest
 * @param prePull whether the new image of a running container is pulled before the container ends
 * @param hostIPs addresses of a node, primary first
 * @param syncFrequency period between two looks at a quiet pod of a node, milliseconds
 * @param backOff pauses between restarts of a container, by node
 */
public record WorkOptions(
    boolean fast,
    boolean prePull,
    Function<String, List<String>> hostIPs,
    ToLongFunction<String> syncFrequency,
    Function<String, BackOffRange> backOff) {}
