package dev.vertlet.simulation;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kube.watch.ReflectorListener;
import dev.vertlet.kube.watch.SimulatedWatch;
import dev.vertlet.kubelet.KubeletOptions;
import dev.vertlet.kubelet.SimulatedContainers;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.PodRef;
import dev.vertlet.model.node.NodeView;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.pods.SimulatedSync;
import dev.vertlet.provider.pod.PodProvider;
import dev.vertlet.status.SimulatedWriter;
import dev.vertlet.testing.EmptyContext;
import io.vertx.core.Future;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The production parts of an agent, put together as its shards do, on a loop that can die. */
final class Agent implements EmptyContext {
  static final List<String> NODES = List.of("n0", "n1");

  private final FakeLoop world;
  private final Loop loop = new Loop();
  private final Server server;
  private final WriteRules rules;
  private final Mutant mutant;
  private final SplittableRandom random;
  private final Journal journal;
  private final PodProvider provider;
  private final SimulatedSync sync;
  private final SimulatedWriter writer;
  private final SimulatedWatch watch;
  private final Map<String, Integer> terms = new HashMap<>();
  private final boolean writerHearsFirst;
  private final boolean brief;
  private boolean dead;

  /** Reports on their way to the writer. */
  private final List<PodReport> reports = new ArrayList<>();

  Agent(
      FakeLoop world,
      Server server,
      Wire wire,
      SimulatedContainers containers,
      WriteRules rules,
      Mutant mutant,
      SplittableRandom random,
      Journal journal) {
    this.world = world;
    this.server = server;
    this.rules = rules;
    this.mutant = mutant;
    this.random = random;
    this.journal = journal;
    this.writerHearsFirst = random.nextBoolean();
    this.brief = random.nextInt(3) == 0;
    KubeletOptions options =
        KubeletOptions.DEFAULTS.withProfile(
            brief ? KubeletOptions.Profile.FAST : KubeletOptions.Profile.KUBELET);
    LongSupplier nanos = () -> world.millis() * 1_000_000;
    this.provider =
        mutant.provider(
            SimulatedContainers.core(mutant.runtime(containers.runtime()), options, loop));
    this.sync = new SimulatedSync(NODES, provider, loop, this::toWriter, nanos, random);
    this.writer =
        new SimulatedWriter(
            brief,
            1 + random.nextInt(4),
            () -> mutant.requests(wire.scope(loop)),
            loop,
            nanos,
            random);
    this.watch =
        new SimulatedWatch(
            server, mutant.listener(new Router(), this::listing), loop, world, random);
  }

  private boolean listing() {
    return watch.listing();
  }

  void start() {
    if (!sync.start(this).succeeded()) {
      throw new IllegalStateException("the provider does not start");
    }
    server.watchedBy(watch::wake);
    watch.start();
    NODES.forEach(node -> loop.setTimer(1 + random.nextInt(400), () -> acquire(node)));
  }

  /** The process is gone, in the middle of whatever it did. */
  void die() {
    dead = true;
    watch.stop();
    server.watchedBy(() -> {});
  }

  /** The process takes its leave, in the order of the agent. */
  Future<Void> leave() {
    watch.stop();
    server.watchedBy(() -> {});
    return writer
        .leave()
        .onSuccess(
            v -> {
              sync.stop();
              dead = true;
            });
  }

  /** Whether it has the profile {@code fast}. */
  boolean brief() {
    return brief;
  }

  /** Somebody else might hold the lease for a while. */
  void lapse(String node, int millis) {
    Integer term = terms.remove(node);
    if (term != null) {
      loop.later(() -> sync.lost(node));
      loop.later(() -> writer.lost(node));
      loop.setTimer(millis, () -> acquire(node, term + 1));
    }
  }

  private void acquire(String node) {
    acquire(node, 0);
  }

  private void acquire(String node, int term) {
    terms.put(node, term);
    loop.later(() -> sync.acquired(node, term));
    loop.later(
        () -> {
          server.pods().stream()
              .filter(pod -> pod.nodeName().equals(node))
              .forEach(pod -> rules.reset(pod.uid()));
          writer.acquired(node);
        });
    if (term > 0) {
      watch.relist(() -> loop.later(() -> sync.synced(node, term)));
    }
  }

  /** The connection of the watch breaks. */
  void cut() {
    watch.cut();
  }

  PodProvider provider() {
    return provider;
  }

  /** Whether all that it knows of which pods there are is this many pods. */
  @Nullable String tables(int pods) {
    String sizes = "watch " + watch.size() + ", sync " + sync.size() + ", status " + writer.size();
    boolean right = watch.size() == pods && sync.size() == pods && writer.size() == pods;
    return right ? null : sizes;
  }

  boolean idle() {
    return writer.idle() && terms.size() == NODES.size();
  }

  private void toWriter(PodReport report) {
    if (reports.isEmpty()) {
      loop.later(this::deliver);
    }
    reports.add(report);
  }

  private void deliver() {
    List<PodReport> batch = List.copyOf(reports);
    reports.clear();
    for (PodReport report : batch) {
      journal.note(7, () -> told(report));
      rules.wanted(report.pod().uid(), report.status());
    }
    writer.reported(batch);
  }

  private String told(PodReport report) {
    String containers =
        report.status().containerStatuses().stream()
            .map(c -> c.name() + " " + c.restartCount() + " " + c.state())
            .collect(Collectors.joining("; "));
    return String.format(
        "%s report %s %s %s%s %s",
        world.instant(),
        report.pod().uid(),
        report.status().phase(),
        report.status().reason(),
        report.finished() ? " finished" : "",
        containers);
  }

  /** What a watch verticle publishes, and who hears it. */
  private final class Router implements ReflectorListener<PodView> {
    @Override
    public void upserted(PodView pod) {
      PodView shown = mutant.seen(pod);
      both(
          () -> sync.observed(shown),
          () -> {
            journal.note(
                pod.resourceVersion(),
                () -> world.instant() + " seen " + pod.uid() + " rv " + pod.resourceVersion());
            rules.seen(pod.uid(), pod.resourceVersion());
            writer.observed(shown);
          });
    }

    @Override
    public void deleted(Tombstone object) {
      PodRef ref = new PodRef(object.namespace(), object.name(), object.uid());
      journal.note(8, () -> world.instant() + " seen " + ref.uid() + " gone");
      both(() -> sync.gone(ref), () -> writer.gone(ref));
    }

    @Override
    public void synced() {
      NODES.forEach(node -> loop.later(() -> sync.synced(node, 0)));
    }

    private void both(Runnable forSync, Runnable forWriter) {
      loop.later(writerHearsFirst ? forWriter : forSync);
      loop.later(writerHearsFirst ? forSync : forWriter);
    }
  }

  /** The loop of the process: it stops with it. */
  private final class Loop implements CoreLoop {
    @Override
    public void run(Runnable task) {
      if (!dead) {
        task.run();
      }
    }

    @Override
    public void later(Runnable task) {
      world.later(() -> run(task));
    }

    @Override
    public long setTimer(long delayMillis, Runnable task) {
      return world.setTimer(Math.max(1, delayMillis), () -> run(task));
    }

    @Override
    public void cancelTimer(long id) {
      world.cancelTimer(id);
    }
  }

  @Override
  public Clock clock() {
    return world;
  }

  @Override
  public RandomGenerator random() {
    return random;
  }

  @Override
  public void report(PodReport report) {
    PodReport told = mutant.report(report);
    loop.run(() -> sync.reported(told));
  }

  @Override
  public void unclaimed(PodReport pod) {
    loop.later(() -> sync.unclaimed(pod));
  }

  @Override
  public Future<NodeView> node(String name) {
    return server.trouble() == null
        ? Future.succeededFuture(SimulatedContainers.node(name))
        : Future.failedFuture("simulated");
  }
}
