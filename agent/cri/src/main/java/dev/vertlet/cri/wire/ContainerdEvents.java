package dev.vertlet.cri.wire;

import dev.vertlet.cri.wire.GrpcChannel.Subscription;
import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The event service of containerd, which tells of a process's end before its CRI plugin knows of
 * it, and which versions without events in CRI have, too.
 */
public final class ContainerdEvents {
  /** {@code SubscribeRequest} of containerd. */
  private record SubscribeRequest(@Field(1) List<String> filters) {}

  /** {@code Any} of protobuf. */
  private record Any(@Field(1) String typeUrl, @Field(2) Buffer value) {}

  /** {@code Envelope} of containerd. */
  private record Envelope(
      @Field(2) String namespace, @Field(3) String topic, @Field(4) @Nullable Any event) {}

  /** {@code TaskExit} of containerd; {@code id} is that of the process. */
  private record TaskExit(@Field(1) String containerId, @Field(2) String id) {}

  private static final Rpc<SubscribeRequest, Envelope> SUBSCRIBE =
      new Rpc<>("/containerd.services.events.v1.Events/Subscribe", Envelope.class);

  /** A value with a slash must be quoted: otherwise containerd refuses the subscription. */
  private static final String EXITS = "namespace==k8s.io,topic==\"/tasks/exit\"";

  private ContainerdEvents() {}

  /**
   * Subscribes to the ends of containers' first processes.
   *
   * @param ended called with the id of a container or sandbox
   */
  public static Subscription exits(GrpcChannel channel, Consumer<String> ended) {
    return SUBSCRIBE.subscribe(
        channel,
        new SubscribeRequest(List.of(EXITS)),
        envelope -> {
          Any event = envelope.event();
          TaskExit exit = event == null ? null : exit(event);
          if (exit != null && exit.id().equals(exit.containerId())) {
            ended.accept(exit.containerId());
          }
        });
  }

  private static @Nullable TaskExit exit(Any event) {
    try {
      return MessageSchema.decode(TaskExit.class, event.value());
    } catch (ProtoException e) {
      return null; // of another version: the runtime's own state is asked for anyway
    }
  }
}
