/**
 * Brings the pods of the agent's nodes from the API server to the provider.
 *
 * <p>{@code PodWatchVerticle} watches the pods with one watch per node or one for all and publishes
 * {@code PodObserved}, {@code PodGone} and {@code PodsSynced} to the shards. {@code
 * PodFeedVerticle} replaces it if a program watches pods itself. {@code PodSyncVerticle} keeps a
 * mailbox per pod UID and calls the shard's provider; it consumes {@code LeaseAcquired} and {@code
 * LeaseLost} (no call is made for a node that is not served) and sends {@code PodReport} and {@code
 * ObjectEvent}.
 *
 * <p>Static pods take the same path, from {@code StaticPodObserved} to {@code StaticPodEnded};
 * mirror pods are never run, and keep the last status of their static pods. Operations on one pod
 * are serial; different pods never wait for one another. No pod is dropped after some number of
 * tries.
 */
@NullMarked
package dev.vertlet.pods;

import org.jspecify.annotations.NullMarked;
