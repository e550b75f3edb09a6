package dev.vertlet.simulated;

import dev.vertlet.model.PodRef;
import dev.vertlet.model.container.CommandView;
import dev.vertlet.model.container.ContainerView;
import dev.vertlet.model.container.EnvironmentView;
import dev.vertlet.model.pod.PodSpecView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Running;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.provider.failure.ProviderException;
import dev.vertlet.provider.failure.ProviderException.Kind;
import dev.vertlet.provider.node.HostName;
import dev.vertlet.provider.stream.Connection;
import dev.vertlet.provider.stream.ContainerIo;
import dev.vertlet.provider.stream.ContainerTarget;
import dev.vertlet.provider.stream.ExecRequest;
import dev.vertlet.provider.stream.LogRequest;
import dev.vertlet.provider.stream.PodStreams;
import dev.vertlet.simulated.rule.ListeningPorts;
import dev.vertlet.simulated.shell.Alarm;
import dev.vertlet.simulated.shell.Output;
import dev.vertlet.simulated.shell.Serial;
import dev.vertlet.simulated.shell.Session;
import dev.vertlet.simulated.stream.LogSession;
import dev.vertlet.simulated.stream.LogText;
import dev.vertlet.simulated.stream.PortSession;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.streams.WriteStream;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Serves logs, attach, exec and port-forward of simulated containers. Calls run on the shard's
 * context; output is generated on the loops of the client connections.
 */
final class SimulatedStreams implements PodStreams {
  private static final String NOT_RUN =
      "vertlet: this container is simulated and runs no command: it ends by a rule, such as"
          + " sim.vertlet.dev/run-for, or with its pod";

  private final Clock clock;
  private final Alarm alarm;
  private final Planner planner;
  private final PodTable pods;
  private final EndWatches ends;
  private ToLongFunction<String> logSize = node -> Long.MAX_VALUE;

  SimulatedStreams(Clock clock, Timers timers, Planner planner, PodTable pods, EndWatches ends) {
    this.clock = clock;
    this.alarm =
        (delay, action) -> {
          long timer = timers.start(delay, action);
          return () -> timers.cancel(timer);
        };
    this.planner = planner;
    this.pods = pods;
    this.ends = ends;
  }

  /** As {@link SimulatedRuntime#logSize}. */
  void logSize(ToLongFunction<String> bytes) {
    logSize = bytes;
  }

  @Override
  public Future<Void> logs(LogRequest request, WriteStream<Buffer> out, Future<Void> gone) {
    ContainerTarget target = request.target();
    ContainerTarget.Facts facts = target.facts();
    Instance instance = find(target);
    ContainerStateView state =
        instance != null ? instance.record().state() : facts == null ? null : facts.state();
    boolean there = instance != null || state instanceof Terminated;
    if (facts == null || state == null || !there) {
      return Future.failedFuture(unknown(target));
    }
    Serial serial = new Serial();
    Output to = new Output(out, false, serial);
    LogSession session = session(request, facts.pod(), state, to, to, serial);
    Runnable leave = follow(request, facts.pod(), instance, session);
    gone.onComplete(left -> session.stop());
    return session.run().onComplete(over -> leave.run());
  }

  private LogSession session(
      LogRequest request,
      PodView pod,
      ContainerStateView state,
      Output out,
      Output err,
      Serial serial) {
    return new LogSession(
        request, text(request.target(), pod, state), out, err, clock, alarm, serial);
  }

  private LogText text(ContainerTarget target, PodView pod, ContainerStateView state) {
    return new LogText(
        planner.talk(pod, target.container()),
        planner.seed,
        target,
        state,
        logSize.applyAsLong(target.node()));
  }

  /** Ends a session when its instance ends. */
  private Runnable follow(
      LogRequest request, PodView pod, @Nullable Instance instance, LogSession session) {
    if (instance == null || instance.ended() || !request.follow()) {
      return () -> {};
    }
    return ends.watch(
        instance,
        last -> session.end(last instanceof Terminated ? text(request.target(), pod, last) : null));
  }

  @Override
  public Future<Integer> exec(ExecRequest request, ContainerIo io) {
    ContainerTarget target = request.target();
    Instance instance = find(target);
    if (instance == null || !instance.running()) {
      return Future.failedFuture(unknown(target));
    }
    ContainerTarget.Facts facts = target.facts();
    PodView pod = facts == null ? null : facts.pod();
    Session session =
        new Session(
            io,
            request.tty(),
            pod == null ? target.pod().name() : hostname(pod),
            pod == null ? Map.of() : variables(pod.spec(), target.container()),
            alarm);
    Runnable leave = ends.watch(instance, last -> session.kill());
    return session.run(request.command()).onComplete(over -> leave.run());
  }

  private static String hostname(PodView pod) {
    try {
      return HostName.of(pod, "cluster.local").hostname();
    } catch (IllegalArgumentException e) {
      return pod
          .name(); // this runtime accepts every sandbox name, and only the client sees the result
    }
  }

  /** Returns the variables with a literal value; referenced objects are not read. */
  private static Map<String, String> variables(PodSpecView spec, String container) {
    ContainerView view = spec.container(container);
    EnvironmentView environment = view == null ? null : view.environment();
    if (environment == null) {
      return Map.of();
    }
    Map<String, String> variables = new LinkedHashMap<>();
    for (EnvironmentView.Variable variable : environment.env()) {
      if (variable.from() instanceof EnvironmentView.ValueFrom.Literal) {
        variables.put(variable.name(), variable.value());
      }
    }
    return variables;
  }

  @Override
  public Future<Void> attach(ContainerTarget target, boolean tty, ContainerIo io) {
    Instance instance = find(target);
    ContainerTarget.Facts facts = target.facts();
    if (instance == null
        || !(instance.record().state() instanceof Running running)
        || facts == null) {
      return Future.failedFuture(unknown(target));
    }
    LogRequest fromNow =
        new LogRequest(
            target, true, false, false, clock.instant(), null, null, LogRequest.Stream.ALL);
    Serial serial = new Serial();
    Output out = new Output(io.stdout(), tty, serial);
    Output err = tty ? out : new Output(io.stderr(), false, serial);
    LogSession session = session(fromNow, facts.pod(), running, out, err, serial);
    Runnable leave = follow(fromNow, facts.pod(), instance, session);
    if (io.stdin() != null && saysWhatRuns(facts.pod().spec().container(target.container()))) {
      serial.run(() -> err.line(NOT_RUN));
    }
    Session.echo(io, tty, out, serial);
    io.gone().onComplete(left -> session.stop());
    return session.run().onComplete(over -> leave.run());
  }

  /** Returns whether the client awaits a command's output, as in {@code kubectl run -i}. */
  private static boolean saysWhatRuns(@Nullable ContainerView container) {
    return container != null && !container.command().equals(CommandView.NONE);
  }

  @Override
  public Future<Void> portForward(PodRef ref, int port, Connection connection) {
    SimulatedPod pod = pods.find(ref);
    if (pod == null) {
      return Future.failedFuture(
          new ProviderException(
              Kind.NOT_FOUND, "PodNotFound", "pod " + ref.display() + " has no sandbox"));
    }
    Instance first = pod.instances().stream().filter(Instance::running).findFirst().orElse(null);
    ListeningPorts.Listener listener = pod.ports().on(port);
    if (first == null || listener == null) {
      return Future.failedFuture(
          new ProviderException(
              Kind.TEMPORARY,
              "ConnectionRefused",
              "dial tcp4 127.0.0.1:" + port + ": connect: connection refused"));
    }
    String text = "pod " + ref.display() + ", port " + port + "\n";
    PortSession session = new PortSession(connection, listener, text);
    Runnable leave = ends.watch(first, last -> session.stop());
    return session.run().onComplete(over -> leave.run());
  }

  private @Nullable Instance find(ContainerTarget target) {
    SimulatedPod pod = pods.find(target.pod());
    Instance instance = pod == null ? null : pod.byId(target.containerId());
    return instance == null || instance.created() ? null : instance;
  }

  private static ProviderException unknown(ContainerTarget target) {
    return new ProviderException(
        Kind.NOT_FOUND,
        "ContainerNotFound",
        "the simulated runtime has no container " + target.containerId());
  }
}
