package dev.vertlet.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReflectorCoreTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final World world = new World();
  private final ReflectorCore<Thing> core =
      new ReflectorCore<>(
          ListWatch.of("things", KubePath.pods(), new ThingDecoder()),
          world,
          Reflector.DEFAULT_BACKOFF,
          new Random(1),
          true);

  private Step step = new Step(new Streaming(), Duration.ZERO);

  /**
   * Words with a capital are what the next step is, or what is known; the others are what happens.
   * {@code up:NAME,UID,VERSION} is an object of the watch or of a page.
   */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          streams the initial list where offered | start up:a,u1,5 synced:9 Delivered:+a,synced From:9
          falls back to pages at once and remembers it | start fails:422-INVALID Pages:0-0 enter listed:7 fails:410-EXPIRED Pages
          reads the whole list unpaged when a token expires | start fails:422-INVALID enter page:a,u1,5 fails:410-EXPIRED Unpaged
          resumes from the last version after the server ends the watch | start synced:9 up:a,u1,12 ended Watch:0-0 From:12
          bookmarks move the version on | start synced:9 bookmark:40 From:40
          finds lost deletions and keeps the rest under a relist | start up:a,u1,5 up:b,u2,6 synced:9 fails:410-EXPIRED enter up:a,u1,5 synced:90 Delivered:+a,+b,synced,-b
          deletes the old holder of a name before the new one comes | start up:a,u1,5 synced:9 fails:410-EXPIRED enter up:a,u2,50 synced:90 Delivered:+a,synced,-a,+a
          relists at once after the first expiry and backs off after the next | start synced:9 fails:410-EXPIRED Stream:0-0 enter synced:90 fails:410-EXPIRED Stream:1-60000
          reads one paged list after an undecodable event | start synced:9 fails:0-DECODE Pages enter listed:70 fails:410-EXPIRED Stream
          relists when a version is refused again and again | start synced:9 fails:504-SERVER_ERROR Watch enter fails:504-SERVER_ERROR Watch enter fails:504-SERVER_ERROR Watch enter fails:504-SERVER_ERROR Watch enter fails:504-SERVER_ERROR Stream
          retries soon after a refusal of the credentials | start synced:9 fails:401-UNAUTHORIZED Watch:800-1600 enter fails:401-UNAUTHORIZED Watch:1600-3200
          hurries back to a server that works again | start synced:9 fails:500-SERVER_ERROR Watch Hurries fails:500-SERVER_ERROR Watch:800-1600
          a throttled watch waits as the server asked | start synced:9 fails:429-THROTTLED Watch Waits fails:429-THROTTLED Watch:1600-3200
          waits longest for what only a person can repair | start synced:9 fails:403-FORBIDDEN Watch:30000-60000
          """)
  void takesOneStepAfterTheOther(String behaviour, String line) {
    for (String each : line.split(" ")) {
      String[] parts = each.split(":");
      take(parts[0], parts.length == 1 ? "" : parts[1]);
    }
  }

  private void take(String word, String argument) {
    switch (word) {
      case "start" -> enter(core.start());
      case "enter" -> enter(step);
      case "up" -> receive(new WatchEvent.Upsert<>(thing(argument)));
      case "synced" -> receive(new WatchEvent.Bookmark<>(Long.parseLong(argument), true));
      case "bookmark" -> receive(new WatchEvent.Bookmark<>(Long.parseLong(argument), false));
      case "listed" ->
          enter(core.listed(new ListPage<>(List.of(), Long.parseLong(argument), null)));
      case "page" -> enter(core.listed(new ListPage<>(List.of(thing(argument)), 7, "more")));
      case "fails" -> {
        String[] failure = argument.split("-");
        int status = Integer.parseInt(failure[0]);
        step = core.failed(failure(Kind.valueOf(failure[1]), status), NOW);
      }
      case "Hurries" -> assertThat(core.serverReturned()).isTrue();
      case "Waits" -> assertThat(core.serverReturned()).isFalse();
      case "ended" -> step = core.ended(Duration.ofMinutes(7), NOW);
      case "From" -> assertThat(core.state()).isEqualTo(new Watching(Long.parseLong(argument)));
      case "Delivered" -> assertThat(String.join(",", world.history())).isEqualTo(argument);
      case "Pages" -> next(new Listing(null, true), argument);
      case "Unpaged" -> next(new Listing(null, false), argument);
      case "Stream" -> next(new Streaming(), argument);
      case "Watch" -> next(core.state(), argument);
      default -> throw new IllegalArgumentException(word);
    }
  }

  private void next(ReflectorState state, String millis) {
    assertThat(step.next()).isEqualTo(state);
    if (!millis.isEmpty()) {
      String[] limits = millis.split("-");
      assertThat(step.after().toMillis())
          .isBetween(Long.valueOf(limits[0]), Long.valueOf(limits[1]));
    }
  }

  /** Written {@code NAME,UID,VERSION}. */
  private static Thing thing(String text) {
    String[] parts = text.split(",");
    return new Thing("ns", parts[0], parts[1], Long.parseLong(parts[2]));
  }

  @Test
  void backsOffWhileWatchesAreClosedAtOnce() {
    watchingFrom(9);
    enter(core.ended(Duration.ofMinutes(7), NOW));

    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      steps.add(core.ended(Duration.ofMillis(5), NOW));
      enter(steps.get(i));
    }
    assertThat(steps).extracting(Step::next).containsOnly(new Watching(9));
    assertThat(steps.get(0).after()).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
    assertThat(steps.get(4).after()).isBetween(Duration.ofMillis(800), Duration.ofMillis(1600));
    assertThat(steps.get(11).after()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
  }

  @Test
  void watchesOnSoonWhenAServerThatCutsWatchesSendsSomethingInBetween() {
    watchingFrom(9);
    for (int i = 0; i < 20; i++) {
      enter(core.ended(Duration.ofMillis(5), NOW));
      enter(core.ended(Duration.ofMillis(5), NOW));
      receive(upsert("a", "u1", 10 + i));
    }

    Step step = core.ended(Duration.ofMillis(5), NOW);
    assertThat(step).isEqualTo(new Step(new Watching(29), Duration.ZERO));
    enter(step);
    assertThat(core.ended(Duration.ofMillis(5), NOW).after())
        .isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
  }

  @Test
  void aListMayTakeVersionsBack() {
    watchingFrom(900, new Thing("ns", "a", "u1", 500));

    enter(core.failed(failure(Kind.EXPIRED, 410), NOW));
    receive(upsert("a", "u1", 50));
    receive(new WatchEvent.Bookmark<>(60, true));
    receive(upsert("a", "u1", 61));
    assertThat(core.state()).isEqualTo(new Watching(61));
    assertThat(world.things()).containsEntry("a", new Thing("ns", "a", "u1", 61));
  }

  @Test
  void stopsForgettingFailuresOnlyAfterTwoHealthyMinutes() {
    watchingFrom(9);
    enter(core.failed(failure(Kind.SERVER_ERROR, 500), NOW));

    enter(core.failed(failure(Kind.SERVER_ERROR, 500), NOW.plusSeconds(119)));
    int soon = core.attempts();
    enter(core.failed(failure(Kind.SERVER_ERROR, 500), NOW.plusSeconds(119 + 121)));
    assertThat(soon).isEqualTo(2);
    assertThat(core.attempts()).isEqualTo(1);
  }

  @Test
  void anErrorEventEndsTheWatch() {
    watchingFrom(9);

    var end = core.received(new WatchEvent.Failure<>(410, "Expired", "too old", null));
    assertThat(end).map(KubeException::kind).contains(Kind.EXPIRED);
  }

  private void watchingFrom(long version, Thing... known) {
    enter(core.start());
    for (Thing thing : known) {
      receive(new WatchEvent.Upsert<>(thing));
    }
    receive(new WatchEvent.Bookmark<>(version, true));
  }

  private void enter(Step step) {
    core.entered(step.next());
  }

  private void receive(WatchEvent<Thing> event) {
    assertThat(core.received(event)).isEmpty();
  }

  private static WatchEvent<Thing> upsert(String name, String uid, long version) {
    return new WatchEvent.Upsert<>(new Thing("ns", name, uid, version));
  }

  private static KubeException failure(Kind kind, int status) {
    return new KubeException(kind, status, "scripted", null, null);
  }
}
