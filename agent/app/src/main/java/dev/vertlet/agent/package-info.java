/**
 * The program, and the wiring of an agent: its verticles, their event loops, and the order in which
 * they start and stop.
 *
 * <p>{@link dev.vertlet.agent.Main} is the entry point, {@link dev.vertlet.agent.Vertlet} embeds an
 * agent in another program. {@link dev.vertlet.agent.AgentSession} is for a thread that may block;
 * all else runs on event loops.
 *
 * <p>{@code Agent} starts and stops. {@code HealthVerticles}, {@code ShardFactory}, {@code
 * KubeletApi} and {@code MainVerticles} make what it starts, from the {@code AgentResources} and
 * the {@code StartupConfig} that they share; the order of the verticles is in {@code
 * MainVerticles}.
 */
@NullMarked
package dev.vertlet.agent;

import org.jspecify.annotations.NullMarked;
