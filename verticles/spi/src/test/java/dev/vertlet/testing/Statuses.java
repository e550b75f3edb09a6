package dev.vertlet.testing;

import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds statuses of pods for tests, of which nothing is known but what a test says. */
public final class Statuses {
  private final PodPhase phase;
  private @Nullable String reason;
  private @Nullable String message;
  private @Nullable String hostIP;
  private List<String> otherHostIPs = List.of();
  private List<String> podIPs = List.of();
  private @Nullable Instant started;
  private @Nullable Long generation;
  private List<ConditionView> conditions = List.of();
  private List<ContainerStatusView> init = List.of();
  private List<ContainerStatusView> regular = List.of();
  private List<ContainerStatusView> ephemeral = List.of();

  private Statuses(PodPhase phase) {
    this.phase = phase;
  }

  public static Statuses in(PodPhase phase) {
    return new Statuses(phase);
  }

  /** A builder that starts from this status. */
  public static Statuses of(PodStatusView view) {
    Statuses statuses = in(view.phase()).why(view.reason(), view.message());
    statuses.hostIP = view.hostIP();
    statuses.otherHostIPs = view.otherHostIPs();
    statuses.podIPs = view.podIPs();
    statuses.started = view.startTime();
    statuses.generation = view.observedGeneration();
    statuses.conditions = view.conditions();
    statuses.init = view.initContainerStatuses();
    statuses.regular = view.containerStatuses();
    statuses.ephemeral = view.ephemeralContainerStatuses();
    return statuses;
  }

  public Statuses why(@Nullable String itsReason, @Nullable String itsMessage) {
    reason = itsReason;
    message = itsMessage;
    return this;
  }

  public Statuses hostIP(String value) {
    hostIP = value;
    return this;
  }

  public Statuses podIPs(List<String> values) {
    podIPs = values;
    return this;
  }

  public Statuses started(@Nullable Instant at) {
    started = at;
    return this;
  }

  /** A condition of which only this is known. */
  public Statuses condition(String type, String status) {
    return conditions(List.of(new ConditionView(type, status, null, null, null, null)));
  }

  public Statuses conditions(List<ConditionView> values) {
    conditions = values;
    return this;
  }

  public Statuses containers(List<ContainerStatusView> values) {
    regular = values;
    return this;
  }

  public Statuses containers(
      List<ContainerStatusView> ofInit,
      List<ContainerStatusView> ofRegular,
      List<ContainerStatusView> ofEphemeral) {
    init = ofInit;
    regular = ofRegular;
    ephemeral = ofEphemeral;
    return this;
  }

  public PodStatusView build() {
    return new PodStatusView(
        phase,
        reason,
        message,
        hostIP,
        otherHostIPs,
        podIPs,
        started,
        generation,
        conditions,
        init,
        regular,
        ephemeral);
  }
}
