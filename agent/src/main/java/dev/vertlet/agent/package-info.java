/**
 * The program, and the wiring of an agent: which verticles there are, on which event loops they
 * live, and in which order they start and stop.
 *
 * <p>{@link dev.vertlet.agent.Main} is the entry point, {@link dev.vertlet.agent.Vertlet} an agent
 * in another program. An {@link dev.vertlet.agent.AgentSession} is for a thread that may block; all
 * else runs on event loops.
 */
@NullMarked
package dev.vertlet.agent;

import org.jspecify.annotations.NullMarked;
