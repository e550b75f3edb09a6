package dev.vertlet.harness.replay.life;

import static dev.vertlet.harness.replay.life.ContainerTimes.text;

import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.ProviderSetup;
import dev.vertlet.provider.container.ContainerRecord;
import dev.vertlet.provider.container.ContainerRuntime;
import dev.vertlet.provider.container.ForwardingRuntime;
import dev.vertlet.provider.container.SandboxRecord;
import dev.vertlet.simulated.SimulatedRuntime;
import dev.vertlet.simulated.rule.RuleKey;
import dev.vertlet.trace.PodLife;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Simulated containers that live as recorded ones did. Shows pods to the simulated runtime with the
 * annotations that say so; the objects in the cluster do not have them. Confined to a shard's
 * context.
 */
public final class ReplayRuntime extends ForwardingRuntime {
  /** Addresses of pods: those that RFC 6598 sets aside for networks behind a provider's. */
  private static final String ADDRESSES = "100.64.0.0/10";

  private static final String PREFIX = "sim.vertlet.dev/";

  private final Vertx vertx;
  private final LifeBook lives;
  private final double speed;
  private final ReplayClock clock;

  private ReplayRuntime(
      ContainerRuntime simulated, Vertx vertx, LifeBook lives, double speed, ReplayClock clock) {
    super(simulated);
    this.vertx = vertx;
    this.lives = lives;
    this.speed = speed;
    this.clock = clock;
  }

  /**
   * Creates the runtime of one shard.
   *
   * @param speed recorded time per real time
   * @param clock of the replay
   */
  public static ReplayRuntime create(
      ProviderSetup setup, LifeBook lives, double speed, ReplayClock clock) {
    SimulatedRuntime simulated =
        SimulatedRuntime.create(
            setup.vertx(), setup.clock(), 1, node -> List.of(), node -> "", node -> Map.of());
    simulated.sharedRange(node -> ADDRESSES);
    return new ReplayRuntime(simulated, setup.vertx(), lives, speed, clock);
  }

  @Override
  public Future<SandboxRecord> runSandbox(PodView pod, int attempt) {
    PodView view = annotated(pod, first(pod), attempt);
    PodScript script = script(pod);
    return clock.running() || (script != null && script.steady())
        ? super.runSandbox(view, attempt)
        : clock.started(vertx).compose(started -> super.runSandbox(view, attempt));
  }

  /** Takes as long as the recorded pull, whether or not the node has the image. */
  @Override
  public Future<String> pull(PodView pod, ContainerView container) {
    PodScript script = script(pod);
    long millis = script == null ? 0 : script.pull(container.name());
    return millis == 0
        ? super.pull(pod, container)
        : vertx.timer(millis).compose(passed -> super.pull(pod, container));
  }

  @Override
  public Future<ContainerRecord> startContainer(
      PodView pod, ContainerView container, int attempt, String imageId) {
    return super.startContainer(
        annotated(pod, container.name(), attempt), container, attempt, imageId);
  }

  private @Nullable PodScript script(PodView pod) {
    PodLife life = lives.lifeOf(pod);
    return life == null ? null : new PodScript(life, speed);
  }

  private static String first(PodView pod) {
    return pod.spec().containers().isEmpty() ? "" : pod.spec().containers().get(0).name();
  }

  private PodView annotated(PodView pod, String container, int attempt) {
    PodScript script = script(pod);
    if (script == null) {
      return pod;
    }
    ContainerTimes times = script.times(container, attempt);
    PodView view = set(pod, "", RuleKey.SANDBOX_DELAY, text(times.sandbox()));
    view = set(view, container, RuleKey.START_DELAY, text(times.start()));
    view = set(view, container, RuleKey.READY_DELAY, text(times.ready()));
    view = set(view, container, RuleKey.STOP_DELAY, text(times.stop()));
    String runs = text(times.runs());
    RuleKey end = times.oom() ? RuleKey.OOM_AFTER : RuleKey.RUN_FOR;
    view =
        set(view, container, RuleKey.RUN_FOR, times.oom() ? "never" : runs == null ? "0s" : runs);
    if (times.oom()) {
      view = set(view, container, end, runs == null ? "0s" : runs);
    }
    return set(view, container, RuleKey.EXIT_CODE, Integer.toString(times.exitCode()));
  }

  private static PodView set(
      PodView pod, String container, RuleKey setting, @Nullable String value) {
    return value == null
        ? pod
        : pod.withAnnotation(
            PREFIX + (container.isEmpty() ? "" : container + ".") + setting.key(), value);
  }
}
