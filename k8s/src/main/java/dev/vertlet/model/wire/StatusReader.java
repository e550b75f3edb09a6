package dev.vertlet.model.wire;

import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.container.MountsView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.container.TokenVolume;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
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
  private static final Fields CONTAINER =
      Fields.of(
          "1 name",
          "2 state",
          "3 lastState",
          "4 ready",
          "5 restartCount",
          "6 image",
          "7 imageID",
          "8 containerID",
          "9 started",
          "10 allocatedResources",
          "11 resources",
          "12 volumeMounts",
          "13 user");
  private static final Fields STATE = Fields.of("1 waiting", "2 running", "3 terminated");
  private static final Fields WAITING = Fields.of("1 reason", "2 message");
  private static final Fields RUNNING = Fields.of("1 startedAt");
  private static final Fields TERMINATED =
      Fields.of(
          "1 exitCode",
          "2 signal",
          "3 reason",
          "4 message",
          "5 startedAt",
          "6 finishedAt",
          "7 containerID");
  private static final Fields MOUNT =
      Fields.of("1 name", "2 mountPath", "3 readOnly", "4 recursiveReadOnly");
  private static final Fields USER = Fields.of("1 linux");
  private static final Fields LINUX = Fields.of("1 uid", "2 gid", "3 supplementalGroups");
  private static final Fields IP = Fields.of("1 ip");

  private final Interner interner;

  StatusReader(Interner interner) {
    this.interner = interner;
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
        case "containerStatuses" -> status.regular.add(container(in, status.token));
        case "initContainerStatuses" -> status.init.add(container(in, status.token));
        case "podIPs" -> status.podIPs.add(ip(in));
        case "hostIPs" -> status.hostIP(ip(in));
        case "ephemeralContainerStatuses" -> status.ephemeral.add(container(in, status.token));
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

  private ContainerStatusView container(ObjectReader in, TokenVolume token) {
    String name = "";
    String image = "";
    String imageId = "";
    String containerId = "";
    int restartCount = 0;
    boolean ready = false;
    Boolean started = null;
    ContainerStateView state = null;
    ContainerStateView lastState = null;
    Map<String, String> allocated = Map.of();
    ResourcesView resources = null;
    ContainerUserView user = null;
    List<MountsView.Mount> mounts = List.of();
    in.enter();
    while (in.next(CONTAINER)) {
      switch (in.field()) {
        case "name" -> name = in.shared();
        case "state" -> state = state(in);
        case "lastState" -> lastState = state(in);
        case "ready" -> ready = in.flag();
        case "restartCount" -> restartCount = (int) in.integer();
        case "image" -> image = in.shared();
        case "imageID" -> imageId = in.shared();
        case "containerID" -> containerId = in.text();
        case "started" -> started = in.flag();
        case "allocatedResources" -> {
          allocated = allocated.isEmpty() ? new HashMap<>(4) : allocated;
          in.quantities(allocated);
        }
        case "volumeMounts" -> {
          mounts = mounts.isEmpty() ? new ArrayList<>(2) : mounts;
          mounts.add(mount(in, token));
        }
        case "resources" -> resources = interner.share(ContainerReader.resources(in));
        case "user" -> user = user(in);
      }
    }
    return new ContainerStatusView(
        interner.share(new MountsView(name, mounts)),
        image,
        imageId,
        orNull(containerId),
        restartCount,
        ready,
        started,
        state,
        lastState,
        allocated(allocated, resources),
        resources,
        user);
  }

  /** Returns null without a Linux user. */
  private @Nullable ContainerUserView user(ObjectReader in) {
    ContainerUserView user = null;
    in.enter();
    while (in.next(USER)) {
      user = interner.share(linuxUser(in));
    }
    return user;
  }

  private static ContainerUserView linuxUser(ObjectReader in) {
    long uid = 0;
    long gid = 0;
    List<Long> groups = new ArrayList<>(1);
    in.enter();
    while (in.next(LINUX)) {
      switch (in.field()) {
        case "uid" -> uid = in.integer();
        case "gid" -> gid = in.integer();
        default -> groups.add(in.integer());
      }
    }
    return new ContainerUserView(uid, gid, groups);
  }

  private static MountsView.Mount mount(ObjectReader in, TokenVolume token) {
    String volume = "";
    String path = "";
    boolean readOnly = false;
    boolean recursive = false;
    in.enter();
    while (in.next(MOUNT)) {
      switch (in.field()) {
        case "name" -> volume = in.shared();
        case "mountPath" -> path = in.shared();
        case "readOnly" -> readOnly = in.flag();
        default -> recursive = in.shared().equals("Enabled");
      }
    }
    return new MountsView.Mount(token.kept(volume), path, readOnly, recursive);
  }

  /** Shares the container's requests, which are nearly always equal. */
  private Map<String, String> allocated(
      Map<String, String> allocated, @Nullable ResourcesView resources) {
    if (resources != null && allocated.equals(resources.requests())) {
      return resources.requests();
    }
    return interner.share(Map.copyOf(allocated));
  }

  private @Nullable ContainerStateView state(ObjectReader in) {
    ContainerStateView state = null;
    in.enter();
    while (in.next(STATE)) {
      switch (in.field()) {
        case "waiting" -> state = interner.share(waiting(in));
        case "running" -> state = interner.share(running(in));
        case "terminated" -> state = terminated(in);
      }
    }
    return state;
  }

  private Waiting waiting(ObjectReader in) {
    String reason = "";
    String message = "";
    in.enter();
    while (in.next(WAITING)) {
      switch (in.field()) {
        case "reason" -> reason = in.shared();
        case "message" -> message = in.shared();
      }
    }
    return new Waiting(orNull(reason), orNull(message));
  }

  private Running running(ObjectReader in) {
    Instant startedAt = null;
    in.enter();
    while (in.next(RUNNING)) {
      startedAt = time(in);
    }
    return new Running(startedAt);
  }

  private Terminated terminated(ObjectReader in) {
    int exitCode = 0;
    int signal = 0;
    String reason = "";
    String message = "";
    Instant startedAt = null;
    Instant finishedAt = null;
    String containerId = "";
    in.enter();
    while (in.next(TERMINATED)) {
      switch (in.field()) {
        case "exitCode" -> exitCode = (int) in.integer();
        case "signal" -> signal = (int) in.integer();
        case "reason" -> reason = in.shared();
        case "message" -> message = in.shared();
        case "startedAt" -> startedAt = time(in);
        case "finishedAt" -> finishedAt = time(in);
        case "containerID" -> containerId = in.text();
      }
    }
    return new Terminated(
        exitCode,
        signal,
        orNull(reason),
        orNull(message),
        startedAt,
        finishedAt,
        orNull(containerId));
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
