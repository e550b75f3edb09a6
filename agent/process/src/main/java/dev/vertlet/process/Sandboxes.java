package dev.vertlet.process;

import dev.vertlet.host.files.Workers;
import dev.vertlet.host.provider.ProviderFailures;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.definition.PodDefinition;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.process.store.HostPort;
import dev.vertlet.process.store.StoredPod;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/** Sandboxes of pods, which reserve their ports. Used by the shard's loop alone. */
final class Sandboxes {
  private final ProviderSetup setup;
  private final Workers workers;
  private final HeldPods pods;
  private final Launcher launcher;
  private final Containers containers;

  Sandboxes(ProviderSetup setup, HeldPods pods, Launcher launcher, Containers containers) {
    this.setup = setup;
    this.workers = new Workers(setup.vertx());
    this.pods = pods;
    this.launcher = launcher;
    this.containers = containers;
  }

  /** Returns the ports of the host that a pod needs: its host ports, else its container ports. */
  static List<HostPort> ports(PodDefinition definition) {
    return definition.containers().values().stream()
        .flatMap(container -> container.ports().stream())
        .map(
            port ->
                new HostPort(
                    port.protocol(), port.hostPort() > 0 ? port.hostPort() : port.containerPort()))
        .toList();
  }

  /**
   * Creates a sandbox; fails with reason {@code NodePorts} if a port is taken, by another pod or by
   * another program of the host.
   */
  Future<SandboxRecord> run(PodView pod, int attempt, List<HostPort> ports) {
    HeldPod held = pods.get(pod.uid());
    SandboxRecord there = held == null ? null : held.stored().sandbox();
    if (there != null) {
      return there.attempt() == attempt
          ? Future.succeededFuture(there)
          : ProviderFailures.temporary(
              "SandboxExists", "pod " + pod.ref().display() + " has a sandbox already");
    }
    if (ports.stream().anyMatch(pods.ports()::contains)) {
      return portsTaken();
    }
    List<String> ips = setup.node(pod.nodeName()).hostIPs();
    SandboxRecord sandbox = new SandboxRecord(containers.newId(), attempt, ips);
    StoredPod stored = new StoredPod(pod.ref(), pod.nodeName(), sandbox, ports);
    HeldPod added = held == null ? new HeldPod(stored) : held;
    StoredPod before = added.stored();
    added.store(stored);
    pods.add(added);
    return workers
        .call(
            () -> {
              if (ports.stream().anyMatch(HostPort::taken)) {
                return false;
              }
              launcher.store(stored);
              return true;
            })
        .compose(
            free -> free ? Future.succeededFuture(sandbox) : Sandboxes.<SandboxRecord>portsTaken())
        .onFailure(
            failure -> {
              if (added.stored() == stored) {
                added.store(before.removed());
                if (added.instances().isEmpty()) {
                  pods.remove(added);
                }
              }
            });
  }

  private static <T> Future<T> portsTaken() {
    return Future.failedFuture(
        new ProviderException(
            Kind.INVALID,
            "NodePorts",
            "Predicate NodePorts failed: node(s) didn't have free ports for the requested pod"
                + " ports"));
  }

  /** Kills what runs in a sandbox and removes it. */
  Future<Void> remove(PodRef ref) {
    HeldPod pod = pods.get(ref.uid());
    if (pod == null || pod.stored().sandbox() == null) {
      return Future.succeededFuture(); // its directory may be on its way out
    }
    List<Future<Void>> ends = new ArrayList<>();
    for (Instance instance : pod.instances()) {
      ends.add(instance.start().future().transform(started -> containers.stop(instance, 0)));
    }
    return Future.join(ends)
        .compose(
            ended -> {
              StoredPod before = pod.stored();
              StoredPod removed = before.removed();
              pod.store(removed);
              return workers
                  .run(
                      () -> {
                        if (Files.exists(launcher.directories().pod(ref.uid()))) {
                          launcher.store(removed);
                        }
                      })
                  .onFailure(failure -> pod.store(before));
            });
  }
}
