/**
 * The SPI: the two interfaces that back ends implement, and the records they exchange with vertlet.
 *
 * <p>A {@link dev.vertlet.provider.PodProvider} owns whole pods; a {@link
 * dev.vertlet.provider.ContainerRuntime} starts and stops single containers for the kubelet core.
 * vertlet calls both on the event loop of their shard; they must never block it, and answer with
 * Futures. Each shard has an instance of its own, so plain fields are safe.
 *
 * <p>A {@link dev.vertlet.provider.ProviderFactory} creates the instances; the agent finds
 * factories in jars outside its build. {@link dev.vertlet.provider.ProviderCall} and {@link
 * dev.vertlet.provider.ProviderGuard} isolate vertlet from faults in provider code.
 */
@NullMarked
package dev.vertlet.provider;

import org.jspecify.annotations.NullMarked;
