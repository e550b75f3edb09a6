package dev.vertlet.model.wire;

import dev.vertlet.model.container.ContainerUserView;
import dev.vertlet.model.container.MountsView;
import dev.vertlet.model.container.ResourcesView;
import dev.vertlet.model.container.TokenVolume;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads a {@code ContainerStatus}. */
final class ContainerStatusReader {
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

  private final Interner interner;

  ContainerStatusReader(Interner interner) {
    this.interner = interner;
  }

  /**
   * Reads the current value.
   *
   * @param token of the pod: the volume of its token among the mounts
   */
  ContainerStatusView read(ObjectReader in, TokenVolume token) {
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

  private @Nullable Instant time(ObjectReader in) {
    Instant time = in.time();
    return time == null ? null : interner.share(time);
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }
}
