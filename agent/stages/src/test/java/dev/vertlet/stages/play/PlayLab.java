package dev.vertlet.stages.play;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.stages.spec.ResourceRef;
import dev.vertlet.stages.spec.Stage;
import dev.vertlet.stages.spec.StageFiles;
import dev.vertlet.stages.template.function.Functions;
import dev.vertlet.testsupport.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;

/** A player, an API server that is a map, and virtual time. */
final class PlayLab {
  static final ResourceRef KIND = new ResourceRef("example.com/v1", "Job");
  private static final ObjectMapper JSON = new ObjectMapper();

  final ManualClock clock;
  final Book journal;
  final Player player;
  final List<String> log = new ArrayList<>();

  /** Answers the next writes instead of the map. */
  final Deque<Function<StageObject, Answer>> answers = new ArrayDeque<>();

  private final Map<String, ObjectNode> objects = new HashMap<>();
  private final Deque<Runnable> turns = new ArrayDeque<>();
  private long version = 100;

  /** Delays that outlive a player. */
  static final class Book implements DelayJournal {
    final Map<String, Begun> begun = new HashMap<>();

    @Override
    public Optional<Begun> take(String uid) {
      return Optional.ofNullable(begun.get(uid));
    }

    @Override
    public void began(String uid, Begun at) {
      begun.put(uid, at);
    }

    @Override
    public void ended(String uid) {
      begun.remove(uid);
    }
  }

  PlayLab(String... stages) {
    this(1, new ManualClock(), new Book(), stages);
  }

  PlayLab(long seed, ManualClock clock, Book journal, String... stages) {
    this.clock = clock;
    this.journal = journal;
    this.player =
        new Player(
            new Player.Settings("Job", seed, 1000),
            lifeCycle(clock, stages),
            clock,
            journal,
            this::send);
    player.synced();
  }

  static LifeCycle lifeCycle(ManualClock clock, String... stages) {
    List<Stage> read =
        Arrays.stream(stages).map(s -> StageFiles.object("s", s.getBytes(UTF_8))).toList();
    return new StageCompiler(clock, new SplittableRandom(1), Functions.builtin())
        .compile(read)
        .getOrDefault(KIND, LifeCycle.EMPTY);
  }

  /** A stage from one phase to another; {@code more} is YAML flow content of its spec. */
  static String stage(String name, String from, String to, String more) {
    return """
        {apiVersion: kwok.x-k8s.io/v1alpha1, kind: Stage, metadata: {name: %s}, spec: {
          resourceRef: {apiGroup: example.com/v1, kind: Job},
          selector: {matchExpressions: [{key: .status.phase, operator: %s}]},
          next: {statusTemplate: 'phase: %s'}%s}}
        """
        .formatted(
            name,
            from.isEmpty() ? "DoesNotExist" : "In, values: [" + from + "]",
            to,
            more.isEmpty() ? "" : ", " + more);
  }

  /** Writes an object as another client does, and delivers it. */
  void put(String name, String status) {
    put(name, "{}", status);
  }

  void put(String name, String annotations, String status) {
    ObjectNode object = JSON.createObjectNode();
    object.put("apiVersion", "example.com/v1").put("kind", "Job");
    object.putObject("metadata").put("name", name).put("uid", "uid-" + name);
    try {
      ((ObjectNode) object.path("metadata")).set("annotations", JSON.readTree(annotations));
      object.set("status", JSON.readTree(status));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
    deliver(stored(object));
  }

  private StageObject stored(ObjectNode object) {
    ((ObjectNode) object.path("metadata")).put("resourceVersion", "" + ++version);
    objects.put(object.at("/metadata/uid").asText(), object);
    return StageObject.of(object.deepCopy());
  }

  void deliver(StageObject object) {
    player.upserted(object);
    run();
  }

  String phase(String name) {
    return Objects.requireNonNull(objects.get("uid-" + name), name).at("/status/phase").asText();
  }

  private void send(StageObject object, Write write, boolean whole) {
    Function<StageObject, Answer> scripted = answers.poll();
    turns.add(
        () -> {
          Answer answer = scripted != null ? scripted.apply(object) : apply(object, write, whole);
          player.answered(object, answer);
        });
  }

  private Answer apply(StageObject object, Write write, boolean whole) {
    ObjectNode now = objects.get(object.uid());
    if (write instanceof Write.Event event) {
      log.add(object.name() + " event " + event.reason());
      return new Answer.Written(0, null);
    }
    if (now == null || now.at("/metadata/resourceVersion").asLong() != object.resourceVersion()) {
      return new Answer.Stale();
    }
    if (write instanceof Write.Delete) {
      log.add(object.name() + " deleted");
      objects.remove(object.uid());
      player.deleted(object.uid());
      return new Answer.Written(0, null);
    }
    Write.Patch patch = (Write.Patch) write;
    log.add(object.name() + " " + patch.body());
    ObjectNode next = now.deepCopy();
    next.withObject("/status").setAll((ObjectNode) patch.body().path("status"));
    StageObject written = stored(next);
    turns.add(() -> player.upserted(written));
    return new Answer.Written(written.resourceVersion(), whole ? written : null);
  }

  /** Takes all that is due now. */
  void run() {
    player.run();
    while (!turns.isEmpty()) {
      turns.poll().run();
      player.run();
    }
  }

  /** Lets time pass, with a run at each moment at which something is due. */
  void pass(Duration time) {
    Instant end = clock.instant().plus(time);
    run();
    for (Instant due = player.nextDue(); due != null && !due.isAfter(end); due = player.nextDue()) {
      clock.advance(Duration.between(clock.instant(), due));
      run();
    }
    clock.advance(Duration.between(clock.instant(), end));
    run();
  }
}
