/**
 * Plays stages on objects: which stage is next for an object, when, and what it writes.
 *
 * <p>{@link dev.vertlet.stages.play.LifeCycle} holds the compiled stages of one kind, {@link
 * dev.vertlet.stages.play.Player} the state of its objects. Pure: time comes from a clock, writes
 * leave through {@link dev.vertlet.stages.play.Player.Sender}, and the owner of a player calls
 * {@link dev.vertlet.stages.play.Player#run} when its next object is due. Every class here is
 * confined to one thread.
 *
 * <p>Draws are a function of the seed, the object's name and the number of stages it has gone
 * through, so that the same objects live the same lives, and a restart that knows when a delay
 * began ends it at the same time.
 */
@NullMarked
package dev.vertlet.stages.play;

import org.jspecify.annotations.NullMarked;
