/**
 * The container runtime {@code process}: containers are processes of this Linux host, without a
 * container runtime.
 *
 * <p>Each container has a shim, a small program of its own that outlives the agent: it holds the
 * processes, their log and their end. This package starts shims, talks to them through their
 * control sockets, and finds them again after a restart of the agent. All state is on disk, below
 * the pod's directory; the maps in memory belong to the shard's event loop, and files are read and
 * written on worker threads.
 *
 * <p>Not promised: isolation. Containers see the host's processes, network and, unless their image
 * is mapped to a directory, its files.
 *
 * <p>The runtime is here. Below it are {@link dev.vertlet.process.shim}, {@link
 * dev.vertlet.process.store}, {@link dev.vertlet.process.log}, {@link dev.vertlet.process.cgroup},
 * {@link dev.vertlet.process.usage} and {@link dev.vertlet.process.probe}.
 */
@NullMarked
package dev.vertlet.process;

import org.jspecify.annotations.NullMarked;
