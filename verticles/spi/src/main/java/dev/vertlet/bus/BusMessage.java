package dev.vertlet.bus;

/**
 * A message on the event bus: a record of immutable parts, passed by reference, never serialised.
 */
public sealed interface BusMessage
    permits LeaseAcquired,
        LeaseBackdated,
        LeaseConfigured,
        LeaseLost,
        NodeAdopted,
        NodeConfigStatusChanged,
        NodeConfigured,
        NodeGone,
        NodeObserved,
        NodePinged,
        NodeRegistered,
        NodeReleased,
        NodeStatusChanged,
        NodesAssigned,
        NodesListed,
        ObjectEvent,
        PodDeletion,
        PodEnqueued,
        PodGone,
        PodObserved,
        PodReport,
        PodQuery,
        PodQueryResult,
        PodsSynced,
        PodStats,
        ReferenceRead,
        ReferenceWanted,
        SourcesReady,
        StaticPodEnded,
        StaticPodObserved {}
