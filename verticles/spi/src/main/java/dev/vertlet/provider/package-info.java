/**
 * The SPI: the two interfaces that back ends implement, and the records they exchange with vertlet.
 *
 * <p>A {@link dev.vertlet.provider.pod.PodProvider} owns whole pods; a {@link
 * dev.vertlet.provider.container.ContainerRuntime} starts and stops single containers for the
 * kubelet core. vertlet calls both on the event loop of their shard; they must never block it, and
 * answer with Futures. Each shard has an instance of its own, so plain fields are safe.
 *
 * <p>A {@link dev.vertlet.provider.ProviderFactory} creates the instances; the agent finds
 * factories in jars outside its build. {@link dev.vertlet.provider.failure.ProviderCall} and {@link
 * dev.vertlet.provider.ProviderGuard} isolate vertlet from faults in provider code.
 *
 * <p>Here is how a provider is found, configured and created; it knows the two interfaces. What
 * they exchange is below them: {@link dev.vertlet.provider.content}, {@link
 * dev.vertlet.provider.stream}, {@link dev.vertlet.provider.node}, {@link
 * dev.vertlet.provider.probe} and {@link dev.vertlet.provider.failure}.
 */
@NullMarked
package dev.vertlet.provider;

import org.jspecify.annotations.NullMarked;
