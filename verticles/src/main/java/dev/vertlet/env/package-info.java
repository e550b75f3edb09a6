/**
 * How the environment of a container is made from its definition, its pod, its node and what the
 * pod refers to.
 *
 * <p>Pure: nothing here knows an event loop or a clock. {@link dev.vertlet.env.EnvironmentResolver}
 * makes the list of variables, {@link dev.vertlet.env.ReferenceCache} keeps what it needs of the
 * cluster and counts who needs it. ConfigMaps, Secrets and Services come from a {@link
 * dev.vertlet.env.ReferenceSource}, one object at a time and never cluster-wide; a pod that refers
 * to nothing costs nothing here. {@link dev.vertlet.env.HostName} and {@link
 * dev.vertlet.env.PodDns} say what a pod's host is called and whom it asks for names.
 *
 * <p>Messages: none. All state belongs to the context of the shard whose kubelet core owns it.
 *
 * <p>Not promised: {@code fileKeyRef}, which needs a volume. As in a kubelet, a value that changes
 * later reaches a container at its next start.
 */
@NullMarked
package dev.vertlet.env;

import org.jspecify.annotations.NullMarked;
