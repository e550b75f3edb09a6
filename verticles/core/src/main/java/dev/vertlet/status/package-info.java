/**
 * Status manager: writes pod statuses to the API server and removes the objects of pods that have
 * ended.
 *
 * <p>Consumes {@code PodObserved} and {@code PodGone} (what the server holds), {@code PodReport}
 * (the wanted status), {@code LeaseAcquired} and {@code LeaseLost}; reports of static pods go to
 * their mirror pods. Publishes {@code PodStats} if the status page or API needs it. Shares the
 * event loop of its shard's sync verticle.
 *
 * <p>Per pod at most one request is in flight, the newest wanted status wins, and a status that the
 * server already holds is not written. Conditions that other clients own are never changed. Not
 * promised: that every intermediate status is written.
 */
@NullMarked
package dev.vertlet.status;

import org.jspecify.annotations.NullMarked;
