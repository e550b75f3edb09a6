package dev.vertlet.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.lease.NodeLease.Step;
import dev.vertlet.model.DecodeException;
import dev.vertlet.testing.ManualClock;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeLeaseTest {
  private static final LeaseOptions OPTIONS =
      new LeaseOptions(
          "me", Duration.ofSeconds(40), Duration.ofSeconds(10), Duration.ofMinutes(10));

  private final ManualClock clock = new ManualClock();
  private final NodeLease lease =
      new NodeLease("node", OPTIONS, clock, clock::nanos, new Random(1));

  @Test
  void doesNothingBeforeTheProviderAnsweredAPing() {
    assertThat(lease.next()).isInstanceOf(Step.Idle.class);
  }

  @Test
  void createsALeaseThatIsAbsent() {
    lease.pinged(true, "");
    assertThat(lease.next()).isInstanceOf(Step.Read.class);
    lease.absent();
    JsonObject body = ((Step.Create) lease.next()).lease().body().toJsonObject();
    assertThat(body.getJsonObject("spec").getString("holderIdentity")).isEqualTo("node");
    assertThat(body.getJsonObject("spec").getInteger("leaseDurationSeconds")).isEqualTo(40);
    assertThat(annotation(body)).isEqualTo("me");
  }

  @Test
  void anAnswerThatComesAfterTheHoldIsOverIsNoLease() {
    hold();
    clock.advance(Duration.ofSeconds(10));
    LeaseRecord renewal = ((Step.Update) lease.next()).lease();
    clock.advance(Duration.ofSeconds(60));
    assertThat(lease.expireHold()).isTrue();
    assertThat(lease.loss()).as("it stood still").isEqualTo(LeaseLoss.NOT_RENEWED);

    assertThat(lease.written(renewal)).isFalse();

    assertThat(lease.serving()).isFalse();
    lease.pinged(true, "");
    assertThat(lease.next()).isInstanceOf(Step.Read.class);
  }

  @Test
  void aLeaseThatWasHandedToWhoDoesNotTakeItUpIsFree() {
    hold();
    lease.assign("other");
    lease.leave();
    LeaseRecord given = ((Step.HandOver) lease.next()).lease();
    lease.handedOver();
    lease.assign("me");
    assertThat(lease.next()).isInstanceOf(Step.Read.class);

    lease.read(given);

    assertThat(lease.next()).isInstanceOf(Step.Update.class);
  }

  @Test
  void whatIsAnothersIsLeftAlone() {
    lease.assign("other");
    lease.pinged(true, "");

    assertThat(lease.next()).isInstanceOf(Step.Idle.class);
    assertThat(lease.leave()).isFalse();
  }

  @Test
  void aLeaseIsHandedOverOnlyAfterTheNodeIsServedNoLonger() {
    hold();
    lease.assign("other");

    assertThat(lease.leave()).isTrue();
    assertThat(lease.serving()).isFalse();
    assertThat(lease.lastProblem()).isEqualTo("handed over to agent other");
    JsonObject body = ((Step.HandOver) lease.next()).lease().body().toJsonObject();
    assertThat(annotation(body)).isEqualTo("other");
    assertThat(body.getJsonObject("spec").getString("holderIdentity")).isEqualTo("node");

    lease.handedOver();
    assertThat(lease.next()).isInstanceOf(Step.Idle.class);
    assertThat(lease.release()).isNull();
  }

  @Test
  void aRenewalInFlightIsAwaitedBeforeTheLeaseIsHandedOver() {
    hold();
    clock.advance(Duration.ofSeconds(10));
    LeaseRecord renewal = ((Step.Update) lease.next()).lease();

    lease.assign("other");
    assertThat(lease.leave()).isFalse();
    lease.written(renewal);

    assertThat(lease.leave()).isTrue();
    assertThat(lease.next()).isInstanceOf(Step.HandOver.class);
  }

  @Test
  void aHandoverThatFailsIsTriedAgainAsLongAsTheLeaseIsHeld() {
    hold();
    lease.assign("other");
    lease.leave();
    lease.next();
    lease.failed(new KubeException(Kind.TIMEOUT, 0, "late", null, null));

    clock.advance(((Step.Wait) lease.next()).delay());
    assertThat(lease.next()).isInstanceOf(Step.HandOver.class);
    lease.failed(new KubeException(Kind.TIMEOUT, 0, "late", null, null));
    clock.advance(Duration.ofSeconds(30));
    assertThat(lease.next()).as("it may be another's by now").isInstanceOf(Step.Idle.class);
  }

  @Test
  void whoIsHandedALeaseThatItHadBeforeTakesItAtOnce() {
    hold();
    lease.assign("other");
    lease.leave();
    LeaseRecord given = ((Step.HandOver) lease.next()).lease();
    lease.handedOver();
    // and back
    LeaseRecord back =
        given.handedTo("me", "node", null, Duration.ofSeconds(40), clock.instant().plusMillis(1));
    lease.assign("me");
    assertThat(lease.next()).isInstanceOf(Step.Read.class);

    lease.read(back);

    JsonObject body = ((Step.Update) lease.next()).lease().body().toJsonObject();
    assertThat(body.getJsonObject("metadata").getJsonObject("annotations").fieldNames())
        .doesNotContain(LeaseRecord.HANDOVER_ANNOTATION);
  }

  @Test
  void whoIsToBeHandedALeaseLooksForItEachSecond() {
    lease.assign("me");
    readStored("node", "other", clock.instant().toString());

    assertThat(((Step.Wait) lease.next()).delay()).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void adoptsItsOwnLeaseAtOnceAfterARestart() {
    readStored("node", "me", clock.instant().toString());
    assertThat(lease.next()).isInstanceOf(Step.Update.class);
  }

  @Test
  void takesAReleasedLeaseAtOnce() {
    readStored(null, null, clock.instant().toString());
    assertThat(lease.next()).isInstanceOf(Step.Update.class);
  }

  @Test
  void waitsForTheExpiryOfAnotherAgentsLeaseAndTakesItThen() {
    readStored("node", "other", clock.instant().toString());
    assertThat(((LeaseState.Foreign) lease.state()).holder()).isEqualTo("agent other");
    Step.Wait wait = (Step.Wait) lease.next();
    assertThat(wait.delay()).isBetween(Duration.ofSeconds(40), Duration.ofSeconds(41));
    clock.advance(wait.delay());
    assertThat(lease.next()).isInstanceOf(Step.Read.class);
    lease.read(stored("node", "other", clock.instant().minusSeconds(41).toString()));
    JsonObject body = ((Step.Update) lease.next()).lease().body().toJsonObject();
    assertThat(body.getJsonObject("spec").getInteger("leaseTransitions")).isEqualTo(1);
  }

  @Test
  void aKubeletThatHoldsTheLeaseIsAForeignHolder() {
    readStored("node", null, clock.instant().toString());
    assertThat(((LeaseState.Foreign) lease.state()).holder()).isEqualTo("node");
  }

  /** Kubelets and virtual-kubelets change the renewTime of a lease that they find, and no more. */
  @Test
  void aKubeletThatRenewsTheLeaseThisAgentHadIsAForeignHolder() {
    for (String holder : List.of("node", "")) {
      NodeLease restarted = new NodeLease("node", OPTIONS, clock, clock::nanos, new Random(1));
      JsonObject json = json("node", "me", clock.instant().minusSeconds(100).toString());
      JsonObject spec = json.getJsonObject("spec").put("renewTime", clock.instant().toString());
      if (holder.isEmpty()) {
        spec.remove("holderIdentity");
      }
      restarted.pinged(true, "");
      restarted.next();
      restarted.read(LeaseRecord.decode(json.toBuffer()));
      assertThat(restarted.state()).isInstanceOf(LeaseState.Foreign.class);
    }
  }

  @Test
  void aHoldEndsWhenAnotherHadTheLeaseInBetween() {
    hold();
    clock.advance(Duration.ofSeconds(10));
    lease.next();
    lease.failed(new KubeException(Kind.CONFLICT, 409, "conflict", null, null));
    assertThat(lease.next()).isInstanceOf(Step.Read.class);
    lease.read(stored(null, "other", clock.instant().toString()));
    assertThat(lease.expireHold()).isTrue();
    assertThat(lease.loss()).isEqualTo(LeaseLoss.TAKEN);
    assertThat(lease.lastProblem()).isEqualTo("agent other had the lease");
    write();
    assertThat(lease.serving()).isTrue();
    assertThat(lease.term()).isPositive();
  }

  /** As after a start with the identity of an agent that is alive: the last to start serves. */
  @Test
  void anotherProcessWithTheSameIdentityEndsTheHold() {
    hold();
    clock.advance(Duration.ofSeconds(11));
    lease.next();
    lease.failed(new KubeException(Kind.CONFLICT, 409, "conflict", null, null));
    lease.next();
    lease.read(stored("node", "me", clock.instant().minusSeconds(3).toString()));
    assertThat(lease.expireHold()).isTrue();
    assertThat(lease.serving()).isFalse();
    assertThat(((LeaseState.Foreign) lease.state()).holder())
        .isEqualTo("another agent with the identity me");
    assertThat(lease.term()).isPositive();
  }

  @Test
  void aRenewalWhoseAnswerWasLostIsItsOwn() {
    hold();
    clock.advance(Duration.ofSeconds(11));
    Step.Update lost = (Step.Update) lease.next();
    lease.failed(new KubeException(Kind.TRANSPORT, 0, "connection closed", null, null));
    clock.advance(Duration.ofSeconds(1));
    lease.next();
    lease.failed(new KubeException(Kind.CONFLICT, 409, "conflict", null, null));
    clock.advance(Duration.ofSeconds(1));
    lease.next();
    lease.read(lost.lease());
    assertThat(lease.expireHold()).isFalse();
    assertThat(lease.next()).isInstanceOf(Step.Update.class);
    assertThat(lease.term()).isZero();
  }

  @Test
  void aProviderThatBlocksItsThreadLosesTheLeaseThoughItNeverSaidNo() {
    hold();
    for (int i = 0; i < 70; i++) {
      clock.advance(Duration.ofSeconds(10));
      if (lease.next() instanceof Step.Update update) {
        lease.written(update.lease());
      }
      if (lease.expireHold()) {
        assertThat(lease.lastProblem()).isEqualTo("no ping was answered for 600 s");
        assertThat(lease.loss()).isEqualTo(LeaseLoss.PROVIDER);
        return;
      }
    }
    throw new AssertionError("the lease was renewed without a ping");
  }

  @Test
  void keepsWhatOthersWroteIntoTheLease() {
    lease.pinged(true, "");
    lease.next();
    JsonObject foreign = json("node", "me", clock.instant().toString());
    foreign.getJsonObject("metadata").put("labels", new JsonObject().put("team", "x"));
    lease.read(LeaseRecord.decode(foreign.toBuffer()));
    JsonObject body = ((Step.Update) lease.next()).lease().body().toJsonObject();
    assertThat(body.getJsonObject("metadata").getJsonObject("labels").getString("team"))
        .isEqualTo("x");
  }

  @Test
  void aConflictAfterAnOutageIsLookedIntoAtOnce() {
    hold();
    clock.advance(((Step.Wait) lease.next()).delay());
    for (int i = 0; i < 5; i++) {
      assertThat(lease.next()).isInstanceOf(Step.Update.class);
      lease.failed(new KubeException(Kind.TRANSPORT, 0, "connection closed", null, null));
      clock.advance(((Step.Wait) lease.next()).delay());
    }
    assertThat(lease.next()).isInstanceOf(Step.Update.class);
    lease.failed(new KubeException(Kind.CONFLICT, 409, "conflict", null, null));
    assertThat(lease.next()).isInstanceOf(Step.Read.class);
    lease.failed(new KubeException(Kind.DECODE, 0, "no lease", null, null));
    assertThat(lease.next()).isInstanceOf(Step.Wait.class);
  }

  @Test
  @Tag("NodeRun/WithLease")
  void renewsAtLeastEveryTenSecondsAndNotMuchMoreOften() {
    hold();
    Step.Wait first = (Step.Wait) lease.next();
    assertThat(first.delay()).isBetween(Duration.ofMillis(2_800), Duration.ofSeconds(10));
    for (int i = 0; i < 100; i++) {
      clock.advance(((Step.Wait) lease.next()).delay());
      write();
      Step.Wait wait = (Step.Wait) lease.next();
      assertThat(wait.delay()).isBetween(Duration.ofMillis(9_400), Duration.ofSeconds(10));
      lease.pinged(true, "");
    }
  }

  @Test
  void theOwnerFollowsANewNodeUidAtOnce() {
    hold();
    lease.nodeIs("uid-1");
    assertThat(lease.next()).as("no owner is no wrong one").isInstanceOf(Step.Wait.class);
    clock.advance(Duration.ofSeconds(10));
    write();
    lease.nodeIs("uid-1");
    assertThat(lease.next()).isInstanceOf(Step.Wait.class);
    lease.nodeIs("uid-2");
    JsonObject body = ((Step.Update) lease.next()).lease().body().toJsonObject();
    var owners = body.getJsonObject("metadata").getJsonArray("ownerReferences");
    assertThat(owners).hasSize(1);
    assertThat(owners.getJsonObject(0).getString("uid")).isEqualTo("uid-2");
  }

  @Test
  void aFailedPingStopsRenewalAndEndsTheHoldAtThreeQuartersOfTheLease() {
    hold();
    lease.pinged(false, "hangs");
    Step.Wait wait = (Step.Wait) lease.next();
    assertThat(wait.delay()).isEqualTo(Duration.ofSeconds(30));
    clock.advance(wait.delay());
    assertThat(lease.expireHold()).isTrue();
    assertThat(lease.serving()).isFalse();
    assertThat(lease.lastProblem()).isEqualTo("ping failed: hangs");
    assertThat(lease.expireHold()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(longs = {-86_400, -60, 60, 86_400})
  void aClockThatIsSetNeitherEndsTheHoldNorDelaysARenewal(long seconds) {
    hold();

    clock.set(Duration.ofSeconds(seconds));

    assertThat(lease.expireHold()).isFalse();
    Step.Wait wait = (Step.Wait) lease.next();
    assertThat(wait.delay()).isLessThanOrEqualTo(Duration.ofSeconds(10));
    clock.advance(wait.delay());
    assertThat(lease.written(((Step.Update) lease.next()).lease())).isFalse();
    assertThat(lease.serving()).isTrue();
  }

  @Test
  void aLeaseThatAnotherAgentHasTakenEndsTheHoldAtOnce() {
    hold();
    clock.advance(Duration.ofSeconds(11));
    lease.next();
    lease.failed(new KubeException(Kind.CONFLICT, 409, "conflict", null, null));
    assertThat(lease.next()).isInstanceOf(Step.Read.class);
    lease.read(stored("node", "other", clock.instant().toString()));
    assertThat(lease.expireHold()).isTrue();
    assertThat(lease.lastProblem()).isEqualTo("agent other holds the lease");
    Step.Wait wait = (Step.Wait) lease.next();
    assertThat(wait.delay()).isBetween(Duration.ofSeconds(40), Duration.ofSeconds(41));
  }

  @Test
  void failedRenewalsAreTriedManyTimesBeforeTheHoldEnds() {
    hold();
    int tries = 0;
    while (!lease.expireHold()) {
      Step step = lease.next();
      if (step instanceof Step.Wait wait) {
        clock.advance(wait.delay());
      } else {
        tries++;
        lease.failed(new KubeException(Kind.TRANSPORT, 0, "refused", null, null));
      }
    }
    assertThat(tries).isGreaterThan(5);
    assertThat(lease.lastProblem()).isEqualTo("refused");
  }

  @Test
  void readsAgainAfterAConflict() {
    hold();
    clock.advance(Duration.ofSeconds(11));
    lease.next();
    lease.failed(new KubeException(Kind.CONFLICT, 409, "conflict", null, null));
    assertThat(lease.next()).isInstanceOf(Step.Read.class);
    assertThat(lease.serving()).isTrue();
  }

  @Test
  void makesADeletedLeaseAnew() {
    hold();
    clock.advance(Duration.ofSeconds(11));
    lease.next();
    lease.failed(new KubeException(Kind.NOT_FOUND, 404, "gone", null, null));
    assertThat(lease.next()).isInstanceOf(Step.Read.class);
    lease.absent();
    clock.advance(Duration.ofSeconds(1));
    assertThat(lease.next()).isInstanceOf(Step.Create.class);
  }

  @Test
  void releaseNamesNoHolderButWhoHadIt() {
    hold();
    JsonObject body = Optional.ofNullable(lease.release()).orElseThrow().toJsonObject();
    assertThat(body.getJsonObject("spec").containsKey("holderIdentity")).isFalse();
    assertThat(annotation(body)).isEqualTo("me");
  }

  @Test
  void theFirstTermIsNoughtWhenNobodyElseCanHaveServed() {
    readStored(null, "me", clock.instant().toString());
    write();
    assertThat(lease.term()).isZero();
  }

  @Test
  void theTermGrowsWithEachChanceOfAnother() {
    readStored(null, "other", clock.instant().toString());
    write();
    int afterRelease = lease.term();
    clock.advance(Duration.ofSeconds(31));
    assertThat(lease.expireHold()).isTrue();
    assertThat(lease.lastProblem()).isEqualTo("not renewed for 30 s");
    assertThat(afterRelease).isPositive();
    assertThat(lease.term()).isGreaterThan(afterRelease);
  }

  @Test
  void aLeaseThatIsNoObjectOrNoJsonIsRefused() {
    for (String broken : List.of("[]", "{")) {
      assertThatThrownBy(() -> LeaseRecord.decode(Buffer.buffer(broken)))
          .isInstanceOf(DecodeException.class)
          .hasMessageContaining("Lease");
    }
  }

  @Test
  void aLeaseThatWasNeverRenewedIsFree() {
    lease.pinged(true, "");
    assertThat(lease.next()).isInstanceOf(Step.Read.class);
    JsonObject json = json("node", "other", "");
    lease.read(LeaseRecord.decode(json.toBuffer()));
    assertThat(lease.next()).isInstanceOf(Step.Update.class);
  }

  @Test
  void anExpiredLeaseOfAnotherHolderIsTakenOver() {
    readStored("somebody", null, clock.instant().minusSeconds(60).toString());
    JsonObject body = ((Step.Update) lease.next()).lease().body().toJsonObject();
    assertThat(body.getJsonObject("spec").getString("holderIdentity")).isEqualTo("node");
    assertThat(body.getJsonObject("spec").getInteger("leaseTransitions")).isEqualTo(1);
  }

  @Test
  void takesALeaseInTheVeryInstantInWhichItExpires() {
    readStored("node", "other", clock.instant().minusSeconds(40).toString());
    assertThat(lease.next()).isInstanceOf(Step.Update.class);
  }

  @Test
  void releasesNothingItDoesNotHold() {
    assertThat(lease.release()).isNull();
  }

  @Test
  void aLeaseThatIsConfiguredIsRenewedAtOnceWithItsNewDuration() {
    hold();

    lease.configure(lasting(20));

    Step.Update update = (Step.Update) lease.next();
    JsonObject spec = update.lease().body().toJsonObject().getJsonObject("spec");
    assertThat(spec.getInteger("leaseDurationSeconds")).isEqualTo(20);
    lease.written(update.lease());
    assertThat(lease.untilHoldEnds()).isEqualTo(Duration.ofSeconds(15));
    assertThat(((Step.Wait) lease.next()).delay()).isBetween(ms(4_500), ms(5_000));
  }

  @Test
  void theSameTimesMakeNoRenewal() {
    hold();

    lease.configure(
        new LeaseOptions(
            "me", OPTIONS.duration(), OPTIONS.renewInterval(), OPTIONS.pingValidity()));

    assertThat(lease.next()).isInstanceOf(Step.Wait.class);
  }

  /** Nobody but this agent knows of a longer duration before it is written. */
  @Test
  void aLongerHoldBeginsWhenItIsWritten() {
    hold();
    lease.configure(lasting(20));
    write();
    lease.configure(lasting(60));
    assertThat(lease.untilHoldEnds()).isEqualTo(Duration.ofSeconds(15));

    write();

    assertThat(lease.untilHoldEnds()).isEqualTo(Duration.ofSeconds(45));
  }

  /** The answer may be what was lost. */
  @Test
  void aShorterDurationThatMayHaveBeenWrittenEndsTheHold() {
    hold();
    lease.configure(lasting(20));
    assertThat(lease.next()).isInstanceOf(Step.Update.class);
    lease.failed(new KubeException(Kind.TIMEOUT, 0, "no answer", null, null));

    lease.configure(OPTIONS);

    assertThat(lease.untilHoldEnds()).isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void aRenewalUnderWayIsFollowedByOneWithTheNewDuration() {
    hold();
    clock.advance(Duration.ofSeconds(10));
    Step.Update old = (Step.Update) lease.next();
    lease.configure(lasting(20));
    assertThat(lease.next()).isInstanceOf(Step.Idle.class);

    lease.written(old.lease());

    assertThat(lease.next()).isInstanceOf(Step.Update.class);
  }

  private static LeaseOptions lasting(int seconds) {
    return new LeaseOptions(
        "me",
        Duration.ofSeconds(seconds),
        Duration.ofSeconds(seconds).dividedBy(4),
        OPTIONS.pingValidity());
  }

  private static Duration ms(long millis) {
    return Duration.ofMillis(millis);
  }

  private void hold() {
    readStored("node", "me", clock.instant().toString());
    write();
    assertThat(lease.serving()).isTrue();
  }

  private void write() {
    Step.Update update = (Step.Update) lease.next();
    lease.written(update.lease());
  }

  private void readStored(@Nullable String holder, @Nullable String agent, String renewed) {
    lease.pinged(true, "");
    assertThat(lease.next()).isInstanceOf(Step.Read.class);
    lease.read(stored(holder, agent, renewed));
  }

  private static LeaseRecord stored(
      @Nullable String holder, @Nullable String agent, String renewed) {
    return LeaseRecord.decode(json(holder, agent, renewed).toBuffer());
  }

  private static JsonObject json(@Nullable String holder, @Nullable String agent, String renewed) {
    JsonObject annotations = new JsonObject();
    if (agent != null) {
      annotations
          .put(LeaseRecord.AGENT_ANNOTATION, agent)
          .put(LeaseRecord.RENEWAL_ANNOTATION, renewed);
    }
    JsonObject spec = new JsonObject().put("renewTime", renewed).put("leaseDurationSeconds", 40);
    if (holder != null) {
      spec.put("holderIdentity", holder);
    }
    return new JsonObject()
        .put("metadata", new JsonObject().put("name", "node").put("annotations", annotations))
        .put("spec", spec);
  }

  private static @Nullable String annotation(JsonObject lease) {
    return lease
        .getJsonObject("metadata")
        .getJsonObject("annotations")
        .getString(LeaseRecord.AGENT_ANNOTATION);
  }
}
