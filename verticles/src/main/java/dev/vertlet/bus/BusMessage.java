package dev.vertlet.bus;

/**
 * What travels on the event bus. Records of immutable parts, handed over by reference, never
 * serialised.
 */
public sealed interface BusMessage
    permits LeaseAcquired,
        LeaseConfigured,
        LeaseLost,
        NodeAdopted,
        NodeConfigStood,
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
        PodEnqueued,
        PodGone,
        PodObserved,
        PodReport,
        PodsAsked,
        PodsKnown,
        PodsSynced,
        PodsTold,
        ReferenceRead,
        ReferenceWanted,
        SourcesSeen,
        StaticPodEnded,
        StaticPodObserved {}
