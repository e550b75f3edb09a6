package dev.vertlet.cri.wire;

import dev.vertlet.cri.wire.ContainerMessages.CheckpointContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.CheckpointContainerResponse;
import dev.vertlet.cri.wire.ContainerMessages.ContainerStatusRequest;
import dev.vertlet.cri.wire.ContainerMessages.ContainerStatusResponse;
import dev.vertlet.cri.wire.ContainerMessages.CreateContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.CreateContainerResponse;
import dev.vertlet.cri.wire.ContainerMessages.ListContainersRequest;
import dev.vertlet.cri.wire.ContainerMessages.ListContainersResponse;
import dev.vertlet.cri.wire.ContainerMessages.RemoveContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.RemoveContainerResponse;
import dev.vertlet.cri.wire.ContainerMessages.ReopenContainerLogRequest;
import dev.vertlet.cri.wire.ContainerMessages.ReopenContainerLogResponse;
import dev.vertlet.cri.wire.ContainerMessages.StartContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.StartContainerResponse;
import dev.vertlet.cri.wire.ContainerMessages.StopContainerRequest;
import dev.vertlet.cri.wire.ContainerMessages.StopContainerResponse;
import dev.vertlet.cri.wire.ContainerMessages.UpdateContainerResourcesRequest;
import dev.vertlet.cri.wire.ContainerMessages.UpdateContainerResourcesResponse;
import dev.vertlet.cri.wire.GrpcChannel.Subscription;
import dev.vertlet.cri.wire.SandboxMessages.ListPodSandboxRequest;
import dev.vertlet.cri.wire.SandboxMessages.ListPodSandboxResponse;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxStatusRequest;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxStatusResponse;
import dev.vertlet.cri.wire.SandboxMessages.RemovePodSandboxRequest;
import dev.vertlet.cri.wire.SandboxMessages.RemovePodSandboxResponse;
import dev.vertlet.cri.wire.SandboxMessages.RunPodSandboxRequest;
import dev.vertlet.cri.wire.SandboxMessages.RunPodSandboxResponse;
import dev.vertlet.cri.wire.SandboxMessages.StopPodSandboxRequest;
import dev.vertlet.cri.wire.SandboxMessages.StopPodSandboxResponse;
import dev.vertlet.cri.wire.SandboxMessages.UpdatePodSandboxResourcesRequest;
import dev.vertlet.cri.wire.SandboxMessages.UpdatePodSandboxResourcesResponse;
import dev.vertlet.cri.wire.StatsMessages.ListContainerStatsRequest;
import dev.vertlet.cri.wire.StatsMessages.ListContainerStatsResponse;
import dev.vertlet.cri.wire.StatsMessages.ListPodSandboxStatsRequest;
import dev.vertlet.cri.wire.StatsMessages.ListPodSandboxStatsResponse;
import dev.vertlet.cri.wire.StatusMessages.RuntimeConfigRequest;
import dev.vertlet.cri.wire.StatusMessages.RuntimeConfigResponse;
import dev.vertlet.cri.wire.StatusMessages.StatusRequest;
import dev.vertlet.cri.wire.StatusMessages.StatusResponse;
import dev.vertlet.cri.wire.StatusMessages.VersionRequest;
import dev.vertlet.cri.wire.StatusMessages.VersionResponse;
import dev.vertlet.cri.wire.StreamMessages.AttachRequest;
import dev.vertlet.cri.wire.StreamMessages.AttachResponse;
import dev.vertlet.cri.wire.StreamMessages.ContainerEventResponse;
import dev.vertlet.cri.wire.StreamMessages.ExecRequest;
import dev.vertlet.cri.wire.StreamMessages.ExecResponse;
import dev.vertlet.cri.wire.StreamMessages.ExecSyncRequest;
import dev.vertlet.cri.wire.StreamMessages.ExecSyncResponse;
import dev.vertlet.cri.wire.StreamMessages.GetEventsRequest;
import dev.vertlet.cri.wire.StreamMessages.PortForwardRequest;
import dev.vertlet.cri.wire.StreamMessages.PortForwardResponse;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import java.time.Duration;

/**
 * The runtime's own calls. Every Future fails with a {@link GrpcException}, at the latest at the
 * call's deadline, which is a kubelet's.
 */
public final class RuntimeService {
  /** Deadline of a call that has none of its own (kubelet: runtimeRequestTimeout). */
  static final Duration USUAL = Duration.ofMinutes(2);

  /** Creating a sandbox may wait for its network (kubelet: twice the usual deadline). */
  private static final Duration SANDBOX = USUAL.multipliedBy(2);

  private static final Rpc<VersionRequest, VersionResponse> VERSION =
      method("Version", VersionResponse.class);
  private static final Rpc<StatusRequest, StatusResponse> STATUS =
      method("Status", StatusResponse.class);
  private static final Rpc<RuntimeConfigRequest, RuntimeConfigResponse> RUNTIME_CONFIG =
      method("RuntimeConfig", RuntimeConfigResponse.class);
  private static final Rpc<RunPodSandboxRequest, RunPodSandboxResponse> RUN_POD_SANDBOX =
      method("RunPodSandbox", RunPodSandboxResponse.class);
  private static final Rpc<StopPodSandboxRequest, StopPodSandboxResponse> STOP_POD_SANDBOX =
      method("StopPodSandbox", StopPodSandboxResponse.class);
  private static final Rpc<RemovePodSandboxRequest, RemovePodSandboxResponse> REMOVE_POD_SANDBOX =
      method("RemovePodSandbox", RemovePodSandboxResponse.class);
  private static final Rpc<PodSandboxStatusRequest, PodSandboxStatusResponse> POD_SANDBOX_STATUS =
      method("PodSandboxStatus", PodSandboxStatusResponse.class);
  private static final Rpc<ListPodSandboxRequest, ListPodSandboxResponse> LIST_POD_SANDBOX =
      method("ListPodSandbox", ListPodSandboxResponse.class);
  private static final Rpc<UpdatePodSandboxResourcesRequest, UpdatePodSandboxResourcesResponse>
      UPDATE_POD_SANDBOX_RESOURCES =
          method("UpdatePodSandboxResources", UpdatePodSandboxResourcesResponse.class);
  private static final Rpc<CreateContainerRequest, CreateContainerResponse> CREATE_CONTAINER =
      method("CreateContainer", CreateContainerResponse.class);
  private static final Rpc<StartContainerRequest, StartContainerResponse> START_CONTAINER =
      method("StartContainer", StartContainerResponse.class);
  private static final Rpc<StopContainerRequest, StopContainerResponse> STOP_CONTAINER =
      method("StopContainer", StopContainerResponse.class);
  private static final Rpc<RemoveContainerRequest, RemoveContainerResponse> REMOVE_CONTAINER =
      method("RemoveContainer", RemoveContainerResponse.class);
  private static final Rpc<ListContainersRequest, ListContainersResponse> LIST_CONTAINERS =
      method("ListContainers", ListContainersResponse.class);
  private static final Rpc<ContainerStatusRequest, ContainerStatusResponse> CONTAINER_STATUS =
      method("ContainerStatus", ContainerStatusResponse.class);
  private static final Rpc<UpdateContainerResourcesRequest, UpdateContainerResourcesResponse>
      UPDATE_CONTAINER_RESOURCES =
          method("UpdateContainerResources", UpdateContainerResourcesResponse.class);
  private static final Rpc<ReopenContainerLogRequest, ReopenContainerLogResponse>
      REOPEN_CONTAINER_LOG = method("ReopenContainerLog", ReopenContainerLogResponse.class);
  private static final Rpc<CheckpointContainerRequest, CheckpointContainerResponse>
      CHECKPOINT_CONTAINER = method("CheckpointContainer", CheckpointContainerResponse.class);
  private static final Rpc<ExecSyncRequest, ExecSyncResponse> EXEC_SYNC =
      method("ExecSync", ExecSyncResponse.class);
  private static final Rpc<ExecRequest, ExecResponse> EXEC = method("Exec", ExecResponse.class);
  private static final Rpc<AttachRequest, AttachResponse> ATTACH =
      method("Attach", AttachResponse.class);
  private static final Rpc<PortForwardRequest, PortForwardResponse> PORT_FORWARD =
      method("PortForward", PortForwardResponse.class);
  private static final Rpc<ListContainerStatsRequest, ListContainerStatsResponse>
      LIST_CONTAINER_STATS = method("ListContainerStats", ListContainerStatsResponse.class);
  private static final Rpc<ListPodSandboxStatsRequest, ListPodSandboxStatsResponse>
      LIST_POD_SANDBOX_STATS = method("ListPodSandboxStats", ListPodSandboxStatsResponse.class);
  private static final Rpc<GetEventsRequest, ContainerEventResponse> GET_CONTAINER_EVENTS =
      method("GetContainerEvents", ContainerEventResponse.class);

  private final GrpcChannel calls;
  private final GrpcChannel streams;

  /**
   * @param calls for calls with one answer
   * @param streams for subscriptions
   */
  public RuntimeService(GrpcChannel calls, GrpcChannel streams) {
    this.calls = calls;
    this.streams = streams;
  }

  private static <Q extends Record, A extends Record> Rpc<Q, A> method(
      String name, Class<A> answer) {
    return new Rpc<>("/runtime.v1.RuntimeService/" + name, answer);
  }

  /**
   * Number of connections for calls with one answer that were made so far. After another one the
   * runtime may be of another version, with other methods.
   */
  public long connections() {
    return calls.connections();
  }

  public Future<VersionResponse> version(VersionRequest request) {
    return VERSION.call(calls, request, USUAL);
  }

  public Future<StatusResponse> status(StatusRequest request) {
    return STATUS.call(calls, request, USUAL);
  }

  public Future<RuntimeConfigResponse> runtimeConfig(RuntimeConfigRequest request) {
    return RUNTIME_CONFIG.call(calls, request, USUAL);
  }

  public Future<RunPodSandboxResponse> runPodSandbox(RunPodSandboxRequest request) {
    return RUN_POD_SANDBOX.call(calls, request, SANDBOX);
  }

  public Future<StopPodSandboxResponse> stopPodSandbox(StopPodSandboxRequest request) {
    return STOP_POD_SANDBOX.call(calls, request, USUAL);
  }

  public Future<RemovePodSandboxResponse> removePodSandbox(RemovePodSandboxRequest request) {
    return REMOVE_POD_SANDBOX.call(calls, request, USUAL);
  }

  public Future<PodSandboxStatusResponse> podSandboxStatus(PodSandboxStatusRequest request) {
    return POD_SANDBOX_STATUS.call(calls, request, USUAL);
  }

  public Future<ListPodSandboxResponse> listPodSandbox(ListPodSandboxRequest request) {
    return LIST_POD_SANDBOX.call(calls, request, USUAL);
  }

  public Future<UpdatePodSandboxResourcesResponse> updatePodSandboxResources(
      UpdatePodSandboxResourcesRequest request) {
    return UPDATE_POD_SANDBOX_RESOURCES.call(calls, request, USUAL);
  }

  public Future<CreateContainerResponse> createContainer(CreateContainerRequest request) {
    return CREATE_CONTAINER.call(calls, request, USUAL);
  }

  public Future<StartContainerResponse> startContainer(StartContainerRequest request) {
    return START_CONTAINER.call(calls, request, USUAL);
  }

  /** Stops a container; the deadline is the request's time-out and two minutes. */
  public Future<StopContainerResponse> stopContainer(StopContainerRequest request) {
    return STOP_CONTAINER.call(calls, request, USUAL.plusSeconds(request.timeout()));
  }

  public Future<RemoveContainerResponse> removeContainer(RemoveContainerRequest request) {
    return REMOVE_CONTAINER.call(calls, request, USUAL);
  }

  public Future<ListContainersResponse> listContainers(ListContainersRequest request) {
    return LIST_CONTAINERS.call(calls, request, USUAL);
  }

  public Future<ContainerStatusResponse> containerStatus(ContainerStatusRequest request) {
    return CONTAINER_STATUS.call(calls, request, USUAL);
  }

  public Future<UpdateContainerResourcesResponse> updateContainerResources(
      UpdateContainerResourcesRequest request) {
    return UPDATE_CONTAINER_RESOURCES.call(calls, request, USUAL);
  }

  public Future<ReopenContainerLogResponse> reopenContainerLog(ReopenContainerLogRequest request) {
    return REOPEN_CONTAINER_LOG.call(calls, request, USUAL);
  }

  /** Saves a container's state; the deadline is the request's time-out and two minutes. */
  public Future<CheckpointContainerResponse> checkpointContainer(
      CheckpointContainerRequest request) {
    return CHECKPOINT_CONTAINER.call(calls, request, USUAL.plusSeconds(request.timeout()));
  }

  /**
   * Runs a command and returns its output. A request without a time-out is refused: a runtime may
   * never answer it.
   */
  public Future<ExecSyncResponse> execSync(ExecSyncRequest request) {
    if (request.timeout() <= 0) {
      return Future.failedFuture(
          new GrpcException(GrpcStatus.INVALID_ARGUMENT, "a command needs a time-out"));
    }
    return EXEC_SYNC.call(calls, request, USUAL.plusSeconds(request.timeout()));
  }

  public Future<ExecResponse> exec(ExecRequest request) {
    return EXEC.call(calls, request, USUAL);
  }

  public Future<AttachResponse> attach(AttachRequest request) {
    return ATTACH.call(calls, request, USUAL);
  }

  public Future<PortForwardResponse> portForward(PortForwardRequest request) {
    return PORT_FORWARD.call(calls, request, USUAL);
  }

  public Future<ListContainerStatsResponse> listContainerStats(ListContainerStatsRequest request) {
    return LIST_CONTAINER_STATS.call(calls, request, USUAL);
  }

  public Future<ListPodSandboxStatsResponse> listPodSandboxStats(
      ListPodSandboxStatsRequest request) {
    return LIST_POD_SANDBOX_STATS.call(calls, request, USUAL);
  }

  /** Subscribes to the events of all containers. */
  public Subscription containerEvents(Handler<ContainerEventResponse> events) {
    return GET_CONTAINER_EVENTS.subscribe(streams, new GetEventsRequest(), events);
  }
}
