package dev.vertlet.trace;

import org.jspecify.annotations.Nullable;

/**
 * Which pod of which workload.
 *
 * @param id distinguishes pods of equal names; stays the same over all records of the pod in a
 *     trace. Made from the UID, which cannot be read back from it
 * @param owner the outermost recorded owner, for example the Deployment and not its ReplicaSet; the
 *     pod itself for a bare pod
 * @param template number of the owner's pod template, from 0 in the order in which pods of each
 *     template first appeared
 * @param index ordinal within a StatefulSet or completion index within an indexed Job; null for
 *     pods without one
 */
public record PodIdentity(
    String id,
    String namespace,
    String name,
    WorkloadRef owner,
    int template,
    @Nullable Integer index) {}
