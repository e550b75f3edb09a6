package dev.vertlet.sandbox.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.loop.FakeLoop;
import dev.vertlet.sandbox.Pods;
import dev.vertlet.sandbox.SandboxException;
import dev.vertlet.sandbox.SandboxException.Reason;
import dev.vertlet.sandbox.pool.claim.ClaimRequest;
import dev.vertlet.sandbox.pool.claim.PendingClaim;
import dev.vertlet.sandbox.pool.claim.Sandbox;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Future;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClaimsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final FakeLoop loop = new FakeLoop();
  private int arrived;
  private final Claims claims =
      new Claims(loop, loop, new PoolMeters(new SimpleMeterRegistry(), "pool"), () -> arrived++);
  private final Sandbox sandbox =
      Sandbox.of("pool", Pods.pod("p", "starting", "tool:1", '1', "c1"), Pods.NAMES);

  private Future<Sandbox> add(String id) {
    return enter(id).sandbox();
  }

  private PendingClaim enter(String id) {
    return claims.add(ClaimRequest.of(id, "tool:1"), PATIENCE);
  }

  private static void assertRefused(Future<Sandbox> claim) {
    assertThat(SandboxException.is(claim.cause(), Reason.NO_IDLE_PODS)).isTrue();
  }

  @Test
  void thoseWhoWaitLongestComeFirst() {
    Future<Sandbox> first = add("a");
    add("b");
    assertThat(arrived).isEqualTo(2);
    assertThat(claims.waiting()).isEqualTo(2);
    Claim next = claims.next().orElseThrow();
    assertThat(next.request.id()).isEqualTo("a");

    claims.again(next);
    loop.settle();

    assertThat(arrived).isEqualTo(3);
    assertThat(claims.next().orElseThrow()).isSameAs(next);
    claims.succeeded(next, sandbox);
    assertThat(first.result()).isEqualTo(sandbox);
    assertThat(claims.knows("a")).isFalse();
    assertThat(claims.knows("b")).isTrue();
  }

  @Test
  void handsEachClaimOutOnce() {
    add("a");
    add("b");

    assertThat(claims.next().orElseThrow().request.id()).isEqualTo("a");
    assertThat(claims.next().orElseThrow().request.id()).isEqualTo("b");
    assertThat(claims.next()).isEmpty();
    assertThat(claims.waiting()).isZero();
  }

  @Test
  void theSameIdIsTheSameClaim() {
    Future<Sandbox> first = add("a");
    Future<Sandbox> second = add("a");
    assertThat(claims.waiting()).isEqualTo(1);

    claims.succeeded(claims.next().orElseThrow(), sandbox);

    assertThat(first.result()).isEqualTo(sandbox);
    assertThat(second.result()).isEqualTo(sandbox);
    assertThat(loop.timers()).isZero();
  }

  @Test
  void aRequestThatLeavesEndsNoOtherOfItsId() {
    PendingClaim first = enter("a");
    PendingClaim second = enter("a");

    first.leave().run();

    assertRefused(first.sandbox());
    assertThat(claims.waiting()).isEqualTo(1);
    first.leave().run();
    Claim claim = claims.next().orElseThrow();
    claim.writing = true;
    claims.succeeded(claim, sandbox);
    assertThat(second.sandbox().result()).isEqualTo(sandbox);
    assertThat(claim.cancelled).isFalse();
  }

  @Test
  void theLastRequestThatLeavesTakesTheClaimBack() {
    PendingClaim first = enter("a");
    PendingClaim second = enter("a");
    first.leave().run();
    second.leave().run();
    assertThat(claims.waiting()).isZero();
    assertThat(claims.knows("a")).isFalse();
    PendingClaim third = enter("b");
    Claim claim = claims.next().orElseThrow();
    claim.writing = true;

    third.leave().run();

    assertThat(claim.cancelled).isTrue();
    assertThat(claim.over).isTrue();
    assertThat(claims.knows("b")).as("until its write is answered").isTrue();
    assertThat(loop.timers()).isZero();
  }

  /** Its id may be claimed anew by somebody else. */
  @Test
  void aRequestThatLeavesAfterItsAnswerEndsNothing() {
    PendingClaim first = enter("a");
    claims.succeeded(claims.next().orElseThrow(), sandbox);
    Future<Sandbox> next = add("a");

    first.leave().run();

    assertThat(next.isComplete()).isFalse();
    assertThat(claims.waiting()).isEqualTo(1);
  }

  @Test
  void eachRequestOfAnIdHasItsOwnDeadline() {
    Future<Sandbox> early = add("a");
    loop.advance(PATIENCE.dividedBy(2));
    Future<Sandbox> late = add("a");

    loop.advance(PATIENCE.dividedBy(2));
    assertRefused(early);
    assertThat(late.isComplete()).isFalse();
    Claim claim = claims.next().orElseThrow();
    claim.writing = true;
    Future<Sandbox> third = add("a");
    loop.advance(PATIENCE.dividedBy(2));
    assertThat(late.isComplete()).as("what is being written may be the answer").isFalse();
    claim.writing = false;
    claims.again(claim);

    assertRefused(late);
    assertThat(third.isComplete()).isFalse();
    claims.succeeded(claims.next().orElseThrow(), sandbox);
    assertThat(third.result()).isEqualTo(sandbox);
  }

  @Test
  void whoseTimeIsOverIsToldSo() {
    Future<Sandbox> claim = add("a");

    loop.advance(PATIENCE);

    assertRefused(claim);
    assertThat(claims.next()).isEmpty();
    assertThat(loop.timers()).isZero();
  }

  @Test
  void aWriteThatIsOnItsWayIsWaitedFor() {
    Future<Sandbox> late = add("a");
    Claim claim = claims.next().orElseThrow();
    claim.writing = true;
    loop.advance(PATIENCE.plusSeconds(1));
    assertThat(late.isComplete()).isFalse();
    assertThat(SandboxException.is(add("a").cause(), Reason.QUEUE_FULL))
        .as("it is neither the same nor another one")
        .isTrue();

    claim.writing = false;
    claims.succeeded(claim, sandbox);

    assertThat(late.succeeded()).isTrue();
    Future<Sandbox> missed = add("b");
    Claim second = claims.next().orElseThrow();
    second.writing = true;
    loop.advance(PATIENCE);
    claims.again(second);
    assertRefused(missed);
  }

  @Test
  void whoTakesAClaimBackWaitsForNothing() {
    Future<Sandbox> waits = add("a");
    Future<Sandbox> isWritten = add("b");
    assertThat(claims.cancel("a")).isTrue();
    assertRefused(waits);
    Claim claim = claims.next().orElseThrow();
    claim.writing = true;

    assertThat(claims.cancel("b")).isTrue();

    assertRefused(isWritten);
    assertThat(claim.cancelled).isTrue();
    assertThat(claims.knows("b")).as("until its write is answered").isTrue();
    assertThat(claims.cancel("b")).as("twice").isTrue();
    claims.succeeded(claim, sandbox);
    assertThat(claims.knows("b")).isFalse();
    assertThat(claims.cancel("b")).isFalse();
  }

  @Test
  void aPodThatTurnsUpServesWhoWaitsAndNotWhoIsBeingServed() {
    Future<Sandbox> waits = add("a");
    assertThat(claims.found("a", sandbox)).isTrue();
    assertThat(waits.result()).isEqualTo(sandbox);
    assertThat(claims.found("a", sandbox)).isFalse();
    add("b");
    Claim claim = claims.next().orElseThrow();
    claim.writing = true;

    assertThat(claims.found("b", sandbox)).isFalse();
    claims.failed(claim, new IllegalStateException("x"));
    assertThat(claims.found("c", sandbox)).isFalse();
  }

  @Test
  void theLineHasAnEnd() {
    for (int i = 0; i < Claims.CAPACITY; i++) {
      add("s-" + i);
    }

    assertThat(SandboxException.is(add("one more").cause(), Reason.QUEUE_FULL)).isTrue();
  }

  @Test
  void whoEndsTellsAll() {
    Future<Sandbox> one = add("a");
    Future<Sandbox> two = add("b");

    claims.drain();

    assertRefused(one);
    assertRefused(two);
    assertThat(claims.waiting()).isZero();
  }
}
