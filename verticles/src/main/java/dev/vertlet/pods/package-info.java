/**
 * Brings the pods of the own nodes from the API server to the provider.
 *
 * <p>{@code PodFeedVerticle} stands in for {@code PodWatchVerticle} where a program watches pods
 * itself. {@code PodWatchVerticle} follows the pods with one watch per node or one for all and
 * publishes {@code PodObserved}, {@code PodGone} and {@code PodsSynced} to the shards. {@code
 * PodSyncVerticle} keeps a mailbox per pod UID and calls the shard's provider; it takes {@code
 * LeaseAcquired} and {@code LeaseLost} (nothing is done for a node that is not served) and sends
 * {@code PodReport} and {@code ObjectEvent}. Pods that come from manifests take the same way, from
 * {@code StaticPodObserved} on to {@code StaticPodEnded}; mirror pods are never run, and remember
 * what was known of their static pods. Work on one pod is serial; different pods never wait for one
 * another. No pod is dropped after some number of tries.
 */
@NullMarked
package dev.vertlet.pods;

import org.jspecify.annotations.NullMarked;
