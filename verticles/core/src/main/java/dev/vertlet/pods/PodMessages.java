package dev.vertlet.pods;

import static dev.vertlet.bus.Addresses.MIRROR_OBSERVED;
import static dev.vertlet.bus.Addresses.PODS_SYNCED;
import static dev.vertlet.bus.Addresses.POD_GONE;
import static dev.vertlet.bus.Addresses.POD_OBSERVED;

import dev.vertlet.bus.Bus;
import dev.vertlet.bus.PodGone;
import dev.vertlet.bus.PodObserved;
import dev.vertlet.bus.PodsSynced;
import dev.vertlet.bus.Shards;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.pod.PodView;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes the pods of a source on the bus, each to the shard of its node. */
class PodMessages {
  private static final Logger LOG = LoggerFactory.getLogger(PodMessages.class);

  private final Bus bus;
  private final Shards shards;
  private final Predicate<PodView> filter;

  /**
   * Creates a publisher.
   *
   * @param filter a pod that it refuses counts as gone until it is accepted
   */
  PodMessages(Bus bus, Shards shards, Predicate<PodView> filter) {
    this.bus = bus;
    this.shards = shards;
    this.filter = filter;
  }

  /** Publishes a new or changed pod. */
  void upserted(PodView pod) {
    int shard = shards.of(pod.nodeName());
    if (pod.mirrorOf() != null) {
      bus.publish(MIRROR_OBSERVED.shard(shard), new PodObserved(pod));
    } else if (wanted(pod)) {
      bus.publish(POD_OBSERVED.shard(shard), new PodObserved(pod));
    } else {
      // receivers that do not know the pod ignore this
      bus.publish(POD_GONE.shard(shard), new PodGone(pod.ref()));
    }
  }

  /** Accepts a pod if the filter fails: a failing filter must not end pods. */
  private boolean wanted(PodView pod) {
    try {
      return filter.test(pod);
    } catch (RuntimeException e) {
      LOG.atWarn()
          .addKeyValue("pod", pod.ref().display())
          .addKeyValue("error", e.toString())
          .log("the filter of pods fails; the pod counts as accepted");
      return true;
    }
  }

  /**
   * Publishes that a pod is gone.
   *
   * @param elsewhere the pod still exists, but this agent no longer serves its node
   */
  void gone(PodView pod, boolean elsewhere) {
    bus.publish(POD_GONE.shard(shards.of(pod.nodeName())), new PodGone(pod.ref(), elsewhere));
  }

  /** Publishes to all shards that a pod is gone: shards that do not know the pod ignore it. */
  void gone(PodRef pod, boolean elsewhere) {
    PodGone gone = new PodGone(pod, elsewhere);
    for (int shard = 0; shard < shards.count(); shard++) {
      bus.publish(POD_GONE.shard(shard), gone);
    }
  }

  /** Publishes that all pods of these nodes were delivered in this term of their Leases. */
  void synced(Set<String> nodes, int term) {
    bus.publish(PODS_SYNCED, new PodsSynced(nodes, term));
  }
}
