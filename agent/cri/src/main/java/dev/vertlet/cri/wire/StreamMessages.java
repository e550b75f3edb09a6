package dev.vertlet.cri.wire;

import dev.vertlet.cri.wire.ContainerMessages.ContainerStatus;
import dev.vertlet.cri.wire.SandboxMessages.PodSandboxStatus;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages about commands, terminals, ports and events. */
public final class StreamMessages {
  private StreamMessages() {}

  /** {@code ContainerEventType} of the protocol. */
  public enum ContainerEventType {
    CONTAINER_CREATED_EVENT,
    CONTAINER_STARTED_EVENT,
    CONTAINER_STOPPED_EVENT,
    CONTAINER_DELETED_EVENT
  }

  /** {@code ExecSyncRequest} of the protocol. */
  public record ExecSyncRequest(
      @Field(1) String containerId, @Field(2) List<String> cmd, @Field(3) long timeout) {}

  /** {@code ExecSyncResponse} of the protocol. */
  public record ExecSyncResponse(
      @Field(1) Buffer stdout, @Field(2) Buffer stderr, @Field(3) int exitCode) {}

  /** {@code ExecRequest} of the protocol. */
  public record ExecRequest(
      @Field(1) String containerId,
      @Field(2) List<String> cmd,
      @Field(3) boolean tty,
      @Field(4) boolean stdin,
      @Field(5) boolean stdout,
      @Field(6) boolean stderr) {}

  /** {@code ExecResponse} of the protocol. */
  public record ExecResponse(@Field(1) String url) {}

  /** {@code AttachRequest} of the protocol. */
  public record AttachRequest(
      @Field(1) String containerId,
      @Field(2) boolean stdin,
      @Field(3) boolean tty,
      @Field(4) boolean stdout,
      @Field(5) boolean stderr) {}

  /** {@code AttachResponse} of the protocol. */
  public record AttachResponse(@Field(1) String url) {}

  /** {@code PortForwardRequest} of the protocol. */
  public record PortForwardRequest(@Field(1) String podSandboxId, @Field(2) List<Integer> port) {}

  /** {@code PortForwardResponse} of the protocol. */
  public record PortForwardResponse(@Field(1) String url) {}

  /** {@code GetEventsRequest} of the protocol. */
  public record GetEventsRequest() {}

  /** {@code ContainerEventResponse} of the protocol. */
  public record ContainerEventResponse(
      @Field(1) String containerId,
      @Field(2) ContainerEventType containerEventType,
      @Field(3) long createdAt,
      @Field(4) @Nullable PodSandboxStatus podSandboxStatus,
      @Field(5) List<ContainerStatus> containersStatuses) {}
}
