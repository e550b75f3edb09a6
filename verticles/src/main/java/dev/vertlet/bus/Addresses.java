package dev.vertlet.bus;

/** All addresses. Those marked per shard are used through {@link Address#shard}. */
public final class Addresses {
  /** Per shard, published: pod watch to sync and status. */
  public static final Address<PodObserved> POD_OBSERVED =
      new Address<>("pods.observed", PodObserved.class);

  /** Per shard, sent: a program that feeds pods to sync. */
  public static final Address<PodEnqueued> POD_ENQUEUED =
      new Address<>("pods.enqueued", PodEnqueued.class);

  /** Per shard, published: pod watch to sync, status and sources. Mirror pods are never run. */
  public static final Address<PodObserved> MIRROR_OBSERVED =
      new Address<>("pods.mirrors", PodObserved.class);

  /** Per shard, published: sources to sync and status. The API server does not hold these pods. */
  public static final Address<StaticPodObserved> STATIC_POD_OBSERVED =
      new Address<>("pods.static", StaticPodObserved.class);

  /** Per shard, sent: sync to sources. */
  public static final Address<StaticPodEnded> STATIC_POD_ENDED =
      new Address<>("pods.static.ended", StaticPodEnded.class);

  /** Per shard, published: sources to sync. */
  public static final Address<SourcesReady> SOURCES_SEEN =
      new Address<>("sources.seen", SourcesReady.class);

  /** Per shard, published: pod watch and sources to sync, status and sources. */
  public static final Address<PodGone> POD_GONE = new Address<>("pods.gone", PodGone.class);

  /** Per shard, sent: sync to status. */
  public static final Address<PodReport> POD_REPORTED =
      new Address<>("pods.reported", PodReport.class);

  /** Published: status to the status page and API. */
  public static final Address<PodStats> PODS_TOLD = new Address<>("pods.told", PodStats.class);

  /** Published: pod watch to all shards and to health. */
  public static final Address<PodsSynced> PODS_SYNCED =
      new Address<>("pods.synced", PodsSynced.class);

  /** Published: lease to all verticles that write for a node. */
  public static final Address<LeaseAcquired> LEASE_ACQUIRED =
      new Address<>("lease.acquired", LeaseAcquired.class);

  /** Published: lease to all verticles that write for a node. */
  public static final Address<LeaseLost> LEASE_LOST = new Address<>("lease.lost", LeaseLost.class);

  /** Sent: node configuration to lease. */
  public static final Address<LeaseConfigured> LEASE_CONFIGURED =
      new Address<>("lease.configured", LeaseConfigured.class);

  /** Published: replicas to lease and health. */
  public static final Address<NodesAssigned> NODES_ASSIGNED =
      new Address<>("nodes.assigned", NodesAssigned.class);

  /**
   * Published: adopt to lease, replicas, health and page, and per shard after that to nodes, sync
   * and sources.
   */
  public static final Address<NodeAdopted> NODE_ADOPTED =
      new Address<>("nodes.adopted", NodeAdopted.class);

  /**
   * Published: adopt to lease, replicas, events, health and page, and per shard after that to
   * nodes, sync and sources.
   */
  public static final Address<NodeReleased> NODE_RELEASED =
      new Address<>("nodes.released", NodeReleased.class);

  /** Published: adopt to health. */
  public static final Address<NodesListed> NODES_LISTED =
      new Address<>("nodes.listed", NodesListed.class);

  /** Per shard, published: node configuration to nodes, sync and sources. */
  public static final Address<NodeConfigured> NODE_CONFIGURED =
      new Address<>("nodes.configured", NodeConfigured.class);

  /** Published: config sync to the status page and API. */
  public static final Address<NodeConfigStatusChanged> NODE_CONFIG_STOOD =
      new Address<>("nodes.config", NodeConfigStatusChanged.class);

  /** Per shard, published: node watch and adopt to nodes and config sync. */
  public static final Address<NodeObserved> NODE_OBSERVED =
      new Address<>("nodes.observed", NodeObserved.class);

  /** Per shard, published: node watch to nodes and config sync. */
  public static final Address<NodeGone> NODE_GONE = new Address<>("nodes.gone", NodeGone.class);

  /** Published: nodes to lease and health. */
  public static final Address<NodeRegistered> NODE_REGISTERED =
      new Address<>("nodes.registered", NodeRegistered.class);

  /** Published: nodes to lease. */
  public static final Address<NodePinged> NODE_PINGED =
      new Address<>("nodes.pinged", NodePinged.class);

  /** Published: nodes to health, the status page and API. */
  public static final Address<NodeStatusChanged> NODE_STATUS_CHANGED =
      new Address<>("nodes.status", NodeStatusChanged.class);

  /** Sent: all verticles to events. */
  public static final Address<ObjectEvent> OBJECT_EVENT =
      new Address<>("events", ObjectEvent.class);

  /** Sent: shards to references. */
  public static final Address<ReferenceWanted> REFERENCE_WANTED =
      new Address<>("references.wanted", ReferenceWanted.class);

  /** Per shard, sent: references to the verticles that requested the object. */
  public static final Address<ReferenceRead> REFERENCE_READ =
      new Address<>("references.read", ReferenceRead.class);

  /** Per shard, request and reply: the kubelet's server to sync. */
  public static final Question<PodQuery, PodQueryResult> PODS_ASKED =
      new Question<>("pods.asked", PodQuery.class, PodQueryResult.class);

  private Addresses() {}
}
