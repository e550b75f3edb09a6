package dev.vertlet.cri.container;

import dev.vertlet.cri.sandbox.PodLabels;
import dev.vertlet.cri.sandbox.PodMarks;
import dev.vertlet.cri.wire.CommonMessages.ImageSpec;
import dev.vertlet.cri.wire.ContainerMessages.ContainerMetadata;
import dev.vertlet.cri.wire.ContainerMessages.ContainerStatus;
import dev.vertlet.cri.wire.ContainerMessages.LinuxContainerUser;
import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.provider.container.ContainerRecord;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Converts what the runtime says of a container. */
final class ContainerRecords {
  private static final long NANOS = 1_000_000_000;

  /** Exit code of what was lost: that of a process that was killed. */
  private static final int KILLED = 137;

  private ContainerRecords() {}

  /**
   * Converts a status.
   *
   * @param scheme of ids, for example {@code containerd}
   */
  static ContainerRecord of(String scheme, ContainerStatus status) {
    ContainerMetadata metadata = status.metadata();
    String name = status.labels().get(PodLabels.CONTAINER);
    int attempt = metadata == null ? 0 : metadata.attempt();
    String id = scheme + "://" + status.id();
    return new ContainerRecord(
        id,
        name != null ? name : metadata == null ? "" : metadata.name(),
        ContainerAnnotations.restartCount(status.annotations(), attempt),
        image(status),
        status.imageRef().isEmpty() ? status.imageId() : status.imageRef(),
        state(id, status),
        null,
        null,
        user(status));
  }

  private static String image(ContainerStatus status) {
    String named = status.annotations().get(PodMarks.IMAGE);
    ImageSpec image = status.image();
    return named != null ? named : image == null ? "" : image.image();
  }

  private static ContainerStateView state(String id, ContainerStatus status) {
    return switch (status.state()) {
      case CONTAINER_CREATED -> new Waiting(null, null);
      case CONTAINER_RUNNING -> new Running(time(status.startedAt()));
      case CONTAINER_EXITED ->
          new Terminated(
              status.exitCode(),
              0,
              status.reason().isEmpty() ? null : status.reason(),
              status.message().isEmpty() ? null : status.message(),
              time(status.startedAt()),
              time(status.finishedAt()),
              id);
      case CONTAINER_UNKNOWN -> lost(id, time(status.startedAt()));
    };
  }

  /** End of a container that the runtime has lost, in a kubelet's words. */
  static Terminated lost(String id, @Nullable Instant startedAt) {
    return new Terminated(
        KILLED,
        0,
        "ContainerStatusUnknown",
        "The container could not be located when the pod was terminated",
        startedAt,
        null,
        id);
  }

  private static Instant time(long nanos) {
    return Instant.ofEpochSecond(Math.floorDiv(nanos, NANOS));
  }

  private static @Nullable ContainerUserView user(ContainerStatus status) {
    LinuxContainerUser linux = status.user() == null ? null : status.user().linux();
    return linux == null
        ? null
        : new ContainerUserView(linux.uid(), linux.gid(), linux.supplementalGroups());
  }
}
