/**
 * The container runtime {@code cri}: containers run on any runtime that speaks the Container
 * Runtime Interface v1, such as containerd, as a kubelet's do.
 *
 * <p>All state belongs to the event loop of the shard; files are read and written on worker
 * threads. What runs outlives the agent: a new agent finds it by its marks. Several agents may
 * share one container runtime, but none may share it with a kubelet, which removes what it does not
 * know.
 *
 * <p>Not promised: volumes of CSI drivers, devices, and user namespaces.
 */
@NullMarked
package dev.vertlet.cri;

import org.jspecify.annotations.NullMarked;
