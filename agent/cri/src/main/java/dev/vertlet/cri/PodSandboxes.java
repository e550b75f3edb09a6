package dev.vertlet.cri;

import dev.vertlet.cri.container.CachedPod;
import dev.vertlet.cri.container.Containers;
import dev.vertlet.cri.container.PodCache;
import dev.vertlet.cri.sandbox.PodCgroups;
import dev.vertlet.cri.sandbox.SandboxConfigs;
import dev.vertlet.cri.sandbox.SandboxState;
import dev.vertlet.cri.sandbox.Sandboxes;
import dev.vertlet.cri.sandbox.StoredConfig;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxConfig;
import dev.vertlet.host.files.Workers;
import dev.vertlet.host.provider.ProviderFailures;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.container.ContainerStart;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.container.SandboxStart;
import io.vertx.core.Future;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Sandboxes of the shard's pods, with the configurations that they were made with. */
final class PodSandboxes {
  private final CriOptions options;
  private final Sandboxes sandboxes;
  private final SandboxConfigs configs;
  private final PodCgroups cgroups;
  private final PodCache cache;
  private final Containers containers;
  private final Workers workers;

  /** Configurations of sandboxes in which containers are started, by pod. */
  private final Map<String, PodSandboxConfig> given = new HashMap<>();

  private final Map<String, Future<SandboxRecord>> runs = new HashMap<>();

  PodSandboxes(
      CriOptions options,
      Sandboxes sandboxes,
      SandboxConfigs configs,
      PodCgroups cgroups,
      PodCache cache,
      Containers containers,
      Workers workers) {
    this.options = options;
    this.sandboxes = sandboxes;
    this.configs = configs;
    this.cgroups = cgroups;
    this.cache = cache;
    this.containers = containers;
    this.workers = workers;
  }

  /** Runs a sandbox; the same attempt is run once. */
  Future<SandboxRecord> run(SandboxStart start) {
    String uid = start.pod().uid();
    Future<SandboxRecord> running = runs.get(uid);
    if (running != null) {
      return running;
    }
    CachedPod pod = cache.pod(start.pod().ref(), start.pod().nodeName());
    SandboxState there = pod.sandbox();
    if (there != null) {
      return there.attempt() == start.attempt()
          ? Future.succeededFuture(there.record())
          : ProviderFailures.temporary(
              "SandboxExists", "pod " + pod.ref().display() + " has a sandbox already");
    }
    pod.starting(1);
    Future<SandboxRecord> run =
        cgroups
            .prepare(start.pod())
            .compose(parent -> configured(start, parent))
            .compose(
                config ->
                    sandboxes
                        .run(config, options.handler(start.definition().runtimeClassName()))
                        .onSuccess(made -> given.put(uid, config)))
            .map(
                made -> {
                  cache.enter(pod, made);
                  return made.record();
                })
            .onComplete(
                done -> {
                  pod.starting(-1);
                  runs.remove(uid);
                });
    if (!run.isComplete()) {
      runs.put(uid, run);
    }
    return run;
  }

  private Future<PodSandboxConfig> configured(SandboxStart start, String cgroupParent) {
    PodSandboxConfig config;
    try {
      config = configs.of(start, cgroupParent);
    } catch (IllegalArgumentException e) {
      return ProviderFailures.temporary("FailedCreatePodSandBox", String.valueOf(e.getMessage()));
    }
    return workers.call(
        () -> {
          Files.createDirectories(Path.of(config.logDirectory()));
          Path directory = start.directory();
          if (directory != null) {
            StoredConfig.write(directory, config);
          }
          return config;
        });
  }

  /**
   * Returns the configuration of the sandbox that a container is started in. After a restart of the
   * agent it is the stored one, or one that is made anew.
   */
  Future<PodSandboxConfig> config(ContainerStart start, SandboxState sandbox) {
    String uid = start.view().uid();
    PodSandboxConfig known = given.get(uid);
    if (known != null) {
      return Future.succeededFuture(known);
    }
    Path directory = start.directory();
    return workers
        .call(() -> Optional.ofNullable(directory == null ? null : StoredConfig.read(directory)))
        .map(
            stored ->
                stored.orElseGet(
                    () -> configs.of(start.view(), start.pod(), sandbox.attempt(), null, "")))
        .onSuccess(config -> given.put(uid, config));
  }

  /** Stops a sandbox; completes when the ends of its containers were reported. */
  Future<Void> stop(PodRef ref) {
    Future<SandboxRecord> run = runs.get(ref.uid());
    if (run != null) {
      return run.transform(done -> stop(ref));
    }
    CachedPod pod = cache.pod(ref.uid());
    SandboxState sandbox = pod == null ? null : pod.sandbox();
    if (pod == null || sandbox == null) {
      return Future.succeededFuture();
    }
    pod.stopping(true);
    return sandboxes
        .stop(sandbox.id())
        .compose(
            stopped ->
                Future.join(
                    pod.containers().stream()
                        .filter(container -> !container.ended())
                        .map(container -> containers.awaitEnd(pod, container))
                        .toList()))
        .onSuccess(
            ended -> {
              pod.leave();
              given.remove(ref.uid());
            })
        .onFailure(failure -> pod.stopping(false))
        .mapEmpty();
  }
}
