package com.example.provider;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.RuntimePod;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Containers that run at once and end when they are told to. */
class ExampleContainers implements ContainerRuntime {
  private final ProviderSetup setup;
  private final Addresses addresses;
  private final Set<String> images = new HashSet<>();
  private final Map<String, Held> pods = new HashMap<>();
  private RuntimeListener listener;

  /** A pod and its containers, the newest instance of each by name. */
  private record Held(
      PodRef pod, String node, SandboxRecord sandbox, Map<String, ContainerRecord> containers) {
    RuntimePod snapshot() {
      return new RuntimePod(pod, node, sandbox, List.copyOf(containers.values()));
    }
  }

  ExampleContainers(ProviderSetup setup) {
    this.setup = setup;
    this.addresses = new Addresses(setup);
  }

  @Override
  public Future<Void> start(RuntimeListener given) {
    listener = given;
    return Future.succeededFuture();
  }

  @Override
  public Future<SandboxRecord> runSandbox(PodView pod, int attempt) {
    Held held = pods.get(pod.uid());
    if (held == null || held.sandbox.attempt() < attempt) {
      held = hold(pod, attempt, addresses.of(pod));
    }
    return Future.succeededFuture(held.sandbox);
  }

  private Held hold(PodView pod, int attempt, String ip) {
    String id = "example://" + pod.uid() + "/" + attempt;
    SandboxRecord sandbox = new SandboxRecord(id, attempt, List.of(ip));
    Held held = new Held(pod.ref(), pod.nodeName(), sandbox, new LinkedHashMap<>());
    pods.put(pod.uid(), held);
    return held;
  }

  @Override
  public Future<Void> removeSandbox(PodRef pod) {
    Held held = pods.remove(pod.uid());
    if (held != null) {
      addresses.free(pod.uid());
      held.containers.values().forEach(container -> end(held, container));
    }
    return Future.succeededFuture();
  }

  @Override
  public Future<Optional<String>> imageId(String node, String image) {
    return Future.succeededFuture(
        images.contains(node + " " + image) ? Optional.of(identity(image)) : Optional.empty());
  }

  private static String identity(String image) {
    return "example-image://" + image;
  }

  @Override
  public Future<String> pull(PodView pod, ContainerView container) {
    images.add(pod.nodeName() + " " + container.image());
    return Future.succeededFuture(identity(container.image()));
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId) {
    Held held = pods.get(pod.uid());
    if (held == null) {
      return Future.failedFuture(
          new ProviderException(
              Kind.TEMPORARY, "NoSandbox", pod.ref().display() + " has no sandbox"));
    }
    ContainerRecord known = held.containers.get(container.name());
    if (known != null && known.attempt() == attempt) {
      return Future.succeededFuture(known);
    }
    ContainerRecord record =
        new ContainerRecord(
            "example://" + pod.uid() + "/" + container.name() + "/" + attempt,
            container.name(),
            attempt,
            container.image(),
            imageId,
            new ContainerStateView.Running(now()),
            null,
            null);
    held.containers.put(container.name(), record);
    listener.containerChanged(pod.ref(), record);
    return Future.succeededFuture(record);
  }

  private Instant now() {
    return setup.clock().instant().truncatedTo(ChronoUnit.SECONDS);
  }

  @Override
  public Future<Void> stopContainer(PodRef pod, String containerId, Duration grace) {
    Held held = pods.get(pod.uid());
    if (held != null) {
      held.containers.values().stream()
          .filter(container -> container.id().equals(containerId))
          .findFirst()
          .ifPresent(container -> end(held, container));
    }
    return Future.succeededFuture();
  }

  /** Listeners are told when everything else is done: they may call back at once. */
  private void end(Held held, ContainerRecord container) {
    if (!(container.state() instanceof ContainerStateView.Running running)) {
      return;
    }
    ContainerRecord ended =
        new ContainerRecord(
            container.id(),
            container.name(),
            container.attempt(),
            container.image(),
            container.imageId(),
            new ContainerStateView.Terminated(
                0, 0, "Completed", null, running.startedAt(), now(), container.id()),
            null,
            null);
    held.containers.replace(container.name(), ended);
    listener.containerChanged(held.pod, ended);
  }

  @Override
  public Future<List<RuntimePod>> list() {
    return Future.succeededFuture(pods.values().stream().map(Held::snapshot).toList());
  }

  @Override
  public Future<Optional<RuntimePod>> restore(PodView pod) {
    Held held = pods.get(pod.uid());
    if (held == null && !pod.status().podIPs().isEmpty()) {
      String ip = pod.status().podIPs().get(0);
      addresses.taken(pod.uid(), ip);
      held = hold(pod, 0, ip);
      for (ContainerStatusView status : pod.status().containerStatuses()) {
        if (status.containerId() != null && status.state() != null) {
          held.containers.put(status.name(), record(status));
        }
      }
    }
    return Future.succeededFuture(Optional.ofNullable(held).map(Held::snapshot));
  }

  private static ContainerRecord record(ContainerStatusView status) {
    return new ContainerRecord(
        status.containerId(),
        status.name(),
        status.restartCount(),
        status.image(),
        status.imageId(),
        status.state(),
        null,
        null);
  }

  @Override
  public Future<Void> release(String node) {
    pods.values().removeIf(held -> held.node.equals(node));
    return Future.succeededFuture();
  }

  @Override
  public Future<Void> status() {
    return Future.succeededFuture();
  }
}
