package dev.vertlet.cri;

import dev.vertlet.cri.wire.ContainerMessages.Container;
import dev.vertlet.cri.wire.ContainerMessages.ContainerConfig;
import dev.vertlet.cri.wire.ContainerMessages.ContainerMetadata;
import dev.vertlet.cri.wire.ContainerMessages.ContainerState;
import dev.vertlet.cri.wire.ContainerMessages.ContainerStatus;
import dev.vertlet.cri.wire.ContainerMessages.ContainerStatusRequest;
import dev.vertlet.cri.wire.ContainerMessages.ContainerStatusResponse;
import dev.vertlet.cri.wire.ContainerMessages.CreateContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.CreateContainerResponse;
import dev.vertlet.cri.wire.ContainerMessages.ListContainersResponse;
import dev.vertlet.cri.wire.ContainerMessages.RemoveContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.RemoveContainerResponse;
import dev.vertlet.cri.wire.ContainerMessages.Signal;
import dev.vertlet.cri.wire.ContainerMessages.StartContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.StartContainerResponse;
import dev.vertlet.cri.wire.ContainerMessages.StopContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.StopContainerResponse;
import dev.vertlet.cri.wire.ContainerMessages.UpdateContainerResourcesResponse;
import dev.vertlet.cri.wire.FakeGrpcServer;
import dev.vertlet.cri.wire.FakeGrpcServer.Call;
import dev.vertlet.cri.wire.GrpcStatus;
import dev.vertlet.cri.wire.ImageMessages.Image;
import dev.vertlet.cri.wire.ImageMessages.ImageFsInfoResponse;
import dev.vertlet.cri.wire.ImageMessages.ImageStatusResponse;
import dev.vertlet.cri.wire.ImageMessages.ListImagesResponse;
import dev.vertlet.cri.wire.ImageMessages.PullImageResponse;
import dev.vertlet.cri.wire.ImageMessages.RemoveImageResponse;
import dev.vertlet.cri.wire.SandboxMessages.ListPodSandboxResponse;
import dev.vertlet.cri.wire.SandboxMessages.PodSandbox;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxConfig;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxNetworkStatus;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxState;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxStatus;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxStatusRequest;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxStatusResponse;
import dev.vertlet.cri.wire.SandboxMessages.RemovePodSandboxRequest;
import dev.vertlet.cri.wire.SandboxMessages.RemovePodSandboxResponse;
import dev.vertlet.cri.wire.SandboxMessages.RunPodSandboxRequest;
import dev.vertlet.cri.wire.SandboxMessages.RunPodSandboxResponse;
import dev.vertlet.cri.wire.SandboxMessages.StopPodSandboxRequest;
import dev.vertlet.cri.wire.SandboxMessages.StopPodSandboxResponse;
import dev.vertlet.cri.wire.StatsMessages.ListContainerStatsResponse;
import dev.vertlet.cri.wire.StatsMessages.ListPodSandboxStatsResponse;
import dev.vertlet.cri.wire.StatusMessages.RuntimeCondition;
import dev.vertlet.cri.wire.StatusMessages.RuntimeStatus;
import dev.vertlet.cri.wire.StatusMessages.StatusResponse;
import dev.vertlet.cri.wire.StatusMessages.VersionResponse;
import dev.vertlet.cri.wire.StreamMessages.ContainerEventResponse;
import dev.vertlet.cri.wire.StreamMessages.ContainerEventType;
import dev.vertlet.cri.wire.StreamMessages.ExecSyncResponse;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A container runtime without containers: it keeps what it was asked to make, and a test can have
 * each of its methods fail. Like containerd it reserves names, and goes on with what it has begun
 * when a caller has given up. Thread-safe.
 */
final class FakeRuntime implements AutoCloseable {
  static final String IMAGE_ID = "sha256:abc";

  private final FakeGrpcServer server;
  private final Map<String, Handler<Call>> usual = new HashMap<>();
  private final Map<String, SandboxEntry> sandboxes = new LinkedHashMap<>();
  private final Map<String, ContainerEntry> containers = new LinkedHashMap<>();
  private @Nullable Call events;
  private int ids;

  private record SandboxEntry(PodSandboxConfig config, PodSandboxState state) {}

  private record ContainerEntry(
      String sandbox, ContainerConfig config, ContainerState state, int exitCode) {
    ContainerMetadata metadata() {
      return Objects.requireNonNull(config.metadata());
    }
  }

  FakeRuntime(Vertx vertx, Path socket) {
    server = new FakeGrpcServer(vertx, socket);
    usual.put("Version", call -> call.answer(new VersionResponse("0.1.0", "fake", "1.0", "v1")));
    usual.put("Status", call -> call.answer(status(true)));
    usual.put("GetContainerEvents", this::subscribe);
    usual.put("RunPodSandbox", this::runSandbox);
    usual.put("PodSandboxStatus", this::sandboxStatus);
    usual.put("ListPodSandbox", call -> call.answer(listSandboxes()));
    usual.put("StopPodSandbox", this::stopSandbox);
    usual.put("RemovePodSandbox", this::removeSandbox);
    usual.put("CreateContainer", this::create);
    usual.put("StartContainer", this::start);
    usual.put("ContainerStatus", this::containerStatus);
    usual.put("ListContainers", call -> call.answer(listContainers()));
    usual.put("StopContainer", this::stop);
    usual.put("RemoveContainer", this::remove);
    usual.put(
        "UpdateContainerResources", call -> call.answer(new UpdateContainerResourcesResponse()));
    usual.put(
        "ExecSync",
        call -> call.answer(new ExecSyncResponse(Buffer.buffer("out"), Buffer.buffer(), 0)));
    usual.put("ImageStatus", call -> call.answer(new ImageStatusResponse(image(), Map.of())));
    usual.put("PullImage", call -> call.answer(new PullImageResponse(IMAGE_ID)));
    usual.put("ListImages", call -> call.answer(new ListImagesResponse(List.of(image()))));
    usual.put("RemoveImage", call -> call.answer(new RemoveImageResponse()));
    usual.put("ImageFsInfo", call -> call.answer(new ImageFsInfoResponse(List.of(), List.of())));
    usual.put("ListContainerStats", call -> call.answer(new ListContainerStatsResponse(List.of())));
    usual.put(
        "ListPodSandboxStats", call -> call.answer(new ListPodSandboxStatsResponse(List.of())));
    usual.forEach(server::on);
  }

  private static Image image() {
    return new Image(IMAGE_ID, List.of("busybox:1"), List.of(), 7, null, "", null, false);
  }

  static StatusResponse status(boolean networkReady) {
    return new StatusResponse(
        new RuntimeStatus(
            List.of(
                new RuntimeCondition("RuntimeReady", true, "", ""),
                new RuntimeCondition(
                    "NetworkReady", networkReady, networkReady ? "" : "NoCni", "no network"))),
        Map.of(),
        List.of(),
        null);
  }

  /** A status that says nothing. */
  static StatusResponse noStatus() {
    return new StatusResponse(null, Map.of(), List.of(), null);
  }

  FakeGrpcServer server() {
    return server;
  }

  /** Gives a method another answer. */
  void on(String method, Handler<Call> answer) {
    server.on(method, answer);
  }

  /** Gives a method the answer that it has had first. */
  void heal(String method) {
    server.on(method, usually(method));
  }

  /** What a method answers first. */
  Handler<Call> usually(String method) {
    return usual.getOrDefault(
        method, call -> call.refuse(GrpcStatus.UNIMPLEMENTED, "unknown method " + method));
  }

  /** Number of sandboxes, of whatever state. */
  synchronized int sandboxCount() {
    return sandboxes.size();
  }

  /** Number of containers, of whatever state. */
  synchronized int containerCount() {
    return containers.size();
  }

  /** Ends a container from outside, without an event. */
  synchronized void kill(String id, int exitCode) {
    ContainerEntry entry = Objects.requireNonNull(containers.get(id));
    containers.put(
        id,
        new ContainerEntry(
            entry.sandbox(), entry.config(), ContainerState.CONTAINER_EXITED, exitCode));
  }

  /** Forgets everything, as when another client removes it. */
  synchronized void loseSandboxes() {
    sandboxes.clear();
    containers.clear();
  }

  /** Sends an event to the subscriber. */
  void tell(String id, ContainerEventType type) {
    Call subscriber = subscriber();
    if (subscriber == null) {
      throw new IllegalStateException("nothing has subscribed");
    }
    subscriber.send(new ContainerEventResponse(id, type, 1, null, List.of()));
  }

  /** The newest subscription; null before the first. */
  synchronized @Nullable Call subscriber() {
    return events;
  }

  private synchronized void subscribe(Call call) {
    events = call;
    call.request().response().putHeader("content-type", "application/grpc").setChunked(true);
    var unused = call.request().response().writeHead();
  }

  private synchronized void runSandbox(Call call) {
    PodSandboxConfig config = Objects.requireNonNull(call.as(RunPodSandboxRequest.class).config());
    if (sandboxes.values().stream()
        .anyMatch(made -> Objects.equals(made.config().metadata(), config.metadata()))) {
      call.status("2", "failed to reserve sandbox name: name is reserved for another");
      return;
    }
    String id = "s" + ++ids;
    sandboxes.put(id, new SandboxEntry(config, PodSandboxState.SANDBOX_READY));
    call.answer(new RunPodSandboxResponse(id));
  }

  private synchronized void sandboxStatus(Call call) {
    String id = call.as(PodSandboxStatusRequest.class).podSandboxId();
    SandboxEntry entry = sandboxes.get(id);
    if (entry == null) {
      call.status("5", "sandbox not found");
      return;
    }
    PodSandboxStatus status =
        new PodSandboxStatus(
            id,
            entry.config().metadata(),
            entry.state(),
            1,
            new PodSandboxNetworkStatus("10.0.0.7", List.of()),
            null,
            entry.config().labels(),
            entry.config().annotations(),
            "");
    call.answer(new PodSandboxStatusResponse(status, Map.of(), List.of(), 1));
  }

  private synchronized ListPodSandboxResponse listSandboxes() {
    return new ListPodSandboxResponse(
        sandboxes.entrySet().stream()
            .map(
                each ->
                    new PodSandbox(
                        each.getKey(),
                        each.getValue().config().metadata(),
                        each.getValue().state(),
                        1,
                        each.getValue().config().labels(),
                        each.getValue().config().annotations(),
                        ""))
            .toList());
  }

  private synchronized void stopSandbox(Call call) {
    String id = call.as(StopPodSandboxRequest.class).podSandboxId();
    SandboxEntry entry = sandboxes.get(id);
    if (entry != null) {
      sandboxes.put(id, new SandboxEntry(entry.config(), PodSandboxState.SANDBOX_NOTREADY));
      for (Map.Entry<String, ContainerEntry> each : containers.entrySet()) {
        if (each.getValue().sandbox().equals(id)
            && each.getValue().state() == ContainerState.CONTAINER_RUNNING) {
          kill(each.getKey(), 137);
        }
      }
    }
    call.answer(new StopPodSandboxResponse());
  }

  private synchronized void removeSandbox(Call call) {
    String id = call.as(RemovePodSandboxRequest.class).podSandboxId();
    sandboxes.remove(id);
    containers.values().removeIf(container -> container.sandbox().equals(id));
    call.answer(new RemovePodSandboxResponse());
  }

  private synchronized void create(Call call) {
    CreateContainerRequest request = call.as(CreateContainerRequest.class);
    ContainerConfig config = Objects.requireNonNull(request.config());
    if (containers.values().stream()
        .anyMatch(
            made ->
                made.sandbox().equals(request.podSandboxId())
                    && made.metadata().equals(config.metadata()))) {
      call.status("2", "failed to reserve container name: name is reserved for another");
      return;
    }
    String id = "c" + ++ids;
    containers.put(
        id,
        new ContainerEntry(request.podSandboxId(), config, ContainerState.CONTAINER_CREATED, 0));
    call.answer(new CreateContainerResponse(id));
  }

  private synchronized void start(Call call) {
    String id = call.as(StartContainerRequest.class).containerId();
    ContainerEntry entry = Objects.requireNonNull(containers.get(id));
    containers.put(
        id,
        new ContainerEntry(entry.sandbox(), entry.config(), ContainerState.CONTAINER_RUNNING, 0));
    call.answer(new StartContainerResponse());
  }

  /** What a status call of a container answers. */
  synchronized @Nullable ContainerStatusResponse containerStatus(String id) {
    ContainerEntry entry = containers.get(id);
    if (entry == null) {
      return null;
    }
    return new ContainerStatusResponse(
        new ContainerStatus(
            id,
            entry.config().metadata(),
            entry.state(),
            1,
            1,
            entry.state() == ContainerState.CONTAINER_EXITED ? 2 : 0,
            entry.exitCode(),
            entry.config().image(),
            IMAGE_ID,
            "",
            "",
            entry.config().labels(),
            entry.config().annotations(),
            List.of(),
            "",
            null,
            IMAGE_ID,
            null,
            Signal.RUNTIME_DEFAULT),
        Map.of());
  }

  private void containerStatus(Call call) {
    ContainerStatusResponse status =
        containerStatus(call.as(ContainerStatusRequest.class).containerId());
    if (status == null) {
      call.status("5", "container not found");
    } else {
      call.answer(status);
    }
  }

  private synchronized ListContainersResponse listContainers() {
    return new ListContainersResponse(
        containers.entrySet().stream()
            .map(
                each ->
                    new Container(
                        each.getKey(),
                        each.getValue().sandbox(),
                        each.getValue().config().metadata(),
                        each.getValue().config().image(),
                        IMAGE_ID,
                        each.getValue().state(),
                        1,
                        each.getValue().config().labels(),
                        each.getValue().config().annotations(),
                        IMAGE_ID))
            .toList());
  }

  private synchronized void stop(Call call) {
    String id = call.as(StopContainerRequest.class).containerId();
    if (containers.containsKey(id)) {
      kill(id, 143);
    }
    call.answer(new StopContainerResponse());
  }

  private synchronized void remove(Call call) {
    containers.remove(call.as(RemoveContainerRequest.class).containerId());
    call.answer(new RemoveContainerResponse());
  }

  @Override
  public void close() {
    server.close();
  }
}
