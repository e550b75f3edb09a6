/**
 * What controllers have in common: turns on the event loop, work queues, deadlines, writing
 * objects, recording Events.
 *
 * <p>A controller subscribes to the {@link dev.vertlet.apiserver.store.ObjectStore}, keeps what it
 * needs to decide in plain fields, and never writes while an event is being delivered: it queues
 * keys and works them off in later turns, in slices, so that requests are served in between.
 * Everything here runs on the server's event loop only. Nothing scans the store after the start.
 */
@NullMarked
package dev.vertlet.apiserver.control;

import org.jspecify.annotations.NullMarked;
