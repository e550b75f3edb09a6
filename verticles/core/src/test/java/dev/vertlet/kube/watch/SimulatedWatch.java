package dev.vertlet.kube.watch;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.ListWatch;
import dev.vertlet.kube.watch.ReflectorCore.Step;
import dev.vertlet.kube.watch.ReflectorState.Listing;
import dev.vertlet.kube.watch.ReflectorState.Watching;
import dev.vertlet.loop.CoreLoop;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.model.wire.PodDecoder;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What a {@link Reflector} does around its {@link ReflectorCore}, on a simulated server. */
public final class SimulatedWatch {
  private static final int PAGE = 2;

  /** What the server shows to those who follow its pods. */
  public interface Server {
    long revision();

    List<PodView> pods();

    /** The first change after a revision, null for none. */
    @Nullable Change after(long revision);

    /** What lies between this revision and now is forgotten. */
    boolean expired(long revision);

    /** Whether the next answer is a failure, and of what kind. */
    @Nullable Kind trouble();
  }

  /** One line of the server's history. */
  public record Change(long revision, WatchEvent<PodView> event) {}

  private final Server server;
  private final CoreLoop loop;
  private final Clock clock;
  private final SplittableRandom random;
  private final boolean serverStreams;
  private final ReflectorCore<PodView> core;
  private final List<Runnable> wantList = new ArrayList<>();
  private final List<Runnable> awaitList = new ArrayList<>();
  private List<PodView> snapshot = List.of();
  private long snapshotAt;
  private long cursor;
  private Instant opened = Instant.MIN;
  private int turn;
  private boolean open;
  private boolean pumping;

  /** Events of a list are being handed over. */
  private boolean listing;

  public SimulatedWatch(
      Server server,
      ReflectorListener<PodView> listener,
      CoreLoop loop,
      Clock clock,
      SplittableRandom random) {
    this.server = server;
    this.loop = loop;
    this.clock = clock;
    this.random = random;
    this.serverStreams = random.nextBoolean();
    ListWatch<PodView> what =
        new ListWatch<>(
            "pods",
            KubePath.pods(),
            "",
            "",
            new PodDecoder(),
            random.nextBoolean() ? PAGE : 0,
            1 << 20,
            Duration.ofMinutes(5));
    this.core = new ReflectorCore<>(what, listener, Reflector.DEFAULT_BACKOFF, random, true);
  }

  public void start() {
    perform(core.start());
  }

  public void stop() {
    turn++;
    open = false;
    core.stop();
  }

  /** How many pods the watch knows. */
  public int size() {
    return core.size();
  }

  /** Whether what the listener hears comes of a list and not of an event. */
  public boolean listing() {
    return listing;
  }

  /** Lists anew; {@code then} runs when a list that begins after this call is complete. */
  public void relist(Runnable then) {
    wantList.add(then);
    relistIfWanted();
  }

  /** Something changed on the server. */
  public void wake() {
    if (open && !pumping) {
      pumping = true;
      int mine = turn;
      loop.setTimer(
          1 + random.nextInt(200),
          () -> {
            pumping = false;
            if (turn == mine) {
              pump();
            }
          });
    }
  }

  /** The connection breaks. */
  public void cut() {
    if (open) {
      turn++;
      open = false;
      pumping = false;
      Duration lasted = Duration.between(opened, clock.instant());
      perform(
          random.nextBoolean()
              ? core.ended(lasted, clock.instant())
              : core.failed(failure(Kind.TRANSPORT), clock.instant()));
    }
  }

  private void relistIfWanted() {
    if (!wantList.isEmpty() && open && core.state() instanceof Watching) {
      turn++;
      open = false;
      pumping = false;
      enter(core.relist());
    }
  }

  private void perform(Step step) {
    int mine = ++turn;
    loop.setTimer(
        Math.max(1, step.after().toMillis()),
        () -> {
          if (turn == mine) {
            enter(step.next());
          }
        });
  }

  private void enter(ReflectorState step) {
    ReflectorState next = step instanceof Watching && !wantList.isEmpty() ? core.relist() : step;
    core.entered(next);
    if (next.beginsList()) {
      awaitList.addAll(wantList);
      wantList.clear();
    }
    int mine = ++turn;
    loop.setTimer(
        1 + random.nextInt(50),
        () -> {
          if (turn == mine) {
            answered(next);
          }
        });
  }

  private void answered(ReflectorState next) {
    Kind trouble = server.trouble();
    if (trouble != null) {
      perform(core.failed(failure(trouble), clock.instant()));
    } else if (next instanceof Listing listing) {
      list(listing);
    } else if (next instanceof Watching watching) {
      opened = clock.instant();
      cursor = watching.resourceVersion();
      open = true;
      wake();
      relistIfWanted();
    } else if (serverStreams) {
      stream();
    } else {
      perform(core.failed(failure(Kind.INVALID), clock.instant()));
    }
  }

  private void list(Listing at) {
    String token = at.continueToken();
    if (token == null) {
      snapshot = server.pods();
      snapshotAt = server.revision();
    } else if (server.expired(snapshotAt)) {
      perform(core.failed(failure(Kind.EXPIRED), clock.instant()));
      return;
    }
    int from = token == null ? 0 : Integer.parseInt(token);
    int to = at.paged() ? Math.min(snapshot.size(), from + PAGE) : snapshot.size();
    String more = to < snapshot.size() ? Integer.toString(to) : null;
    listing = true;
    Step step = core.listed(new ListPage<>(snapshot.subList(from, to), snapshotAt, more));
    listing = false;
    if (more == null) {
      listComplete();
    }
    perform(step);
  }

  private void stream() {
    listing = true;
    server.pods().forEach(pod -> received(new WatchEvent.Upsert<>(pod)));
    received(new WatchEvent.Bookmark<>(server.revision(), true));
    listing = false;
    cursor = server.revision();
    opened = clock.instant();
    open = true;
    listComplete();
    relistIfWanted();
  }

  private void listComplete() {
    List<Runnable> answered = List.copyOf(awaitList);
    awaitList.clear();
    answered.forEach(Runnable::run);
  }

  private void pump() {
    if (server.expired(cursor)) {
      turn++;
      open = false;
      perform(core.failed(failure(Kind.EXPIRED), clock.instant()));
      return;
    }
    int many = 1 + random.nextInt(4);
    for (Change next = server.after(cursor); next != null; next = server.after(cursor)) {
      if (many-- == 0) {
        wake();
        return;
      }
      cursor = next.revision();
      received(next.event());
    }
    if (random.nextInt(8) == 0) {
      received(new WatchEvent.Bookmark<>(cursor, false));
    }
  }

  private void received(WatchEvent<PodView> event) {
    if (core.received(event).isPresent()) {
      throw new IllegalStateException("the simulated server sends no failures as events");
    }
  }

  private static KubeException failure(Kind kind) {
    int status =
        switch (kind) {
          case EXPIRED -> 410;
          case INVALID -> 422;
          case THROTTLED -> 429;
          case SERVER_ERROR -> 500;
          default -> 0;
        };
    return new KubeException(kind, status, "simulated", null, null);
  }
}
