package dev.vertlet.testing;

import dev.vertlet.model.container.ContainerCare;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.HandlerView;
import dev.vertlet.model.container.ProbeView;
import dev.vertlet.model.container.ResourcesView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds probes and hooks for tests. */
public final class Care {
  public static final HandlerView COMMAND = new HandlerView.Exec(List.of("cat", "/ok"));

  private @Nullable ProbeView startup;
  private @Nullable ProbeView liveness;
  private @Nullable ProbeView readiness;
  private @Nullable HandlerView postStart;
  private @Nullable HandlerView preStop;

  public static Care care() {
    return new Care();
  }

  /** The API's defaults: no delay, 1 s, every 10 s, one success, three failures. */
  public static ProbeView probe() {
    return probe(0, 10, 1, 3);
  }

  public static ProbeView probe(int delay, int period, int successes, int failures) {
    return new ProbeView(COMMAND, delay, 1, period, successes, failures, null);
  }

  public Care startup(ProbeView probe) {
    startup = probe;
    return this;
  }

  public Care liveness(ProbeView probe) {
    liveness = probe;
    return this;
  }

  public Care readiness(ProbeView probe) {
    readiness = probe;
    return this;
  }

  public Care postStart(HandlerView handler) {
    postStart = handler;
    return this;
  }

  public Care preStop(HandlerView handler) {
    preStop = handler;
    return this;
  }

  public ContainerView container(String name) {
    return new ContainerView(name, "img", "IfNotPresent", null, null, ResourcesView.NONE, build());
  }

  public ContainerCare build() {
    return new ContainerCare(startup, liveness, readiness, postStart, preStop);
  }
}
