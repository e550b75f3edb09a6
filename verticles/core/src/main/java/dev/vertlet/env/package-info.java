/**
 * Resolves the environment of a container from its definition, its pod, its node and the objects
 * that the pod refers to.
 *
 * <p>{@link dev.vertlet.env.EnvironmentResolver} computes the variables, {@link
 * dev.vertlet.env.ReferenceCache} keeps the needed objects and counts their references. ConfigMaps,
 * Secrets and Services come from a {@link dev.vertlet.env.ReferenceSource}, one object at a time
 * and never cluster-wide; a pod without references costs nothing here. {@link
 * dev.vertlet.env.PodDns} computes a pod's resolver configuration.
 *
 * <p>Pure: no event loop, no clock, no bus messages. All state belongs to the context of the shard
 * whose kubelet core owns it.
 *
 * <p>Not promised: {@code fileKeyRef}, which needs a volume. As in a kubelet, a value that changes
 * later reaches a container at its next start.
 */
@NullMarked
package dev.vertlet.env;

import org.jspecify.annotations.NullMarked;
