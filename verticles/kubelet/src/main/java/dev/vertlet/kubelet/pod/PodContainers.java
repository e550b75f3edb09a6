package dev.vertlet.kubelet.pod;

import dev.vertlet.kubelet.container.ContainerKind;
import dev.vertlet.kubelet.container.ContainerSlot;
import dev.vertlet.kubelet.container.SlotProbes;
import dev.vertlet.kubelet.container.StartStep;
import dev.vertlet.kubelet.container.StopState;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.provider.probe.ProbeStats;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The containers of one pod, by the lists of its spec, and the operations on all of them. */
public final class PodContainers {
  private static final ContainerSlot[] NONE = {};

  private ContainerSlot[] init;
  private ContainerSlot[] regular;
  private ContainerSlot[] ephemeral;
  private final boolean probed;
  private final boolean hooked;
  private boolean readsLogs;

  /**
   * @param since when the core took the pod in
   */
  PodContainers(PodSpecView spec, Instant since) {
    this.init = redefine(NONE, ContainerKind.INIT, spec.initContainers());
    this.regular = redefine(NONE, ContainerKind.REGULAR, spec.containers());
    this.ephemeral = redefine(NONE, ContainerKind.EPHEMERAL, spec.ephemeralContainers());
    addCare(init, since.toEpochMilli());
    addCare(regular, since.toEpochMilli());
    this.probed = anyButEphemeral(slot -> slot.probes() != null);
    this.hooked = anyButEphemeral(slot -> slot.hooks() != null);
    this.readsLogs = any(PodContainers::mayReadLog);
  }

  private static void addCare(ContainerSlot[] slots, long since) {
    for (ContainerSlot slot : slots) {
      slot.addCare(since);
    }
  }

  private boolean anyButEphemeral(Predicate<ContainerSlot> what) {
    return any(init, what) || any(regular, what);
  }

  private static boolean mayReadLog(ContainerSlot slot) {
    return slot.view().exit().fallsBackToLogs();
  }

  /** Takes a new definition; containers that stay keep their history, by name. */
  void redefine(PodSpecView spec) {
    init = redefine(init, ContainerKind.INIT, spec.initContainers());
    regular = redefine(regular, ContainerKind.REGULAR, spec.containers());
    ephemeral = redefine(ephemeral, ContainerKind.EPHEMERAL, spec.ephemeralContainers());
    readsLogs = any(PodContainers::mayReadLog);
  }

  private static ContainerSlot[] redefine(
      ContainerSlot[] old, ContainerKind kind, List<ContainerView> views) {
    if (views.isEmpty()) {
      return NONE;
    }
    ContainerSlot[] slots = new ContainerSlot[views.size()];
    for (int i = 0; i < slots.length; i++) {
      ContainerView view = views.get(i);
      ContainerSlot kept = find(old, view.name());
      slots[i] = kept == null ? new ContainerSlot(kind, view) : kept;
      slots[i].redefine(view);
    }
    return slots;
  }

  /** Forgets all of them. */
  public void clear() {
    init = NONE;
    regular = NONE;
    ephemeral = NONE;
  }

  /** The init containers; this list and the others are in the order of the spec. */
  ContainerSlot[] init() {
    return init;
  }

  ContainerSlot[] regular() {
    return regular;
  }

  ContainerSlot[] ephemeral() {
    return ephemeral;
  }

  /** Whether a container has a probe. */
  public boolean probed() {
    return probed;
  }

  /** Whether a container has a hook. */
  public boolean hooked() {
    return hooked;
  }

  /** Whether a container's message may be the end of its log. */
  public boolean readsLogs() {
    return readsLogs;
  }

  /** Number of containers of all kinds. */
  public int count() {
    return init.length + regular.length + ephemeral.length;
  }

  /** Returns the container of this name, null if the spec has none. */
  public @Nullable ContainerSlot find(String name) {
    ContainerSlot found = find(regular, name);
    found = found == null ? find(init, name) : found;
    return found == null ? find(ephemeral, name) : found;
  }

  private static @Nullable ContainerSlot find(ContainerSlot[] slots, String name) {
    for (ContainerSlot slot : slots) {
      if (slot.name().equals(name)) {
        return slot;
      }
    }
    return null;
  }

  public boolean any(Predicate<ContainerSlot> what) {
    return any(init, what) || any(regular, what) || any(ephemeral, what);
  }

  private static boolean any(ContainerSlot[] slots, Predicate<ContainerSlot> what) {
    for (ContainerSlot slot : slots) {
      if (what.test(slot)) {
        return true;
      }
    }
    return false;
  }

  void each(Consumer<ContainerSlot> what) {
    for (ContainerSlot slot : init) {
      what.accept(slot);
    }
    for (ContainerSlot slot : regular) {
      what.accept(slot);
    }
    for (ContainerSlot slot : ephemeral) {
      what.accept(slot);
    }
  }

  /** Whether a container runs or may be about to. */
  public boolean mayRun() {
    return any(ContainerSlot::mayRun);
  }

  /** Whether the newest instance of a container has ended. */
  public boolean hasEnd() {
    return any(slot -> slot.end() != null);
  }

  /** Whether an init or a regular container has had an instance. */
  boolean begun() {
    return anyButEphemeral(slot -> slot.current() != null || slot.restartCount() > 0);
  }

  /** Whether a regular container has had an instance. */
  public boolean initialized() {
    return any(regular, slot -> slot.current() != null);
  }

  /**
   * Whether all regular containers run in their first instances without trouble, and all init
   * containers have completed without trouble: their statuses then say all there is to know.
   */
  public boolean steady() {
    for (ContainerSlot slot : init) {
      if (slot.sidecar() || !steady(slot) || !slot.completed()) {
        return false;
      }
    }
    for (ContainerSlot slot : regular) {
      if (!steady(slot) || !slot.ready()) {
        return false;
      }
    }
    return true;
  }

  /** Whether the container has no history, nothing is under way for it, and nothing is due. */
  private static boolean steady(ContainerSlot slot) {
    return slot.start().step() == StartStep.IDLE
        && slot.restartCount() == 0
        && slot.last() == null
        && slot.waiting() == null
        && slot.backOff() == null
        && slot.retryAt() == 0
        && slot.stop().equals(StopState.NONE)
        && slot.probes() == null
        && slot.hooks() == null
        && !slot.otherImage();
  }

  /** Adds the ids of the images that the containers use, or are about to use. */
  void addImages(Set<String> ids) {
    each(slot -> slot.addImages(ids));
  }

  /** Adds the counts of the containers' probes, except for probes without an answer yet. */
  public void addProbes(PodRef pod, List<ProbeStats> all) {
    each(
        slot -> {
          SlotProbes probes = slot.probes();
          if (probes != null) {
            probes.addStats(pod, slot.name(), all);
          }
        });
  }

  /** Ends all containers with their sandbox: init containers have to run again in the next one. */
  void sandboxLost(Instant now) {
    each(slot -> slot.vanished(now));
    for (ContainerSlot slot : init) {
      slot.rerunInNewSandbox();
    }
  }

  /** Resets all but ephemeral containers as if they had never run; restart counts stay. */
  void reset() {
    for (ContainerSlot slot : init) {
      slot.reset();
    }
    for (ContainerSlot slot : regular) {
      slot.reset();
    }
  }

  /** Ends the restart of all after its first new instance: the others wait as in any pod. */
  void startedAnew() {
    for (ContainerSlot slot : init) {
      slot.startedAnew();
    }
    for (ContainerSlot slot : regular) {
      slot.startedAnew();
    }
  }
}
