package dev.vertlet.kubelet.container;

import dev.vertlet.kubelet.container.ProbeState.Verdict;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.ContainerCare;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.provider.probe.ProbeKind;
import dev.vertlet.provider.probe.ProbeStats;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The probes of one container; null in containers without probes. */
public final class SlotProbes {
  private final List<ProbeState> all;

  private SlotProbes(List<ProbeState> all) {
    this.all = all;
  }

  /**
   * @param since when the core took the pod in: probes tick from then on, as in a kubelet
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

  /** Adds the counts of the probes that were answered. */
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

  /** Whether the container is started, as far as its probes say. */
  boolean started() {
    ProbeState startup = find(ProbeKind.STARTUP);
    return startup == null || startup.verdict() == Verdict.SUCCESS;
  }

  boolean ready() {
    ProbeState readiness = find(ProbeKind.READINESS);
    return readiness == null || readiness.verdict() == Verdict.SUCCESS;
  }

  /** The failed probe that ends the container, null for none. */
  public @Nullable ProbeState fatal() {
    for (ProbeState probe : all) {
      if (probe.kind != ProbeKind.READINESS && probe.verdict() == Verdict.FAILURE) {
        return probe;
      }
    }
    return null;
  }

  /**
   * Starts to probe another instance.
   *
   * @param startedAt of the instance
   */
  void instance(long startedAt) {
    all.forEach(ProbeState::instance);
    if (started()) {
      begun(startedAt);
    }
  }

  /** Probes the readiness of a container at once that has just started. */
  public void begun(long at) {
    ProbeState readiness = find(ProbeKind.READINESS);
    if (readiness != null) {
      readiness.trigger(at);
    }
  }

  /**
   * Continues with an instance from before the agent's restart: its first probes are spread over
   * one period, so that not all containers of all pods are probed at once.
   *
   * @param started as the API server shows it
   * @param ready as the API server shows it
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
