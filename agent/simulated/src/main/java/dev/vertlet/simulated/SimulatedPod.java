package dev.vertlet.simulated;

import dev.vertlet.model.PodRef;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.simulated.rule.ListeningPorts;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sandbox of a pod and the instances of its containers, the newest directly accessible. */
public final class SimulatedPod {
  final PodRef ref;
  final SimulatedNode node;
  private final SandboxRecord sandbox;

  /** Ports of the pod; most pods share one object. */
  private final ListeningPorts ports;

  private final List<Instance> instances = new ArrayList<>(1);

  /** CPU time of replaced instances in nanoseconds. */
  private long spent;

  public SimulatedPod(PodRef ref, SimulatedNode node, SandboxRecord sandbox, ListeningPorts ports) {
    this.ref = ref;
    this.ports = ports;
    this.node = node;
    this.sandbox = sandbox;
  }

  SandboxRecord sandbox() {
    return sandbox;
  }

  ListeningPorts ports() {
    return ports;
  }

  List<String> ips() {
    return sandbox.ips();
  }

  /** Returns a copy of the newest instances, as an action on one may change the pod. */
  List<Instance> instances() {
    return List.copyOf(instances);
  }

  /** Returns whether the pod has its first sandbox and no ended instance to remember. */
  boolean isPlain() {
    return sandbox.attempt() == 0 && spent == 0 && ports.equals(ListeningPorts.ANY);
  }

  /** Returns whether a running container uses the node's resources. */
  boolean consumes() {
    for (Instance instance : instances) {
      if (instance.running() && !instance.consumption().none()) {
        return true;
      }
    }
    return false;
  }

  /** Returns the CPU time of all its containers so far in nanoseconds. */
  long nanoSeconds(long now) {
    long sum = spent;
    for (Instance instance : instances) {
      sum += instance.nanoSeconds(now);
    }
    return sum;
  }

  boolean holds(Instance instance) {
    return instances.contains(instance);
  }

  @Nullable Instance byName(String container) {
    for (Instance instance : instances) {
      if (instance.record().name().equals(container)) {
        return instance;
      }
    }
    return null;
  }

  @Nullable Instance byId(String id) {
    for (Instance instance : instances) {
      if (instance.record().id().equals(id)) {
        return instance;
      }
    }
    return null;
  }

  /** Adds an instance and remembers the container's previous one. */
  void add(Instance instance) {
    Instance before = byName(instance.record().name());
    spent += before == null ? 0 : before.nanoSeconds(Long.MAX_VALUE);
    instance.follow(before);
    instances.remove(before);
    instances.add(instance);
  }

  /** Undoes {@link #add}. */
  void drop(Instance instance) {
    Instance before = instance.previous();
    if (instances.remove(instance) && before != null) {
      instances.add(before);
      spent -= before.nanoSeconds(Long.MAX_VALUE);
    }
  }

  /**
   * Forgets an ended instance; the pod keeps its CPU time.
   *
   * @return false for a running instance, which stays
   */
  boolean forget(String id) {
    for (Instance newest : instances) {
      Instance younger = null;
      for (Instance one = newest; one != null; one = one.previous()) {
        if (one.record().id().equals(id)) {
          return forget(one, younger);
        }
        younger = one;
      }
    }
    return true;
  }

  private boolean forget(Instance instance, @Nullable Instance younger) {
    if (!instance.ended()) {
      return false;
    }
    if (younger != null) {
      younger.follow(instance.previous());
    } else {
      spent += instance.nanoSeconds(Long.MAX_VALUE);
      drop(instance);
    }
    return true;
  }

  /** Returns the pod without containers that have not started: only their request is known. */
  RuntimePod snapshot() {
    List<ContainerRecord> records = new ArrayList<>(instances.size());
    for (Instance instance : instances) {
      if (!instance.created()) {
        records.add(instance.record());
      }
      for (Instance dead = instance.previous(); dead != null; dead = dead.previous()) {
        records.add(dead.record());
      }
    }
    return new RuntimePod(ref, node.name(), sandbox, records);
  }
}
