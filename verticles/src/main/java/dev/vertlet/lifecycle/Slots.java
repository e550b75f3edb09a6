package dev.vertlet.lifecycle;

import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodRef;
import dev.vertlet.provider.ProbeStats;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is done to one of a pod's container lists as a whole. */
final class Slots {
  static final ContainerSlot[] NONE = {};

  private Slots() {}

  static ContainerSlot[] of(ContainerKind kind, List<ContainerView> views) {
    return redefine(NONE, kind, views);
  }

  /** The slots for a new definition; containers that stay keep their history, by name. */
  static ContainerSlot[] redefine(
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

  /**
   * Gives containers their probes; says whether any has one.
   *
   * @param since when the pod was taken in
   */
  static boolean probe(ContainerSlot[] slots, Instant since) {
    boolean any = false;
    for (ContainerSlot slot : slots) {
      slot.probes = SlotProbes.of(slot.view, since.toEpochMilli());
      any |= slot.probes != null;
    }
    return any;
  }

  /** Adds what came of the probes of containers, where one was answered. */
  static void addProbes(ContainerSlot[] slots, PodRef pod, List<ProbeStats> all) {
    for (ContainerSlot slot : slots) {
      if (slot.probes != null) {
        slot.probes.addStats(pod, slot.name(), all);
      }
    }
  }

  /**
   * Whether containers that are to run do, in their first instances and without trouble, and those
   * that were to end have: their statuses then say all there is to say of them.
   */
  static boolean steady(ContainerSlot[] init, ContainerSlot[] regular) {
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

  /** Whether the message of one of them may be the end of its log. */
  static boolean readsLogs(ContainerSlot[] slots) {
    for (ContainerSlot slot : slots) {
      if (slot.view.exit().fallsBackToLogs()) {
        return true;
      }
    }
    return false;
  }

  /** Gives containers their hooks; says whether any has one. */
  static boolean hook(ContainerSlot[] slots) {
    boolean any = false;
    for (ContainerSlot slot : slots) {
      slot.hooks = SlotHooks.of(slot.view);
      any |= slot.hooks != null;
    }
    return any;
  }

  static @Nullable ContainerSlot find(ContainerSlot[] slots, String name) {
    for (ContainerSlot slot : slots) {
      if (slot.name().equals(name)) {
        return slot;
      }
    }
    return null;
  }

  static boolean mayRun(ContainerSlot[] slots) {
    for (ContainerSlot slot : slots) {
      if (slot.mayRun()) {
        return true;
      }
    }
    return false;
  }

  /** The newest instance of one of them has ended. */
  static boolean hasEnd(ContainerSlot[] slots) {
    for (ContainerSlot slot : slots) {
      if (slot.end() != null) {
        return true;
      }
    }
    return false;
  }

  /** One of them has had an instance. */
  static boolean begun(ContainerSlot[] slots) {
    for (ContainerSlot slot : slots) {
      if (slot.current != null || slot.restartCount > 0) {
        return true;
      }
    }
    return false;
  }

  /** All that has run is as if it never had, but for its count. */
  static void reset(ContainerSlot[] slots) {
    for (ContainerSlot slot : slots) {
      slot.reset();
    }
  }

  static void startedAnew(ContainerSlot[] slots) {
    for (ContainerSlot slot : slots) {
      if (slot.waitsFor(RestartOfAll.REASON)) {
        slot.waitReason = null;
        slot.waitMessage = null;
      }
    }
  }

  /** What runs has ended unseen. */
  static void vanish(ContainerSlot[] slots, Instant now) {
    for (ContainerSlot slot : slots) {
      slot.vanished(now);
    }
  }

  /** The same, and what was under way never comes. */
  static void close(ContainerSlot[] slots, Instant now) {
    vanish(slots, now);
    for (ContainerSlot slot : slots) {
      slot.step = StartStep.IDLE;
    }
  }
}
