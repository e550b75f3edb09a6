package dev.vertlet.lease;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.model.ObjectMeta;
import dev.vertlet.model.Timestamps;
import dev.vertlet.replicas.SimulatedMembers;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Three agents that divide some nodes, an API server and what may go wrong between them, in one
 * thread and by one seed: the production's leases and members on a simulated clock and network.
 *
 * <p>A node is never held by two agents, by the monotonic clock of each. One fault at a time, a
 * node is served again within its Lease and five seconds. When all is well again, each is served by
 * whose it is.
 */
final class ReplicaSimulation {
  /** What is changed so that the simulation has something to find. */
  enum Mutant {
    NONE,
    /** Clocks differ by more than a quarter of the Lease, which the documentation rules out. */
    CLOCKS_APART,
    /** An agent takes all nodes for its own. */
    GREEDY
  }

  /** A promise was not kept. */
  static final class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;

    Broken(String message) {
      super(message);
    }
  }

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration LEASE = Duration.ofSeconds(40);
  private static final Duration TAKEN_OVER = LEASE.plusSeconds(5);
  private static final Duration PING = Duration.ofSeconds(10);
  private static final int NODES = 8;
  private static final int FAULTS = 5;

  private record Task(long at, long order, @Nullable Agent of, Runnable what) {}

  private final Random random;
  private final Mutant mutant;

  /** Several faults at a time, and a network that loses requests and answers. */
  private final boolean rough;

  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::order));
  private final Map<String, ObjectNode> server = new TreeMap<>();
  private final List<String> nodes = IntStream.range(0, NODES).mapToObj(i -> "node" + i).toList();
  private final Map<String, Agent> agents = new TreeMap<>();
  private final List<String> story = new ArrayList<>();
  private long now;
  private long order;
  private long version;
  private boolean lossy;

  ReplicaSimulation(long seed, Mutant mutant) {
    this.random = new Random(seed);
    this.mutant = mutant;
    this.rough = seed % 2 == 1;
  }

  List<String> story() {
    return story;
  }

  void run() {
    for (String name : List.of("a", "b", "c")) {
      at(millis(random.nextInt(20_000)), () -> agents.put(name, new Agent(name)));
    }
    pass(Duration.ofSeconds(90));
    allWell();
    lossy = rough;
    for (int i = 0; i < FAULTS; i++) {
      if (rough) {
        fault(pick());
        pass(Duration.ofMillis(random.nextInt(40_000)));
      } else {
        oneFault(pick());
      }
    }
    lossy = false;
    for (Agent agent : List.copyOf(agents.values())) {
      mend(agent);
    }
    pass(Duration.ofSeconds(120));
    allWell();
  }

  private String pick() {
    return List.copyOf(agents.keySet()).get(random.nextInt(agents.size()));
  }

  private void oneFault(String name) {
    fault(name);
    pass(TAKEN_OVER);
    Agent broken = agent(name);
    for (String node : nodes) {
      boolean served =
          agents.values().stream().anyMatch(a -> a != broken && a.alive && a.holds(node));
      if (!served) {
        throw new Broken(node + " is served by nobody " + TAKEN_OVER.toSeconds() + " s later");
      }
    }
    pass(Duration.ofMillis(random.nextInt(30_000)));
    mend(broken);
    pass(Duration.ofSeconds(90));
    allWell();
  }

  private Agent agent(String name) {
    Agent agent = agents.get(name);
    if (agent == null) {
      throw new IllegalArgumentException(name);
    }
    return agent;
  }

  private void fault(String name) {
    Agent agent = agent(name);
    switch (random.nextInt(agent.paused ? 3 : 4)) {
      case 0 -> {
        tell(name + " is killed");
        agent.alive = false;
      }
      case 1 -> {
        tell(name + " is stopped");
        agent.paused = true;
      }
      case 2 -> {
        tell(name + " is cut off");
        agent.cut = true;
      }
      default -> {
        tell(name + " leaves");
        agent.leave();
      }
    }
  }

  private void mend(Agent agent) {
    tell(agent.name + " is well again");
    if (!agent.alive) {
      agents.put(agent.name, new Agent(agent.name));
    }
    agent.paused = false;
    agent.cut = false;
    List<Task> backlog = new ArrayList<>(agent.backlog);
    agent.backlog.clear();
    Collections.shuffle(backlog, random); // timers and answers have no order among them
    backlog.forEach(task -> at(millis(random.nextInt(20)), agent, task.what));
    at(Duration.ZERO, agent, agent::relist);
  }

  /** Each node is served by whose it is. */
  private void allWell() {
    Set<String> living =
        agents.values().stream()
            .filter(agent -> agent.alive)
            .map(agent -> agent.name)
            .collect(Collectors.toCollection(TreeSet::new));
    for (String node : nodes) {
      Set<String> holders =
          agents.values().stream()
              .filter(agent -> agent.alive && agent.holds(node))
              .map(agent -> agent.name)
              .collect(Collectors.toCollection(TreeSet::new));
      if (!holders.equals(Set.of(SimulatedMembers.owner(node, living)))) {
        throw new Broken(
            node
                + " is served by "
                + holders
                + " and is of "
                + SimulatedMembers.owner(node, living));
      }
    }
  }

  private void tell(String what) {
    story.add("%.3f s: %s".formatted(now / 1e9, what));
  }

  // ---- time ----

  private static Duration millis(int millis) {
    return Duration.ofMillis(millis);
  }

  private void at(Duration delay, Runnable what) {
    tasks.add(new Task(now + delay.toNanos(), order++, null, what));
  }

  private void at(Duration delay, Agent of, Runnable what) {
    tasks.add(new Task(now + delay.toNanos(), order++, of, what));
  }

  private void pass(Duration time) {
    long until = now + time.toNanos();
    Task next = tasks.peek();
    while (next != null && next.at <= until) {
      tasks.remove();
      now = Math.max(now, next.at);
      Agent of = next.of;
      if (of == null) {
        next.what.run();
      } else if (of.alive && of.paused) {
        of.backlog.add(next);
      } else if (of.alive) {
        next.what.run();
      }
      next = tasks.peek();
    }
    now = until;
  }

  // ---- the API server ----

  private ObjectNode stored(String name) {
    ObjectNode found = server.get(name);
    if (found == null) {
      throw problem(Kind.NOT_FOUND, 404);
    }
    return found.deepCopy();
  }

  private ObjectNode store(String name, ObjectNode lease) {
    ObjectNode metadata = lease.withObject("/metadata");
    metadata.put("name", name).put("resourceVersion", Long.toString(++version));
    if (!metadata.has("uid")) {
      metadata.put("uid", "uid-" + version);
    }
    server.put(name, lease);
    if (name.startsWith("member-")) {
      agents.values().forEach(agent -> agent.hear(name));
    }
    return lease.deepCopy();
  }

  private ObjectNode create(String name, ObjectNode lease) {
    if (server.containsKey(name)) {
      throw problem(Kind.ALREADY_EXISTS, 409);
    }
    return store(name, lease);
  }

  private ObjectNode update(String name, ObjectNode lease) {
    String known = stored(name).at("/metadata/resourceVersion").asText();
    if (!known.equals(lease.at("/metadata/resourceVersion").asText())) {
      throw problem(Kind.CONFLICT, 409);
    }
    return store(name, lease);
  }

  private ObjectNode remove(String name) {
    ObjectNode removed = stored(name);
    server.remove(name);
    agents.values().forEach(agent -> agent.hear(name));
    return removed;
  }

  private static KubeException problem(Kind kind, int status) {
    return new KubeException(kind, status, kind.name(), null, null);
  }

  private Duration latency() {
    return millis(1 + (lossy && random.nextInt(20) == 0 ? random.nextInt(3_000) : 5));
  }

  private boolean lost() {
    return lossy && random.nextInt(50) == 0;
  }

  // ---- an agent ----

  private final class Agent {
    final String name;
    final List<Task> backlog = new ArrayList<>();
    boolean alive = true;
    boolean paused;
    boolean cut;

    private final Clock wall;
    private final SimulatedMembers members;
    private final Map<String, Driver> drivers = new TreeMap<>();
    private boolean member;
    private long memberSince;
    private boolean listed;
    private boolean leaving;

    Agent(String name) {
      this.name = name;
      Duration skew = skew();
      InstantSource source = () -> BEGIN.plusNanos(now).plus(skew);
      this.wall = source.withZone(ZoneOffset.UTC);
      this.members = new SimulatedMembers(name, nodes, () -> now);
      nodes.forEach(node -> drivers.put(node, new Driver(node)));
      every(SimulatedMembers.RENEW_INTERVAL, this::renew);
      every(millis(500), this::look);
      every(PING, this::ping);
      at(Duration.ZERO, this, this::relist);
    }

    private Duration skew() {
      if (mutant == Mutant.CLOCKS_APART) {
        return millis(random.nextInt(30_000));
      }
      // apart by less than a quarter of the Lease; by how much, a takeover waits longer
      return millis(random.nextInt(rough ? 9_000 : 1_000));
    }

    private void every(Duration interval, Runnable what) {
      at(
          Duration.ZERO,
          this,
          () -> {
            what.run();
            at(
                interval,
                this,
                new Runnable() {
                  @Override
                  public void run() {
                    what.run();
                    at(interval, Agent.this, this);
                  }
                });
          });
    }

    boolean holds(String node) {
      Driver driver = drivers.get(node);
      return driver != null
          && !leaving
          && driver.lease.serving()
          && !driver.lease.untilHoldEnds().isZero();
    }

    private void request(
        Duration timeout,
        Supplier<ObjectNode> what,
        Consumer<ObjectNode> answered,
        Consumer<KubeException> failed) {
      long sent = now;
      Runnable silent = () -> failed.accept(problem(Kind.TIMEOUT, 0));
      if (cut || lost()) {
        at(timeout, this, silent);
        return;
      }
      at(
          latency(),
          () -> {
            Runnable answer;
            try {
              ObjectNode found = what.get();
              answer = () -> answered.accept(found);
            } catch (KubeException e) {
              answer = () -> failed.accept(e);
            }
            Duration back = latency();
            long left = sent + timeout.toNanos() - now;
            if (cut || lost() || left < back.toNanos()) {
              at(Duration.ofNanos(Math.max(left, 0)), this, silent);
            } else {
              at(back, this, answer);
            }
          });
    }

    // members

    private void renew() {
      if (leaving) {
        return;
      }
      long began = now;
      String lease = "member-" + name;
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      body.putObject("metadata")
          .putObject("annotations")
          .put(members.annotation(), members.digest());
      body.putObject("spec")
          .put("holderIdentity", name)
          .put("leaseDurationSeconds", SimulatedMembers.DURATION.toSeconds())
          .put("renewTime", Timestamps.formatMicro(wall.instant()));
      request(
          SimulatedMembers.holdFor().dividedBy(3),
          () -> store(lease, body),
          done -> {
            member = true;
            memberSince = began;
            look();
          },
          failure -> {});
    }

    private void look() {
      if (member && now - memberSince >= SimulatedMembers.holdFor().toNanos()) {
        member = false;
      }
      members.joined(member);
      if (listed && !leaving) {
        members
            .divided(wall.instant())
            .ifPresent(
                owners ->
                    drivers.forEach(
                        (node, driver) -> driver.assign(owners.getOrDefault(node, ""))));
      }
    }

    void hear(String lease) {
      if (cut) {
        return; // its watch is gone; it lists anew when it is back
      }
      JsonNode current = server.get(lease);
      JsonNode seen = current == null ? null : current.deepCopy();
      at(latency(), this, () -> heard(lease, seen));
    }

    private void heard(String lease, @Nullable JsonNode seen) {
      if (seen == null) {
        members.gone(lease);
      } else {
        members.observed(seen);
      }
      look();
    }

    void relist() {
      for (String each : List.of("a", "b", "c")) {
        heard("member-" + each, server.get("member-" + each));
      }
      listed = true;
      look();
    }

    private void ping() {
      drivers.values().forEach(driver -> driver.pinged());
    }

    /** SIGTERM. */
    void leave() {
      leaving = true;
      drivers.values().forEach(Driver::release);
      at(
          millis(50),
          this,
          () ->
              request(
                  Duration.ofSeconds(5),
                  () -> remove("member-" + name),
                  done -> alive = false,
                  failure -> alive = false));
    }

    /** One node's Lease, as {@link LeaseVerticle} has it done. */
    private final class Driver {
      final NodeLease lease;
      private long due = Long.MAX_VALUE;

      Driver(String node) {
        LeaseSettings options =
            new LeaseSettings(
                name, new LeaseOptions(true, LEASE, LEASE.dividedBy(4)), PING.multipliedBy(3));
        lease = new NodeLease(node, options, wall, () -> now, random);
        lease.assign("");
      }

      void assign(String owner) {
        lease.assign(mutant == Mutant.GREEDY ? name : owner);
        drive();
      }

      void pinged() {
        lease.pinged(true, "");
        drive();
      }

      void release() {
        Buffer body = lease.release();
        if (body != null) {
          request(
              Duration.ofSeconds(5),
              () -> update(lease.node(), json(body)),
              done -> {},
              failure -> {});
        }
        lease.assign("");
      }

      private void wake(Duration delay) {
        long at = now + delay.toNanos();
        due = at;
        at(
            delay,
            Agent.this,
            () -> {
              if (due == at) {
                drive();
              }
            });
      }

      private void drive() {
        if (leaving) {
          return;
        }
        if (lease.expireHold()) {
          tell(name + " lost " + lease.node() + ": " + lease.lastProblem());
        }
        if (lease.leave()) {
          tell(name + " leaves " + lease.node() + ": " + lease.lastProblem());
        }
        LeaseStep step = lease.next();
        if (step instanceof LeaseStep.Wait wait) {
          wake(wait.delay());
        } else if (step instanceof LeaseStep.Read) {
          send(() -> stored(lease.node()), found -> lease.read(LeaseRecord.decode(buffer(found))));
        } else if (step instanceof LeaseStep.Create create) {
          LeaseRecord sent = create.lease();
          ObjectNode body = json(sent.body());
          send(() -> create(lease.node(), body), found -> written(sent, found));
        } else if (step instanceof LeaseStep.Update update) {
          LeaseRecord sent = update.lease();
          ObjectNode body = json(sent.body());
          send(() -> update(lease.node(), body), found -> written(sent, found));
        } else if (step instanceof LeaseStep.HandOver given) {
          ObjectNode body = json(given.lease().body());
          send(() -> update(lease.node(), body), found -> lease.handedOver());
        }
      }

      private void written(LeaseRecord sent, ObjectNode found) {
        if (lease.written(sent.confirmed(ObjectMeta.decode(buffer(found))))) {
          tell(name + " serves " + lease.node());
          for (Agent other : agents.values()) {
            if (other != Agent.this && other.alive && other.holds(lease.node())) {
              throw new Broken(name + " and " + other.name + " serve " + lease.node());
            }
          }
        }
      }

      private void send(Supplier<ObjectNode> what, Consumer<ObjectNode> answered) {
        if (lease.serving()) {
          wake(lease.untilHoldEnds());
        }
        request(
            lease.requestTimeout(),
            what,
            found -> {
              if (!leaving) {
                answered.accept(found);
                drive();
              }
            },
            failure -> {
              if (!leaving) {
                failed(failure);
                drive();
              }
            });
      }

      private void failed(KubeException failure) {
        if (failure.kind() == Kind.NOT_FOUND && lease.state() instanceof LeaseState.Unread) {
          lease.absent();
        } else {
          lease.failed(failure);
        }
      }
    }
  }

  private static ObjectNode json(Buffer body) {
    try {
      return (ObjectNode) JSON.readTree(body.getBytes());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Buffer buffer(ObjectNode object) {
    return Buffer.buffer(object.toString());
  }
}
