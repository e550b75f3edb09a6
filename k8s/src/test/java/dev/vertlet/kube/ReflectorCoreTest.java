package dev.vertlet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.kube.ReflectorCore.Step;
import dev.vertlet.kube.ReflectorState.Listing;
import dev.vertlet.kube.ReflectorState.Streaming;
import dev.vertlet.kube.ReflectorState.Watching;
import dev.vertlet.model.ListPage;
import dev.vertlet.model.WatchEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

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

  @Test
  void streamsTheInitialListWhereOffered() {
    enter(core.start());

    receive(upsert("a", "u1", 5));
    receive(new WatchEvent.Bookmark<>(9, true));
    assertThat(world.history()).containsExactly("+a", "synced");
    assertThat(core.state()).isEqualTo(new Watching(9));
  }

  @Test
  void fallsBackToPagesAtOnceAndRemembersIt() {
    enter(core.start());

    Step step = core.failed(failure(Kind.INVALID, 422), NOW);
    assertThat(step).isEqualTo(new Step(new Listing(null, true), Duration.ZERO));
    enter(step);
    enter(core.listed(new ListPage<>(List.of(), 7, null)));
    assertThat(core.failed(failure(Kind.EXPIRED, 410), NOW).next())
        .isEqualTo(new Listing(null, true));
  }

  @Test
  void readsTheWholeListUnpagedWhenATokenExpires() {
    listing();
    enter(core.listed(new ListPage<>(List.of(new Thing("ns", "a", "u1", 5)), 7, "more")));

    Step step = core.failed(failure(Kind.EXPIRED, 410), NOW);
    assertThat(step.next()).isEqualTo(new Listing(null, false));
  }

  @Test
  void resumesFromTheLastVersionAfterTheServerEndsTheWatch() {
    watchingFrom(9);
    receive(upsert("a", "u1", 12));

    Step step = core.ended(Duration.ofMinutes(7), NOW);
    assertThat(step).isEqualTo(new Step(new Watching(12), Duration.ZERO));
  }

  @Test
  void bookmarksMoveTheVersionOn() {
    watchingFrom(9);

    receive(new WatchEvent.Bookmark<>(40, false));
    assertThat(core.state()).isEqualTo(new Watching(40));
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
  void findsLostDeletionsAndKeepsTheRestUnderARelist() {
    watchingFrom(9, new Thing("ns", "a", "u1", 5), new Thing("ns", "b", "u2", 6));
    world.history().clear();

    enter(core.failed(failure(Kind.EXPIRED, 410), NOW));
    receive(upsert("a", "u1", 5));
    receive(new WatchEvent.Bookmark<>(90, true));
    assertThat(world.history()).containsExactly("-b");
  }

  @Test
  void deletesTheOldHolderOfANameBeforeTheNewOneComes() {
    watchingFrom(9, new Thing("ns", "a", "u1", 5));
    world.history().clear();

    enter(core.failed(failure(Kind.EXPIRED, 410), NOW));
    receive(upsert("a", "u2", 50));
    receive(new WatchEvent.Bookmark<>(90, true));
    assertThat(world.history()).containsExactly("-a", "+a");
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
  void relistsAtOnceAfterTheFirstExpiryAndBacksOffAfterTheNext() {
    watchingFrom(9);

    Step first = core.failed(failure(Kind.EXPIRED, 410), NOW);
    enter(first);
    receive(new WatchEvent.Bookmark<>(90, true));
    Step second = core.failed(failure(Kind.EXPIRED, 410), NOW);
    assertThat(first.after()).isZero();
    assertThat(second.next()).isEqualTo(new Streaming());
    assertThat(second.after()).isPositive();
  }

  @Test
  void readsOnePagedListAfterAnUndecodableEvent() {
    watchingFrom(9);

    Step step = core.failed(failure(Kind.DECODE, 0), NOW);
    assertThat(step.next()).isEqualTo(new Listing(null, true));
    enter(step);
    enter(core.listed(new ListPage<>(List.of(), 70, null)));
    assertThat(core.failed(failure(Kind.EXPIRED, 410), NOW).next()).isEqualTo(new Streaming());
  }

  @Test
  void relistsWhenAVersionIsRefusedAgainAndAgain() {
    watchingFrom(9);
    Step step = new Step(core.state(), Duration.ZERO);

    for (int i = 0; i < 5; i++) {
      assertThat(step.next()).isEqualTo(new Watching(9));
      step = core.failed(failure(Kind.SERVER_ERROR, 504), NOW);
      enter(step);
    }
    assertThat(step.next()).isEqualTo(new Streaming());
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
  void waitsLongestForWhatOnlyAPersonCanRepair() {
    watchingFrom(9);

    Step step = core.failed(failure(Kind.FORBIDDEN, 403), NOW);
    assertThat(step.after()).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(60));
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

  private void listing() {
    enter(core.start());
    enter(core.failed(failure(Kind.INVALID, 422), NOW));
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
