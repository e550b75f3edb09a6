package dev.vertlet.apiserver;

import dev.vertlet.apiserver.ControllerOptions.Controller;
import dev.vertlet.apiserver.control.Cluster;
import dev.vertlet.apiserver.disruption.DisruptionController;
import dev.vertlet.apiserver.event.EventExpiry;
import dev.vertlet.apiserver.gc.GarbageCollector;
import dev.vertlet.apiserver.namespace.NamespaceController;
import dev.vertlet.apiserver.namespace.NamespaceDefaults;
import dev.vertlet.apiserver.node.NodeLifecycle;
import dev.vertlet.apiserver.node.PodGc;
import dev.vertlet.apiserver.node.PodsByNode;
import dev.vertlet.apiserver.node.TaintEviction;
import dev.vertlet.apiserver.registry.PodSubresources;
import dev.vertlet.apiserver.scheduler.Scheduler;

/** Starts the controllers that are switched on, on the server's event loop. */
final class ControlPlane {
  private final ControllerOptions options;
  private final Cluster cluster;
  private final PodSubresources podSubresources;
  private final String caPem;

  /**
   * @param caPem what goes into {@code kube-root-ca.crt}
   */
  ControlPlane(
      ControllerOptions options, Cluster cluster, PodSubresources podSubresources, String caPem) {
    this.options = options;
    this.cluster = cluster;
    this.podSubresources = podSubresources;
    this.caPem = caPem;
  }

  void start() {
    if (options.runs(Controller.NAMESPACE)) {
      new NamespaceController(cluster).start();
    }
    if (options.runs(Controller.NAMESPACE_DEFAULTS)) {
      new NamespaceDefaults(cluster, caPem).start();
    }
    if (options.runs(Controller.GARBAGE_COLLECTOR)) {
      new GarbageCollector(cluster).start();
    }
    if (options.runs(Controller.DISRUPTION)) {
      new DisruptionController(cluster).start();
    }
    startNodeControllers();
    if (options.runs(Controller.SCHEDULER)) {
      new Scheduler(cluster, podSubresources).start();
    }
    if (options.runs(Controller.EVENT_EXPIRY)) {
      new EventExpiry(cluster, options.eventTtl()).start();
    }
  }

  private void startNodeControllers() {
    boolean lifecycle = options.runs(Controller.NODE_LIFECYCLE);
    boolean eviction = options.runs(Controller.TAINT_EVICTION);
    boolean podGc = options.runs(Controller.POD_GC);
    if (!lifecycle && !eviction && !podGc) {
      return;
    }
    PodsByNode pods = new PodsByNode(cluster);
    pods.start();
    if (lifecycle) {
      new NodeLifecycle(cluster, pods, options.nodeGrace()).start();
    }
    if (eviction) {
      new TaintEviction(cluster, pods).start();
    }
    if (podGc) {
      new PodGc(cluster, pods, options.podGcDelay()).start();
    }
  }
}
