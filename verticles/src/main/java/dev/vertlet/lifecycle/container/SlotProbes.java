package dev.vertlet.lifecycle.container;

import dev.vertlet.lifecycle.container.ProbeState.Verdict;
import dev.vertlet.model.ContainerCare;
import dev.vertlet.model.ContainerView;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.ProbeView;
import dev.vertlet.provider.ProbeKind;
import dev.vertlet.provider.ProbeStats;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The probes of one container. Containers without probes have none of these. */
public final class SlotProbes {
  private final List<ProbeState> all;

  private SlotProbes(List<ProbeState> all) {
    this.all = all;
  }

  /**
   * @param since when the pod was taken in: probes tick from then on, as a kubelet's
   * @return null for a container without probes
   */
  static @Nullable SlotProbes of(ContainerView view, long since) {
    ContainerCare care = view.care();
    if (care == null || !care.probed()) {
      return null;
    }
    List<ProbeState> all = new ArrayList<>(ProbeKind.values().length);
    for (ProbeKind kind : ProbeKind.values()) {
      ProbeView spec = kind.of(care);
      if (spec != null) {
        all.add(new ProbeState(kind, spec, since));
      }
    }
    return new SlotProbes(List.copyOf(all));
  }

  public List<ProbeState> all() {
    return all;
  }

  /** Adds what came of them, where one was answered. */
  public void addStats(PodRef pod, String container, List<ProbeStats> stats) {
    for (ProbeState probe : all) {
      ProbeStats own = probe.stats(pod, container);
      if (own != null) {
        stats.add(own);
      }
    }
  }

  private @Nullable ProbeState find(ProbeKind kind) {
    for (ProbeState probe : all) {
      if (probe.kind == kind) {
        return probe;
      }
    }
    return null;
  }

  /** Nothing keeps the container from being started, as far as its probes say. */
  boolean started() {
    ProbeState startup = find(ProbeKind.STARTUP);
    return startup == null || startup.verdict() == Verdict.SUCCESS;
  }

  boolean ready() {
    ProbeState readiness = find(ProbeKind.READINESS);
    return readiness == null || readiness.verdict() == Verdict.SUCCESS;
  }

  /** The probe for whose sake the container has to end, null when there is none. */
  public @Nullable ProbeState fatal() {
    for (ProbeState probe : all) {
      if (probe.kind != ProbeKind.READINESS && probe.verdict() == Verdict.FAILURE) {
        return probe;
      }
    }
    return null;
  }

  /**
   * Another instance is probed.
   *
   * @param startedAt of the instance
   */
  void instance(long startedAt) {
    all.forEach(ProbeState::instance);
    if (started()) {
      begun(startedAt);
    }
  }

  /** The container has just become started: its readiness is asked for at once. */
  public void begun(long at) {
    ProbeState readiness = find(ProbeKind.READINESS);
    if (readiness != null) {
      readiness.trigger(at);
    }
  }

  /**
   * The instance survived a restart of the agent: its first probes are spread over one period, so
   * that not all containers of all pods are probed at once.
   *
   * @param started as the API server showed it
   * @param ready as the API server showed it
   */
  public void adopted(boolean started, boolean ready, long now, RandomGenerator random) {
    for (ProbeState probe : all) {
      boolean good =
          switch (probe.kind) {
            case STARTUP -> started;
            case LIVENESS -> true;
            case READINESS -> ready;
          };
      long wait = (long) (random.nextDouble() * probe.spec.periodSeconds() * 1000);
      probe.adopted(good, now + wait);
    }
  }
}
