package dev.vertlet.simulation;

import dev.vertlet.bus.PodReport;
import dev.vertlet.kubelet.SimulatedContainers;
import dev.vertlet.loop.FakeLoop;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.status.ContainerStateView;
import dev.vertlet.model.status.ContainerStatusView;
import dev.vertlet.model.status.PodStatusView;
import dev.vertlet.model.status.StatusPatch;
import dev.vertlet.provider.container.ContainerRecord;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One run: pods come, change and go while containers end, requests fail, watches break and the
 * agent is restarted. Then nothing goes wrong any more and all must come to rest: first with the
 * pods there are, then with none.
 */
final class Cluster {
  private static final int STEPS = 60;
  private static final int PODS = 4;
  private static final int NAMES = 6;

  /** Longer than all time-outs, back-offs and periods of repair together. */
  private static final Duration PATIENCE = Duration.ofMinutes(40);

  private static final Duration LOOK = Duration.ofSeconds(45);

  private final SplittableRandom random;
  private final Mutant mutant;
  private final Journal journal;
  private final FakeLoop loop = new FakeLoop();
  private final SimulatedContainers containers;
  private final WriteRules rules;
  private final Server server;
  private final Wire wire;
  private final PodShapes shapes;
  private Agent agent;
  private int uids;

  Cluster(long seed, Mutant mutant, Journal journal) {
    this.random = new SplittableRandom(seed);
    this.mutant = mutant;
    this.journal = journal;
    this.containers = new SimulatedContainers(loop, random.split(), this::happened);
    this.rules = new WriteRules(journal, containers);
    this.server = new Server(random.split(), loop, journal, rules);
    this.wire = new Wire(random.split(), loop, server, rules);
    this.shapes = new PodShapes(random.split());
    this.agent = agent();
  }

  private Agent agent() {
    return new Agent(loop, server, wire, containers, rules, mutant, random.split(), journal);
  }

  private void happened(String what) {
    journal.note(what.hashCode(), () -> loop.instant() + " " + what);
  }

  void run() {
    containers.trouble(random.nextInt(6));
    server.trouble(random.nextInt(8));
    agent.start();
    for (int i = 0; i < STEPS; i++) {
      step();
      check();
    }
    calm();
    rest(this::unsettled);
    server.pods().forEach(pod -> server.delete(pod.name(), 1 + random.nextInt(20)));
    rest(this::undeleted);
  }

  private void check() {
    loop.settle();
    rules.containers();
    journal.check();
  }

  private void calm() {
    journal.note(5, () -> loop.instant() + " calm");
    containers.trouble(0);
    server.trouble(0);
    server.away(false);
    containers.settle();
  }

  /** Waits until nothing is wrong any more. */
  private void rest(RestCheck wrong) {
    Optional<BrokenInvariant> found = Optional.empty();
    for (Duration spent = Duration.ZERO; spent.compareTo(PATIENCE) < 0; spent = spent.plus(LOOK)) {
      loop.advance(LOOK);
      check();
      found = wrong.find();
      if (found.isEmpty()) {
        return;
      }
    }
    found.ifPresent(broken -> journal.broken(broken.invariant(), text(broken)));
    journal.check();
  }

  private static String text(BrokenInvariant broken) {
    String message = String.valueOf(broken.getMessage());
    return message.substring(message.indexOf(": ") + 2);
  }

  private interface RestCheck {
    /** What is wrong now. */
    Optional<BrokenInvariant> find();
  }

  private static Optional<BrokenInvariant> wrong(Invariant invariant, String what) {
    return Optional.of(new BrokenInvariant(invariant, what));
  }

  private Optional<BrokenInvariant> unsettled() {
    List<PodView> pods = server.pods();
    Set<String> uids = pods.stream().map(PodView::uid).collect(Collectors.toSet());
    String tables = agent.tables(pods.size());
    if (tables != null) {
      return wrong(
          Invariant.NO_DELETION_IS_LOST, "of " + pods.size() + " pods the agent knows: " + tables);
    }
    for (String uid : containers.pods()) {
      if (!uids.contains(uid)) {
        return wrong(Invariant.DELETED_POD_IS_STOPPED, uid + " is gone and has a sandbox");
      }
    }
    Future<List<PodReport>> held = agent.provider().list();
    for (PodReport report : held.result()) {
      if (!uids.contains(report.pod().uid())) {
        return wrong(Invariant.NOTHING_LEAKS, "the provider keeps " + report.pod().uid());
      }
    }
    for (PodView pod : pods) {
      if (pod.deleting()) {
        return wrong(Invariant.EVERY_DELETION_ENDS, pod.uid() + " is deleted and there");
      }
      String untrue = untrue(pod);
      if (untrue != null) {
        return wrong(Invariant.NEWEST_STATUS_WINS, untrue);
      }
    }
    return agent.idle() ? Optional.empty() : wrong(Invariant.NOTHING_LEAKS, "still writing");
  }

  /** Why the status of a pod is not what it should be, null when it is. */
  private @Nullable String untrue(PodView pod) {
    Optional<PodReport> report = agent.provider().get(pod.ref()).result();
    if (report.isEmpty()) {
      return pod.status().phase().terminal() ? null : pod.uid() + " is nobody's business";
    }
    // one that comes up without trouble is not told of in profile fast
    PodStatusView due = agent.brief() ? rules.newest(pod.uid()) : report.get().status();
    if (due == null) {
      return null;
    }
    PodStatusView shall = due.endedAs(pod.status());
    if (StatusPatch.needed(pod.status(), shall)) {
      return pod.uid() + " lacks " + StatusPatch.encode(pod.ref(), pod.status(), shall);
    }
    for (ContainerStatusView shown : pod.status().containerStatuses()) {
      ContainerRecord real = containers.newest(pod.ref(), shown.name());
      boolean runs = real != null && real.running();
      boolean showsIt =
          shown.state() instanceof ContainerStateView.Running
              && (real == null || real.id().equals(shown.containerId()));
      if (runs != showsIt) {
        return pod.uid() + "/" + shown.name() + " is " + real + " and shows " + shown.state();
      }
    }
    return null;
  }

  private Optional<BrokenInvariant> undeleted() {
    if (!server.pods().isEmpty()) {
      return wrong(Invariant.EVERY_DELETION_ENDS, "still there: " + server.pods());
    }
    return unsettled();
  }

  private void step() {
    int dice = random.nextInt(100);
    if (dice < 12) {
      create();
    } else if (dice < 45) {
      containers.act();
    } else if (dice < 60) {
      user(name());
    } else if (dice < 64) {
      controller(name());
    } else if (dice < 68) {
      agent.cut();
    } else if (dice < 70) {
      server.compact();
      agent.cut();
    } else if (dice < 72) {
      server.away(random.nextInt(3) == 0);
    } else if (dice < 74) {
      lapse();
    } else if (dice < 76) {
      restart();
    }
    loop.advance(Duration.ofMillis(random.nextInt(random.nextInt(4) == 0 ? 15_000 : 800)));
  }

  private String name() {
    return "p" + random.nextInt(NAMES);
  }

  private void create() {
    String name = name();
    if (server.pod(name) == null && server.pods().size() < PODS) {
      String node = Agent.NODES.get(random.nextInt(2));
      server.create(shapes.draw(Server.ref(name, ++uids), node, server.revision(), loop.instant()));
    }
  }

  private void user(String name) {
    int dice = random.nextInt(10);
    if (dice < 5) {
      server.delete(name, 1 + random.nextInt(20));
    } else if (dice < 7) {
      server.delete(name, 0);
    } else if (dice < 9) {
      server.change(name, "image", shapes::withImage);
    } else {
      server.change(name, "label", shapes::withLabel);
    }
  }

  private void controller(String name) {
    PodView pod = server.pod(name);
    if (pod == null || pod.status().phase().terminal()) {
      return;
    }
    server.meddle(
        name,
        random.nextInt(4) == 0
            ? Server.phase("Failed", "NodeLost")
            : Server.condition("Ready", random.nextBoolean() ? "False" : "True"));
  }

  private void lapse() {
    String node = Agent.NODES.get(random.nextInt(2));
    int millis = 1 + random.nextInt(5_000);
    journal.note(millis, () -> loop.instant() + " lease of " + node + " lapses for " + millis);
    agent.lapse(node, millis);
  }

  private void restart() {
    if (random.nextBoolean()) {
      Future<Void> left = agent.leave();
      loop.advance(Duration.ofSeconds(random.nextInt(20)));
      journal.note(left.isComplete() ? 1 : 2, () -> "agent leaves");
    }
    agent.die();
    journal.note(3, () -> loop.instant() + " agent dies");
    wire.cutOff();
    containers.agentDied();
    check();
    rules.reset();
    agent = agent();
    loop.advance(Duration.ofMillis(random.nextInt(3_000)));
    journal.note(4, () -> loop.instant() + " agent starts, brief: " + agent.brief());
    agent.start();
  }
}
