package dev.vertlet.kube.watch;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.Thing;
import dev.vertlet.kube.ThingDecoder;
import dev.vertlet.kube.watch.ReflectorCore.Step;
import dev.vertlet.kube.watch.ReflectorState.Listing;
import dev.vertlet.kube.watch.ReflectorState.Streaming;
import dev.vertlet.kube.watch.ReflectorState.Watching;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.WatchEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Drives a {@link ReflectorCore} against a {@link ModelServer}; everything hangs on one seed. */
final class ReflectorSimulation {
  private static final int PAGE = 4;
  private static final KubePath PATH = KubePath.pods();

  private final Random random;
  private final ModelServer server;
  private final World world = new World();
  private final ReflectorCore<Thing> core;
  private final boolean serverStreams;
  private final Deque<WatchEvent<Thing>> initial = new ArrayDeque<>();
  private List<Thing> snapshot = List.of();
  private long snapshotAt;
  private Instant now = Instant.EPOCH;
  private Instant opened = now;
  private @Nullable WatchEvent<Thing> last;
  private long cursor;
  private Step pending;
  private Instant due = now;
  private boolean waiting = true;
  private boolean faults = true;

  ReflectorSimulation(long seed) {
    this.random = new Random(seed);
    this.server = new ModelServer(random);
    this.serverStreams = random.nextInt(4) > 0;
    ListWatch<Thing> what =
        new ListWatch<>(
            "things",
            PATH,
            "",
            "",
            new ThingDecoder(),
            random.nextBoolean() ? PAGE : 0,
            1000,
            Duration.ofMinutes(5));
    this.core = new ReflectorCore<>(what, world, Reflector.DEFAULT_BACKOFF, random, true);
    this.pending = core.start();
  }

  World world() {
    return world;
  }

  ModelServer server() {
    return server;
  }

  ReflectorCore<Thing> core() {
    return core;
  }

  /** Changes and faults. */
  void storm(int steps) {
    for (int i = 0; i < steps; i++) {
      if (random.nextInt(3) == 0) {
        server.mutate();
      }
      if (random.nextInt(150) == 0) {
        server.compact();
      }
      step();
    }
  }

  /** No changes and no faults any more: long enough for the longest back-off and a whole list. */
  void calm() {
    faults = false;
    for (int i = 0; i < 3000; i++) {
      step();
    }
  }

  private void step() {
    now = now.plusMillis(random.nextInt(200));
    if (waiting) {
      if (!now.isBefore(due)) {
        waiting = false;
        enter();
      }
    } else if (faults && random.nextInt(25) == 0) {
      perform(core.failed(anyFailure(), now));
    } else if (core.state() instanceof Listing listing) {
      list(listing);
    } else {
      stream();
    }
  }

  private void perform(Step step) {
    pending = step;
    due = now.plus(step.after());
    waiting = true;
  }

  private void enter() {
    core.entered(pending.next());
    opened = now;
    last = null;
    if (pending.next() instanceof Streaming) {
      initial.clear();
      server.snapshot().forEach(thing -> initial.add(new WatchEvent.Upsert<>(thing)));
      cursor = server.revision();
      initial.add(new WatchEvent.Bookmark<>(cursor, true));
    } else if (pending.next() instanceof Watching watching) {
      initial.clear();
      cursor = watching.resourceVersion();
    }
  }

  private void list(Listing listing) {
    String token = listing.continueToken();
    if (token == null) {
      snapshot = server.snapshot();
      snapshotAt = server.revision();
    }
    int from = token == null ? 0 : Integer.parseInt(token);
    int size = listing.paged() ? PAGE : Integer.MAX_VALUE / 2;
    ListPage<Thing> page = server.page(snapshot, snapshotAt, from, size);
    perform(core.listed(page));
  }

  private void stream() {
    if (core.state() instanceof Streaming && !serverStreams) {
      perform(core.failed(failure(Kind.INVALID, 422), now));
    } else if (!initial.isEmpty()) {
      receive(initial.remove());
    } else if (server.hasExpired(cursor)) {
      perform(core.failed(failure(Kind.EXPIRED, 410), now));
    } else if (faults && last != null && random.nextInt(10) == 0) {
      receive(last);
    } else if (faults && random.nextInt(40) == 0) {
      perform(core.ended(Duration.between(opened, now), now));
    } else {
      next();
    }
  }

  private void next() {
    List<ModelServer.Logged> ahead = server.since(cursor);
    if (ahead.isEmpty()) {
      receive(new WatchEvent.Bookmark<>(cursor, false));
    } else {
      cursor = ahead.get(0).revision();
      receive(ahead.get(0).event());
    }
  }

  private void receive(WatchEvent<Thing> event) {
    last = event;
    core.received(event).ifPresent(failure -> perform(core.failed(failure, now)));
  }

  private KubeException anyFailure() {
    return switch (random.nextInt(6)) {
      case 0 -> failure(Kind.EXPIRED, 410);
      case 1 -> failure(Kind.DECODE, 0);
      case 2 -> failure(Kind.SERVER_ERROR, 500);
      case 3 -> failure(Kind.THROTTLED, 429);
      case 4 -> failure(Kind.TIMEOUT, 0);
      default -> failure(Kind.TRANSPORT, 0);
    };
  }

  private static KubeException failure(Kind kind, int status) {
    return new KubeException(kind, status, "simulated", null, null);
  }
}
