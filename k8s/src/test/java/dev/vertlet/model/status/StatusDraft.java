package dev.vertlet.model.status;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A status with a few fields set. */
final class StatusDraft {
  private PodPhase phase = PodPhase.RUNNING;
  private @Nullable String reason;
  private @Nullable String message;
  private @Nullable String hostIP;
  private List<String> otherHostIPs = List.of();
  private List<String> podIPs = List.of();
  private @Nullable Instant startTime;
  private @Nullable Long generation;
  private List<ConditionView> conditions = List.of();
  private List<ContainerStatusView> init = List.of();
  private List<ContainerStatusView> containers = List.of();
  private List<ContainerStatusView> ephemeral = List.of();

  StatusDraft phase(PodPhase value) {
    phase = value;
    return this;
  }

  StatusDraft reason(String value) {
    reason = value;
    return this;
  }

  StatusDraft message(String value) {
    message = value;
    return this;
  }

  StatusDraft hostIP(String value) {
    hostIP = value;
    return this;
  }

  StatusDraft otherHostIPs(String... values) {
    otherHostIPs = List.of(values);
    return this;
  }

  StatusDraft podIPs(String... values) {
    podIPs = List.of(values);
    return this;
  }

  StatusDraft startTime(@Nullable Instant value) {
    startTime = value;
    return this;
  }

  StatusDraft generation(Long value) {
    generation = value;
    return this;
  }

  StatusDraft conditions(ConditionView... values) {
    conditions = List.of(values);
    return this;
  }

  StatusDraft init(ContainerStatusView... values) {
    init = List.of(values);
    return this;
  }

  StatusDraft containers(ContainerStatusView... values) {
    containers = List.of(values);
    return this;
  }

  StatusDraft ephemeral(ContainerStatusView... values) {
    ephemeral = List.of(values);
    return this;
  }

  PodStatusView view() {
    return new PodStatusView(
        phase,
        reason,
        message,
        hostIP,
        otherHostIPs,
        podIPs,
        startTime,
        generation,
        conditions,
        init,
        containers,
        ephemeral);
  }
}
