/**
 * Plays stages against an API server.
 *
 * <p>{@link dev.vertlet.stages.cluster.StagesVerticle} owns a {@code KindPlayer} for each kind that
 * has stages, with one watch. It takes {@code LeaseAcquired}, {@code LeaseLost} and {@code
 * NodesAssigned}, and sends {@code ObjectEvent}. Everything runs on the event loop that deployed
 * the verticle; only the journal of delays is written on a worker.
 *
 * <p>Not promised: a delay that begins less than 50 ms before the process is killed may begin anew
 * after the restart.
 */
@NullMarked
package dev.vertlet.stages.cluster;

import org.jspecify.annotations.NullMarked;
