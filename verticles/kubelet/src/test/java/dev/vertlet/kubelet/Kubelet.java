package dev.vertlet.kubelet;

import dev.vertlet.admission.NodePolicy;
import dev.vertlet.bus.ObjectEvent;
import dev.vertlet.bus.PodReport;
import dev.vertlet.eviction.EvictionOptions;
import dev.vertlet.eviction.ImageGcOptions;
import dev.vertlet.kubelet.pod.ContainerListener;
import dev.vertlet.kubelet.pod.CoreMeters;
import dev.vertlet.kubelet.pod.RuntimeOperation;
import dev.vertlet.kubelet.podworker.EnvironmentInputs;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ConditionView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStateView.Terminated;
import dev.vertlet.model.status.ContainerStateView.Waiting;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodPhase;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.provider.failure.ProviderCall;
import dev.vertlet.testing.EmptyContext;
import dev.vertlet.testing.Pods;
import io.vertx.core.Future;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A core on a fake runtime and a fake loop, with what it told the cluster. */
public final class Kubelet implements EmptyContext {
  public final FakeLoop loop;
  public final FakeRuntime runtime;
  public final KubeletCore core;
  final List<PodReport> reports = new ArrayList<>();
  final Map<String, PodReport> latest = new LinkedHashMap<>();
  final List<ObjectEvent> events = new ArrayList<>();
  final List<PodReport> unclaimed = new ArrayList<>();

  final Counts counts = new Counts();

  /** What its meters were told. */
  static final class Counts implements CoreMeters {
    int sandboxes;
    int running;
    int exited;
    final List<Duration> letIn = new ArrayList<>();
    final List<Duration> started = new ArrayList<>();
    final List<Duration> relisting = new ArrayList<>();
    final List<Duration> relisted = new ArrayList<>();

    /** The operations of the runtime, in the order of their calls. */
    final List<RuntimeOperation> operations = new ArrayList<>();

    @Override
    public <T> Future<T> measure(RuntimeOperation operation, Supplier<Future<T>> call) {
      operations.add(operation);
      return ProviderCall.ask(call);
    }

    @Override
    public void changed(int moreSandboxes, int moreRunning, int moreExited) {
      sandboxes += moreSandboxes;
      running += moreRunning;
      exited += moreExited;
    }

    @Override
    public void letIn(Duration since) {
      letIn.add(since);
    }

    @Override
    public void started(Duration since) {
      started.add(since);
    }

    @Override
    public void relisting(Duration sinceLast) {
      relisting.add(sinceLast);
    }

    @Override
    public void relisted(Duration took) {
      relisted.add(took);
    }

    /** Deferred, infeasible and in progress. */
    final int[] resizing = new int[3];

    final List<String> resizes = new ArrayList<>();

    @Override
    public void resizing(int deferred, int infeasible, int inProgress) {
      resizing[0] += deferred;
      resizing[1] += infeasible;
      resizing[2] += inProgress;
    }

    @Override
    public void resizeRequested(String resource, String requirement, String operation) {
      resizes.add(resource + " " + requirement + " " + operation);
    }

    @Override
    public void resizeInfeasible(String detail) {
      resizes.add("infeasible " + detail);
    }

    @Override
    public void deferredResizeAccepted(String trigger) {
      resizes.add("accepted " + trigger);
    }

    @Override
    public void resized(boolean success, Duration took) {
      resizes.add((success ? "done after " : "failed after ") + took.toMillis());
    }

    /** Sandboxes, then containers that run, then such that have ended. */
    List<Integer> now() {
      return List.of(sandboxes, running, exited);
    }
  }

  /** When something was spread by chance: the next sync of a pod, a first probe, a pause. */
  final List<Instant> draws = new ArrayList<>();

  private final EnvironmentInputs inputs;

  List<String> hostIPs = List.of("192.168.0.1");

  /** When pods are evicted; set before the node is seen. */
  EvictionOptions eviction = EvictionOptions.DEFAULTS;

  ImageGcOptions imageGc = ImageGcOptions.DEFAULTS;
  PodTimes times = PodTimes.DEFAULTS;
  NodePolicy policy = NodePolicy.DEFAULTS;
  public int maxImages = 50;

  /** What the API server answers about the node. */
  Function<String, Future<NodeView>> nodes =
      name -> Future.succeededFuture(new Nodes(name).build());

  int nodeReads;

  public Kubelet() {
    this(KubeletOptions.DEFAULTS);
  }

  Kubelet(KubeletOptions options) {
    this(options, EnvironmentInputs.NONE, new FakeLoop(), null);
  }

  Kubelet(EnvironmentInputs inputs) {
    this(KubeletOptions.DEFAULTS, inputs, new FakeLoop(), null);
  }

  /** A core whose runtime looks at environments. */
  static Kubelet looking(EnvironmentInputs inputs) {
    FakeLoop loop = new FakeLoop();
    FakeRuntime runtime = new FakeRuntime(loop);
    runtime.usesEnvironment = true;
    return new Kubelet(KubeletOptions.DEFAULTS, inputs, loop, runtime);
  }

  private Kubelet(
      KubeletOptions options,
      EnvironmentInputs inputs,
      FakeLoop loop,
      @Nullable FakeRuntime survivor) {
    this.inputs = inputs;
    this.loop = loop;
    this.runtime = survivor == null ? new FakeRuntime(loop) : survivor;
    this.core =
        new KubeletCore(
            runtime,
            options,
            new KubeletNodes(
                node -> hostIPs,
                node -> eviction,
                node -> imageGc,
                node -> times,
                node -> policy,
                node -> maxImages),
            inputs,
            counts,
            ContainerListener.NONE,
            context -> loop);
    done(core.start(this));
  }

  public static Kubelet fast() {
    return new Kubelet(KubeletOptions.DEFAULTS.withProfile(KubeletOptions.Profile.FAST));
  }

  /** A new agent over what the old one left running. */
  Kubelet restarted() {
    done(core.stop());
    return new Kubelet(KubeletOptions.DEFAULTS, inputs, loop, runtime);
  }

  /** One that is shown these pods. */
  public Kubelet restarted(PodView... shown) {
    Kubelet next = restarted();
    List.of(shown).forEach(pod -> done(next.core.create(pod)));
    return next;
  }

  /** A new agent whose runtime lost everything, and which is shown these pods. */
  Kubelet restartedEmpty(PodView... shown) {
    done(core.stop());
    Kubelet next = new Kubelet(KubeletOptions.DEFAULTS, inputs, loop, null);
    List.of(shown).forEach(pod -> done(next.core.create(pod)));
    return next;
  }

  static void done(Future<?> future) {
    if (!future.succeeded()) {
      throw new AssertionError("not done", future.cause());
    }
  }

  public PodView create(Pods pod) {
    PodView view = pod.build();
    done(core.create(view));
    return view;
  }

  /** Deletes a pod as the API server does, with a deletion time. */
  public void delete(PodView pod, long seconds) {
    PodView deleted = pod.deleting() ? pod : Pods.of(pod).deleted(loop.instant()).build();
    done(core.delete(deleted, Duration.ofSeconds(seconds)));
  }

  public void advance(long seconds) {
    loop.advance(Duration.ofSeconds(seconds));
  }

  PodReport report(PodView pod) {
    return Objects.requireNonNull(latest.get(pod.uid()), "nothing reported");
  }

  PodStatusView status(PodView pod) {
    return report(pod).status();
  }

  PodPhase phase(PodView pod) {
    return status(pod).phase();
  }

  ConditionView condition(PodView pod, String type) {
    return Objects.requireNonNull(status(pod).condition(type));
  }

  public ContainerStatusView container(PodView pod, String name) {
    PodStatusView status = status(pod);
    List<ContainerStatusView> all = new ArrayList<>(status.initContainerStatuses());
    all.addAll(status.containerStatuses());
    all.addAll(status.ephemeralContainerStatuses());
    return all.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  ContainerStateView state(PodView pod, String name) {
    return Objects.requireNonNull(container(pod, name).state());
  }

  /** How a container ended that has not been started again. */
  Terminated end(PodView pod, String name) {
    return (Terminated) state(pod, name);
  }

  /** How the instance before the present one ended. */
  public Terminated lastEnd(PodView pod, String name) {
    return (Terminated) Objects.requireNonNull(container(pod, name).lastState());
  }

  /** How the container c of the pod p waits for its next start. */
  static Waiting backOff(String pause) {
    String message = "back-off %s restarting failed container=c pod=p_ns(uid-p)";
    return new Waiting("CrashLoopBackOff", message.formatted(pause));
  }

  /** Type, reason and message of the events so far. */
  List<String> eventLines() {
    return events.stream().map(e -> e.type() + " " + e.reason() + " " + e.message()).toList();
  }

  /** The pod as the API server shows it after the newest report. */
  public PodView shown(PodView pod) {
    return Pods.of(pod).status(status(pod)).build();
  }

  @Override
  public Clock clock() {
    return loop;
  }

  private final RandomGenerator random =
      new RandomGenerator() {
        private final SplittableRandom numbers = new SplittableRandom(1);

        @Override
        public long nextLong() {
          return numbers.nextLong();
        }

        @Override
        public double nextDouble() {
          draws.add(loop.instant());
          return numbers.nextDouble();
        }
      };

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public void report(PodReport report) {
    reports.add(report);
    if (report.finished()) {
      runtime.finished.add(report.pod().uid());
    }
    latest.put(report.pod().uid(), report);
  }

  @Override
  public void unclaimed(PodReport pod) {
    unclaimed.add(pod);
  }

  @Override
  public void event(ObjectEvent event) {
    events.add(event);
  }

  @Override
  public Future<NodeView> node(String name) {
    nodeReads++;
    return nodes.apply(name);
  }
}
