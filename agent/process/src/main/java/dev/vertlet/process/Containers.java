package dev.vertlet.process;

import dev.vertlet.host.cgroup.Cgroup;
import dev.vertlet.host.cgroup.ContainerLimits;
import dev.vertlet.host.files.Directories;
import dev.vertlet.host.files.Workers;
import dev.vertlet.host.provider.ProviderFailures;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.process.shim.Exit;
import dev.vertlet.process.store.StoredContainer;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Starts, stops, resizes and removes containers. Used by the shard's loop alone. */
final class Containers {
  private final ProviderSetup setup;
  private final Workers workers;
  private final ProcessOptions options;
  private final HeldPods pods;
  private final Launcher launcher;
  private final InstanceWatcher watcher;
  private final ContainerUsers users;
  private final ContainerCgroups cgroups;

  Containers(
      ProviderSetup setup,
      ProcessOptions options,
      HeldPods pods,
      Launcher launcher,
      InstanceWatcher watcher,
      ContainerUsers users,
      ContainerCgroups cgroups) {
    this.setup = setup;
    this.workers = new Workers(setup.vertx());
    this.options = options;
    this.pods = pods;
    this.launcher = launcher;
    this.watcher = watcher;
    this.users = users;
    this.cgroups = cgroups;
  }

  /**
   * Returns a new id of a sandbox or container, without a scheme: {@link Shims#ID_LENGTH}
   * hexadecimal digits.
   */
  String newId() {
    return "%016x%016x".formatted(setup.random().nextLong(), setup.random().nextLong());
  }

  /** Starts an instance; the same attempt is started once. */
  Future<ContainerRecord> start(Launch launch) {
    PodRef ref = launch.pod().ref();
    HeldPod pod = pods.get(ref.uid());
    if (pod == null || pod.stored().sandbox() == null) {
      return ProviderFailures.temporary(
          "SandboxNotFound", "pod " + ref.display() + " has no sandbox");
    }
    String name = launch.container().name();
    Instance there = pod.instance(name, launch.attempt());
    if (there != null) {
      return there.start().future();
    }
    ImageRule image = options.rule(launch.container().image());
    if (image == null) {
      return ProviderFailures.temporary(
          "CreateContainerError", "image " + launch.container().image() + " is not mapped");
    }
    Instance instance;
    try {
      String id = newId();
      StoredContainer stored =
          new StoredContainer(
              StoredContainer.SCHEME + id,
              name,
              launch.attempt(),
              launch.container().image(),
              launch.imageId(),
              launcher.socket(id),
              launch.user(users),
              cgroups.of(pod.stored().node(), ref.uid(), id));
      Path own = launcher.directories().container(ref.uid(), name, launch.attempt());
      instance = new Instance(ref, stored, own);
    } catch (ProviderException refused) {
      return Future.failedFuture(refused);
    }
    pod.add(instance);
    workers
        .call(
            () -> launcher.launch(instance.stored(), instance.directory(), launch, image, options))
        .onComplete(
            result -> {
              if (result.succeeded()) {
                launched(instance, result.result());
              } else {
                notLaunched(pod, instance, result.cause());
              }
            });
    return instance.start().future();
  }

  private void launched(Instance instance, Launcher.Known known) {
    instance.take(known);
    Exit exit = known.exit();
    if (exit != null && exit.startFailed()) {
      instance
          .start()
          .fail(new ProviderException(Kind.TEMPORARY, "RunContainerError", exit.error()));
      // after the failure, as a kubelet first hears of it and then of the dead container
      setup.vertx().runOnContext(done -> watcher.report(instance));
      return;
    }
    instance.start().complete(instance.record());
    watcher.report(instance);
    if (!instance.ended()) {
      watcher.watch(instance);
    }
  }

  private void notLaunched(HeldPod pod, Instance instance, Throwable failure) {
    pod.remove(instance);
    workers
        .run(() -> Directories.delete(instance.directory()))
        .onComplete(
            deleted -> {
              instance.endReported();
              instance
                  .start()
                  .fail(
                      failure instanceof ProviderException
                          ? failure
                          : new ProviderException(
                              Kind.TEMPORARY,
                              "RunContainerError",
                              String.valueOf(failure.getMessage())));
            });
  }

  /**
   * Ends an instance, with SIGTERM and after the grace with SIGKILL.
   *
   * @param instance null or ended: nothing to do
   */
  Future<Void> stop(@Nullable Instance instance, long graceMillis) {
    if (instance == null || instance.ended()) {
      return Future.succeededFuture();
    }
    instance.stop(graceMillis);
    return instance.end();
  }

  /** Sets the limits of a running container. */
  Future<Void> resize(PodRef pod, String containerId, ContainerView container) {
    Instance instance = pods.instance(pod, containerId);
    if (instance == null || !instance.running()) {
      return ProviderFailures.notRunning(container.name());
    }
    ContainerLimits limits = ContainerLimits.of(container.resources());
    return workers.run(
        () -> {
          for (Cgroup group : instance.stored().cgroups()) {
            group.limit(limits);
          }
        });
  }

  /** Removes an ended container with its log. */
  Future<Void> remove(PodRef ref, String containerId) {
    HeldPod pod = pods.get(ref.uid());
    Instance instance = pod == null ? null : pod.instance(containerId);
    if (pod == null || instance == null) {
      return Future.succeededFuture();
    }
    if (!instance.ended()) {
      return ProviderFailures.temporary(
          "RemoveContainerError", "container " + containerId + " has not ended");
    }
    return workers
        .run(() -> Directories.delete(instance.directory()))
        .onSuccess(deleted -> pod.remove(instance));
  }
}
