package dev.vertlet.model.wire;

import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.container.TokenVolume;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodResourcesView;
import dev.vertlet.model.status.PodStatusView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a {@code PodStatus}. */
final class StatusReader {
  private static final Fields STATUS =
      Fields.of(
          "1 phase",
          "2 conditions",
          "3 message",
          "4 reason",
          "5 hostIP",
          "6 podIP",
          "7 startTime",
          "8 containerStatuses",
          "10 initContainerStatuses",
          "12 podIPs",
          "13 ephemeralContainerStatuses",
          "16 hostIPs",
          "17 observedGeneration",
          "19 allocatedResources",
          "20 resources");
  private static final Fields CONDITION =
      Fields.of(
          "1 type",
          "2 status",
          "4 lastTransitionTime",
          "5 reason",
          "6 message",
          "7 observedGeneration");
  private static final Fields IP = Fields.of("1 ip");

  private final Interner interner;
  private final ContainerStatusReader containers;

  StatusReader(Interner interner) {
    this.interner = interner;
    this.containers = new ContainerStatusReader(interner);
  }

  /** Reads the current value. */
  PodStatusView read(ObjectReader in) {
    Status status = new Status();
    in.enter();
    while (in.next(STATUS)) {
      switch (in.field()) {
        case "phase" -> status.phase = in.shared();
        case "conditions" -> status.conditions.add(condition(in));
        case "message" -> status.message = in.shared();
        case "reason" -> status.reason = in.shared();
        case "hostIP" -> status.hostIP = in.shared();
        case "podIP" -> status.podIP = in.text();
        case "startTime" -> status.startTime = time(in);
        case "containerStatuses" -> status.regular.add(containers.read(in, status.token));
        case "initContainerStatuses" -> status.init.add(containers.read(in, status.token));
        case "podIPs" -> status.podIPs.add(ip(in));
        case "hostIPs" -> status.hostIP(ip(in));
        case "ephemeralContainerStatuses" ->
            status.ephemeral.add(containers.read(in, status.token));
        case "observedGeneration" -> status.observedGeneration = in.integer();
        case "allocatedResources" -> {
          status.allocated = status.allocated.isEmpty() ? new HashMap<>(4) : status.allocated;
          in.quantities(status.allocated);
        }
        case "resources" -> status.applied = interner.share(ContainerReader.resources(in));
      }
    }
    return status.view(interner);
  }

  private ConditionView condition(ObjectReader in) {
    String type = "";
    String status = "";
    String reason = "";
    String message = "";
    Instant transition = null;
    long observedGeneration = 0;
    in.enter();
    while (in.next(CONDITION)) {
      switch (in.field()) {
        case "type" -> type = in.shared();
        case "status" -> status = in.shared();
        case "lastTransitionTime" -> transition = time(in);
        case "reason" -> reason = in.shared();
        case "message" -> message = in.shared();
        case "observedGeneration" -> observedGeneration = in.integer();
      }
    }
    return interner.share(
        new ConditionView(
            type,
            status,
            orNull(reason),
            orNull(message),
            transition,
            generation(observedGeneration)));
  }

  private String ip(ObjectReader in) {
    String ip = "";
    in.enter();
    while (in.next(IP)) {
      ip = in.text();
    }
    return ip;
  }

  private @Nullable Instant time(ObjectReader in) {
    Instant time = in.time();
    return time == null ? null : interner.share(time);
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  /** Returns null for 0, which protobuf writes for an absent generation. */
  private static @Nullable Long generation(long generation) {
    return generation == 0 ? null : generation;
  }

  /** Fields of one status. */
  private static final class Status {
    private String phase = "";
    private String reason = "";
    private String message = "";
    private String hostIP = "";
    private List<String> otherHostIPs = List.of();
    private String podIP = "";
    private @Nullable Instant startTime;
    private long observedGeneration;
    private Map<String, String> allocated = Map.of();
    private @Nullable ResourcesView applied;
    private final List<String> podIPs = new ArrayList<>(1);
    private final List<ConditionView> conditions = new ArrayList<>(5);
    private final List<ContainerStatusView> init = new ArrayList<>(0);
    private final List<ContainerStatusView> regular = new ArrayList<>(2);
    private final List<ContainerStatusView> ephemeral = new ArrayList<>(0);
    private final TokenVolume token = new TokenVolume();

    /** Adds an element of {@code hostIPs}, whose first one is {@code hostIP}. */
    void hostIP(String ip) {
      if (!ip.equals(hostIP)) {
        otherHostIPs = otherHostIPs.isEmpty() ? new ArrayList<>(1) : otherHostIPs;
        otherHostIPs.add(ip);
      }
    }

    PodStatusView view(Interner interner) {
      if (!otherHostIPs.isEmpty()) {
        otherHostIPs.remove(hostIP);
      }
      if (token.isSeveral()) {
        settle(init);
        settle(regular);
        settle(ephemeral);
      }
      if (podIPs.isEmpty() && !podIP.isEmpty()) {
        podIPs.add(podIP);
      }
      return new PodStatusView(
          PodPhase.of(phase),
          orNull(reason),
          orNull(message),
          orNull(hostIP),
          otherHostIPs,
          podIPs,
          startTime,
          generation(observedGeneration),
          interner.share(List.copyOf(conditions)),
          init,
          regular,
          ephemeral,
          token.token(),
          resources(interner));
    }

    /** Returns null if the server has neither of both. */
    private @Nullable PodResourcesView resources(Interner interner) {
      ResourcesView whole = applied;
      if (whole == null && allocated.isEmpty()) {
        return null;
      }
      whole = whole == null ? ResourcesView.NONE : whole;
      Map<String, String> shared =
          allocated.equals(whole.requests()) ? whole.requests() : Map.copyOf(allocated);
      return interner.share(new PodResourcesView(shared, whole));
    }

    private void settle(List<ContainerStatusView> statuses) {
      statuses.replaceAll(status -> status.withMounts(token.settled(status.mounts())));
    }
  }
}
