/**
 * The two interfaces that back ends implement, and the records they exchange with vertlet.
 *
 * <p>A {@link dev.vertlet.provider.PodProvider} owns whole pods; a {@link
 * dev.vertlet.provider.ContainerRuntime} starts and stops single containers for the kubelet core.
 * Both are called on the event loop of their shard, must never block it, and answer with Futures.
 * Each shard has an instance of its own, so plain fields are safe.
 */
@NullMarked
package dev.vertlet.provider;

import org.jspecify.annotations.NullMarked;
