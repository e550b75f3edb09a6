package dev.vertlet.lifecycle.podworker;

import dev.vertlet.lifecycle.container.BackOffRange;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * How pods are looked after.
 *
 * @param fast whether only statuses are shown that somebody waits for, and pods may rest
 * @param prePull whether an image that replaces another one is pulled before that ends
 * @param hostIPs addresses of a node, primary first
 * @param syncFrequency how often a quiet pod of a node is looked at again, milliseconds
 * @param backOff pauses between restarts of a container, by node
 */
public record WorkOptions(
    boolean fast,
    boolean prePull,
    Function<String, List<String>> hostIPs,
    ToLongFunction<String> syncFrequency,
    Function<String, BackOffRange> backOff) {}
