package dev.vertlet.bus;

/**
 * All addresses, each with its sender. Those marked per shard are used through {@link
 * Address#shard}.
 */
public final class Addresses {
  /** Per shard, published by the pod watch. */
  public static final Address<PodObserved> POD_OBSERVED =
      new Address<>("pods.observed", PodObserved.class);

  /** Per shard, published to sync and status by a program that feeds pods. */
  public static final Address<PodEnqueued> POD_ENQUEUED =
      new Address<>("pods.enqueued", PodEnqueued.class);

  /** Per shard, sent to status by a program that feeds pods. */
  public static final Address<PodDeletion> POD_DELETION =
      new Address<>("pods.deletion", PodDeletion.class);

  /** Per shard, published by the pod watch. Mirror pods are never run. */
  public static final Address<PodObserved> MIRROR_OBSERVED =
      new Address<>("pods.mirrors", PodObserved.class);

  /** Per shard, published by sources. The API server does not hold these pods. */
  public static final Address<StaticPodObserved> STATIC_POD_OBSERVED =
      new Address<>("pods.static", StaticPodObserved.class);

  /** Per shard, sent by sync to sources. */
  public static final Address<StaticPodEnded> STATIC_POD_ENDED =
      new Address<>("pods.static.ended", StaticPodEnded.class);

  /** Per shard, published by sources. */
  public static final Address<SourcesReady> SOURCES_READY =
      new Address<>("sources.seen", SourcesReady.class);

  /** Per shard, published by the pod watch and by sources. */
  public static final Address<PodGone> POD_GONE = new Address<>("pods.gone", PodGone.class);

  /** Per shard, sent by sync to status. */
  public static final BatchAddress<PodReport> POD_REPORTED =
      new BatchAddress<>("pods.reported", PodReport.class);

  /** Published by status. */
  public static final Address<PodStats> POD_STATS = new Address<>("pods.stats", PodStats.class);

  /** Published by the pod watch. */
  public static final Address<PodsSynced> PODS_SYNCED =
      new Address<>("pods.synced", PodsSynced.class);

  /** Published by lease. */
  public static final Address<LeaseAcquired> LEASE_ACQUIRED =
      new Address<>("lease.acquired", LeaseAcquired.class);

  /** Published by lease. */
  public static final Address<LeaseLost> LEASE_LOST = new Address<>("lease.lost", LeaseLost.class);

  /** Published by lease. */
  public static final Address<LeaseBackdated> LEASE_BACKDATED =
      new Address<>("lease.backdated", LeaseBackdated.class);

  /** Sent by node configuration to lease. */
  public static final Address<LeaseConfigured> LEASE_CONFIGURED =
      new Address<>("lease.configured", LeaseConfigured.class);

  /** Published by replicas. */
  public static final Address<NodesAssigned> NODES_ASSIGNED =
      new Address<>("nodes.assigned", NodesAssigned.class);

  /** Published by adopt, and then once more per shard. */
  public static final Address<NodeAdopted> NODE_ADOPTED =
      new Address<>("nodes.adopted", NodeAdopted.class);

  /** Published by adopt, and then once more per shard. */
  public static final Address<NodeReleased> NODE_RELEASED =
      new Address<>("nodes.released", NodeReleased.class);

  /** Published by adopt. */
  public static final Address<NodesListed> NODES_LISTED =
      new Address<>("nodes.listed", NodesListed.class);

  /** Per shard, published by node configuration. */
  public static final Address<NodeConfigured> NODE_CONFIGURED =
      new Address<>("nodes.configured", NodeConfigured.class);

  /** Published by config sync. */
  public static final Address<NodeConfigStatusChanged> NODE_CONFIG_STATUS_CHANGED =
      new Address<>("nodes.config", NodeConfigStatusChanged.class);

  /** Per shard, published by the node watch and by adopt. */
  public static final Address<NodeObserved> NODE_OBSERVED =
      new Address<>("nodes.observed", NodeObserved.class);

  /** Per shard, published by the node watch. */
  public static final Address<NodeGone> NODE_GONE = new Address<>("nodes.gone", NodeGone.class);

  /** Published by nodes. */
  public static final Address<NodeRegistered> NODE_REGISTERED =
      new Address<>("nodes.registered", NodeRegistered.class);

  /** Published by nodes. */
  public static final Address<NodePinged> NODE_PINGED =
      new Address<>("nodes.pinged", NodePinged.class);

  /** Published by nodes. */
  public static final Address<NodeStatusChanged> NODE_STATUS_CHANGED =
      new Address<>("nodes.status", NodeStatusChanged.class);

  /** Sent to events by all verticles. */
  public static final Address<ObjectEvent> OBJECT_EVENT =
      new Address<>("events", ObjectEvent.class);

  /** Sent by shards to references. */
  public static final Address<ReferenceWanted> REFERENCE_WANTED =
      new Address<>("references.wanted", ReferenceWanted.class);

  /** Per shard, sent by references to the shard that asked for the object. */
  public static final Address<ReferenceRead> REFERENCE_READ =
      new Address<>("references.read", ReferenceRead.class);

  /** Per shard, request of the kubelets' server, reply of sync. */
  public static final Question<PodQuery, PodQueryResult> POD_QUERY =
      new Question<>("pods.asked", PodQuery.class, PodQueryResult.class);

  private Addresses() {}
}
