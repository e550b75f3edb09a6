package dev.vertlet.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.testsupport.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ConnectionTrackerTest {
  private static final int SEEDS = Seeds.count(200, 10_000);
  private static final int BYTES = 1_000;

  private final List<String> refused = new ArrayList<>();
  private long now;
  private ConnectionTracker tracker = tracker(8);

  private ConnectionTracker tracker(int connections) {
    return new ConnectionTracker(
        new ConnectionLimits(
            connections,
            BYTES,
            100,
            100,
            100,
            Duration.ofSeconds(10),
            Duration.ofSeconds(90),
            Duration.ofSeconds(30)),
        (reason, client) -> refused.add(reason.label() + " " + client),
        () -> now);
  }

  /** A connection of a test, which closes itself as a channel does. */
  private final class Peer implements TrackedConnection.Ends {
    final TrackedConnection tracked;
    final List<Integer> aborted = new ArrayList<>();
    boolean closed;
    long unsent;

    Peer(String client) {
      tracked = new TrackedConnection(client, this);
    }

    Peer open(long bytes) {
      tracker.opened(tracked, bytes);
      return this;
    }

    /** Admits one request, and ends it. */
    Peer trust() {
      tracker.headEnded(tracked);
      tracker.requestBegan(tracked, 1, 1);
      tracker.admitted(tracked, 1);
      tracker.requestEnded(tracked, 1);
      return this;
    }

    @Override
    public void close() {
      closed = true;
      tracker.closed(tracked);
    }

    @Override
    public long unsent() {
      return unsent;
    }

    @Override
    public void abort(int id) {
      aborted.add(id);
      tracker.requestEnded(tracked, id);
    }
  }

  private Peer peer(String client) {
    return new Peer(client).open(10);
  }

  private void pass(int seconds) {
    now += Duration.ofSeconds(seconds).toNanos();
    tracker.sweep();
  }

  @Test
  void closesTheOldestConnectionOfTheClientThatHoldsMost() {
    Peer small = peer("small");
    Peer first = peer("big");
    Peer second = peer("big");
    tracker.received(first.tracked, 300);
    tracker.received(second.tracked, 600);

    tracker.received(small.tracked, 100);

    assertThat(first.closed).isTrue();
    assertThat(second.closed).isFalse();
    assertThat(small.closed).isFalse();
    assertThat(tracker.held()).isEqualTo(10 + 610 + 100);
    assertThat(refused).containsExactly("unadmitted_bytes big");
  }

  @Test
  void closesTheConnectionThatGoesTooFar() {
    Peer only = peer("a");

    tracker.received(only.tracked, BYTES);

    assertThat(only.closed).isTrue();
    assertThat(tracker.held()).isZero();
    assertThat(tracker.size()).isZero();
  }

  @Test
  void neverClosesATrustedConnectionToMakeRoom() {
    Peer trusted = peer("a").trust();
    assertThat(tracker.held()).isZero();

    boolean served = tracker.requestBegan(trusted.tracked, 3, BYTES + 1);

    assertThat(served).isFalse();
    assertThat(trusted.closed).isFalse();
    assertThat(tracker.held()).isZero();
    assertThat(refused).containsExactly("unadmitted_bytes a");
  }

  @Test
  void countsWhatATrustedConnectionHoldsUnadmitted() {
    Peer trusted = peer("a");
    tracker.requestBegan(trusted.tracked, 1, 100);
    tracker.requestBegan(trusted.tracked, 3, 200);
    tracker.bodyReceived(trusted.tracked, 1, 50);
    tracker.bodyReceived(trusted.tracked, 3, 50);
    assertThat(tracker.held()).isEqualTo(10 + 400);

    tracker.admitted(trusted.tracked, 1);
    tracker.bodyReceived(trusted.tracked, 1, 500);
    assertThat(tracker.held()).isEqualTo(250);

    tracker.requestEnded(trusted.tracked, 3);
    tracker.requestEnded(trusted.tracked, 1);
    assertThat(tracker.held()).isZero();
  }

  @Test
  void anHttp1RequestTakesItsHeadWithIt() {
    Peer peer = peer("a");
    tracker.received(peer.tracked, 100);
    tracker.headEnded(peer.tracked);
    tracker.requestBegan(peer.tracked, ConnectionTracker.HTTP1, 20);
    assertThat(tracker.held()).isEqualTo(130);

    tracker.admitted(peer.tracked, ConnectionTracker.HTTP1);

    assertThat(tracker.held()).isZero();
  }

  @Test
  void makesRoomForANewConnectionOnlyAmongThoseThatAreNotTrusted() {
    tracker = tracker(4);
    Peer stranger = peer("a");
    for (String client : List.of("b", "c", "d")) {
      peer(client).trust();
    }

    Peer fifth = peer("e");
    assertThat(stranger.closed).isTrue();
    assertThat(fifth.closed).isFalse();

    fifth.trust();
    Peer sixth = peer("f");
    assertThat(sixth.closed).isTrue();
    assertThat(tracker.size()).isEqualTo(4);
    assertThat(refused).containsExactly("max_connections a", "max_connections f");
  }

  @Test
  void aClientHasHalfOfTheConnectionsUntilItIsTrusted() {
    tracker = tracker(4);
    Peer first = peer("a");
    peer("a");
    peer("a");
    assertThat(first.closed).isTrue();
    assertThat(tracker.size()).isEqualTo(2);

    tracker = tracker(4);
    for (int i = 0; i < 4; i++) {
      assertThat(peer("a").trust().closed).isFalse();
    }
  }

  @Test
  void aHeadComesInTime() {
    Peer silent = peer("silent");
    Peer slow = peer("slow");
    Peer late = peer("late");
    pass(9);
    tracker.received(slow.tracked, 1);
    late.trust();
    pass(1);
    assertThat(silent.closed).isTrue();
    assertThat(slow.closed).isTrue();
    assertThat(late.closed).isFalse();

    pass(60);
    tracker.received(late.tracked, 1);
    pass(9);
    assertThat(late.closed).isFalse();
    pass(1);
    assertThat(late.closed).isTrue();
    assertThat(refused)
        .containsExactly("head_timeout silent", "head_timeout slow", "head_timeout late");
  }

  @Test
  void anIdleConnectionEndsWithoutAWord() {
    Peer idle = peer("a").trust();
    pass(89);
    assertThat(idle.closed).isFalse();
    pass(1);
    assertThat(idle.closed).isTrue();
    assertThat(refused).isEmpty();
  }

  @Test
  void anAdmittedRequestHasNoDeadlineAndAnUnadmittedOneHas() {
    Peer peer = peer("a");
    tracker.headEnded(peer.tracked);
    tracker.requestBegan(peer.tracked, 1, 1);
    tracker.admitted(peer.tracked, 1);
    tracker.requestBegan(peer.tracked, 3, 1);
    pass(30);
    assertThat(peer.aborted).containsExactly(3);
    pass(3_600);
    assertThat(peer.closed).isFalse();
    assertThat(refused).containsExactly("admission_timeout a");
  }

  @Test
  void aRefusedRequestOverHttp1CountsOnUntilItsBodyIsComplete() {
    Peer peer = new Peer("a");
    tracker.opened(peer.tracked, 10);
    tracker.received(peer.tracked, 100);
    peer.tracked.readingBody = true;
    tracker.headEnded(peer.tracked);
    tracker.requestBegan(peer.tracked, ConnectionTracker.HTTP1, 20);

    assertThat(tracker.requestEnded(peer.tracked, ConnectionTracker.HTTP1)).isFalse();
    assertThat(tracker.isSettled(peer.tracked)).isFalse();
    assertThat(tracker.held()).isEqualTo(10 + 100);

    tracker.bodyEnded(peer.tracked);
    assertThat(tracker.isSettled(peer.tracked)).isTrue();
    assertThat(tracker.held()).isEqualTo(10);
    tracker.requestBegan(peer.tracked, ConnectionTracker.HTTP1, 20);
    assertThat(tracker.requestEnded(peer.tracked, ConnectionTracker.HTTP1)).isTrue();
    assertThat(tracker.held()).isEqualTo(10);
  }

  /** Each is answered before its body, be it empty, has ended. */
  @Test
  void manyRefusedRequestsOneAfterTheOtherLeaveNothingBehind() {
    Peer peer = peer("a");
    for (int i = 0; i < 100; i++) {
      tracker.received(peer.tracked, 100);
      tracker.headEnded(peer.tracked);
      peer.tracked.readingBody = true;
      tracker.requestBegan(peer.tracked, ConnectionTracker.HTTP1, 20);
      tracker.requestEnded(peer.tracked, ConnectionTracker.HTTP1);
      tracker.bodyEnded(peer.tracked);
      assertThat(tracker.held()).isEqualTo(10);
    }
    assertThat(tracker.isSettled(peer.tracked)).isTrue();
  }

  @Test
  void theRestOfABodyIsNoHead() {
    Peer peer = peer("a").trust();
    peer.tracked.readingBody = true;
    tracker.received(peer.tracked, 100);
    pass(60);
    assertThat(peer.closed).isFalse();

    tracker.bodyEnded(peer.tracked);
    tracker.received(peer.tracked, 1);
    pass(10);
    assertThat(peer.closed).isTrue();
    assertThat(refused).containsExactly("head_timeout a");
  }

  @Test
  void aClientThatIsNotAdmittedReadsWhatItIsTold() {
    Peer peer = peer("a");
    peer.unsent = 300 << 10;
    Peer trusted = peer("b").trust();
    trusted.unsent = 300 << 10;
    pass(1);
    assertThat(peer.closed).isTrue();
    assertThat(trusted.closed).isFalse();
  }

  @Test
  void aLargeAnswerCountsUntilItsRequestHasEnded() {
    Peer peer = peer("a");
    tracker.requestBegan(peer.tracked, 1, 20);
    assertThat(tracker.answering(peer.tracked, 1, 500)).isTrue();
    assertThat(tracker.held()).isEqualTo(10 + 520);
    assertThat(tracker.answering(peer.tracked, 1, 500)).isFalse();
    assertThat(peer.closed).isTrue();
    assertThat(tracker.held()).isZero();
  }

  @Test
  void anEndThatNothingHasBegunIsNone() {
    Peer peer = peer("a");
    tracker.requestEnded(peer.tracked, 7);
    tracker.admitted(peer.tracked, 7);
    assertThat(tracker.held()).isEqualTo(10);
    assertThat(peer.tracked.trusted).isFalse();
  }

  @Test
  void countsToTheByteWhateverHappens() {
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = Seeds.random(seed);
      tracker = tracker(6);
      List<Peer> peers = new ArrayList<>();
      for (int step = 0; step < 200; step++) {
        step(random, peers);
        assertThat(tracker.held()).as("seed %d", seed).isBetween(0L, (long) BYTES);
        assertThat(tracker.size()).as("seed %d", seed).isLessThanOrEqualTo(6);
      }
      peers.forEach(peer -> tracker.closed(peer.tracked));
      assertThat(tracker.held()).as("seed %d", seed).isZero();
      assertThat(tracker.size()).isZero();
    }
  }

  private void step(Random random, List<Peer> peers) {
    if (peers.isEmpty() || random.nextInt(6) == 0) {
      peers.add(peer("client-" + random.nextInt(3)));
      return;
    }
    TrackedConnection one = peers.get(random.nextInt(peers.size())).tracked;
    int id = random.nextInt(4);
    switch (random.nextInt(12)) {
      case 0 -> tracker.received(one, random.nextInt(300));
      case 1 -> tracker.released(one);
      case 2 -> tracker.headEnded(one);
      case 3 -> {
        if (one.open && !one.underWay.contains(id)) {
          tracker.requestBegan(one, id, random.nextInt(300));
        }
      }
      case 4 -> tracker.admitted(one, id);
      case 5 -> tracker.requestEnded(one, id);
      case 6 -> tracker.bodyReceived(one, id, random.nextInt(300));
      case 7 -> pass(random.nextInt(40));
      case 8 -> one.readingBody = random.nextBoolean();
      case 9 -> tracker.bodyEnded(one);
      case 10 -> tracker.answering(one, id, random.nextInt(300));
      default -> tracker.closed(one);
    }
  }
}
