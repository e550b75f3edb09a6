/**
 * Writes pod statuses to the API server and removes the objects of pods that have ended.
 *
 * <p>Takes {@code PodObserved} and {@code PodGone} (what the server holds), {@code PodReport} (what
 * it should hold), {@code LeaseAcquired} and {@code LeaseLost}; what is reported of static pods
 * goes to their mirrors. Shares the event loop of its shard's sync verticle. Per pod at most one
 * request is in flight, the newest wanted status wins, and nothing is written when the server
 * already holds it. Publishes {@code PodsTold} where somebody shows pods. What others own in a
 * status is never touched. Does not promise that every intermediate status is written.
 */
@NullMarked
package dev.vertlet.status;

import org.jspecify.annotations.NullMarked;
