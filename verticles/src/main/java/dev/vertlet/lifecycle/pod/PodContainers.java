package dev.vertlet.lifecycle.pod;

import dev.vertlet.lifecycle.container.ContainerKind;
import dev.vertlet.lifecycle.container.ContainerSlot;
import dev.vertlet.lifecycle.container.SlotProbes;
import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.PodSpecView;
import dev.vertlet.provider.ProbeStats;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The containers of one pod, by the lists of its spec, and what is done to all of them. */
public final class PodContainers {
  private static final ContainerSlot[] NONE = {};

  private ContainerSlot[] init;
  private ContainerSlot[] regular;
  private ContainerSlot[] ephemeral;
  private final boolean probed;
  private final boolean hooked;
  private boolean readsLogs;

  /**
   * @param since when the pod was taken in
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

  /** In the order of the spec, as are the others. */
  ContainerSlot[] init() {
    return init;
  }

  ContainerSlot[] regular() {
    return regular;
  }

  ContainerSlot[] ephemeral() {
    return ephemeral;
  }

  /** At least one container has a probe. */
  public boolean probed() {
    return probed;
  }

  /** At least one container has a hook. */
  public boolean hooked() {
    return hooked;
  }

  /** A container's message may be the end of its log. */
  public boolean readsLogs() {
    return readsLogs;
  }

  /** How many there are, of whatever kind. */
  public int count() {
    return init.length + regular.length + ephemeral.length;
  }

  /** The container of this name, null for one that the spec does not have. */
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

  /** A container runs, or may be about to. */
  public boolean mayRun() {
    return any(ContainerSlot::mayRun);
  }

  /** The newest instance of a container has ended. */
  public boolean hasEnd() {
    return any(slot -> slot.end() != null);
  }

  /** An init container or a regular one has had an instance. */
  boolean begun() {
    return anyButEphemeral(slot -> slot.current() != null || slot.restartCount() > 0);
  }

  /** A regular container has had an instance. */
  public boolean initialized() {
    return any(regular, slot -> slot.current() != null);
  }

  /**
   * Whether containers that are to run do, in their first instances and without trouble, and those
   * that were to end have: their statuses then say all there is to say of them.
   */
  public boolean steady() {
    for (ContainerSlot slot : init) {
      if (slot.sidecar() || !slot.steady() || !slot.completed()) {
        return false;
      }
    }
    for (ContainerSlot slot : regular) {
      if (!slot.steady() || !slot.ready()) {
        return false;
      }
    }
    return true;
  }

  /** Adds the ids of the images that they have, or are about to have. */
  void addImages(Set<String> ids) {
    each(slot -> slot.addImages(ids));
  }

  /** Adds what came of their probes, those left out that have no answer yet. */
  public void addProbes(PodRef pod, List<ProbeStats> all) {
    each(
        slot -> {
          SlotProbes probes = slot.probes();
          if (probes != null) {
            probes.addStats(pod, slot.name(), all);
          }
        });
  }

  /** The sandbox died with all of them: init containers have to run again in the next. */
  void sandboxLost(Instant now) {
    each(slot -> slot.vanished(now));
    for (ContainerSlot slot : init) {
      slot.rerunInNewSandbox();
    }
  }

  /** All but ephemeral ones are as if they had never run, but for their counts. */
  void reset() {
    for (ContainerSlot slot : init) {
      slot.reset();
    }
    for (ContainerSlot slot : regular) {
      slot.reset();
    }
  }

  /** One started anew: others that wait for their turn do so as in any pod. */
  void startedAnew() {
    for (ContainerSlot slot : init) {
      slot.startedAnew();
    }
    for (ContainerSlot slot : regular) {
      slot.startedAnew();
    }
  }
}
