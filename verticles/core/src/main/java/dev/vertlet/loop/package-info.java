/**
 * An event loop as the cores use it: a task queue and timers. Allows tests to drive a core without
 * an event loop.
 *
 * <p>{@link dev.vertlet.loop.Env} holds the time, chance and meters that a verticle is given.
 * {@link dev.vertlet.loop.ConcurrencyLimit} bounds the tasks that a verticle runs at once.
 *
 * <p>Everything is confined to the thread of its loop. Not guaranteed: that a timer is punctual.
 */
@NullMarked
package dev.vertlet.loop;

import org.jspecify.annotations.NullMarked;
