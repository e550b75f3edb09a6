package dev.vertlet.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubeException.Kind;
import dev.vertlet.model.DecodeException;
import dev.vertlet.testing.Scenario;
import dev.vertlet.testsupport.ManualClock;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeLeaseTest {
  private static final LeaseSettings OPTIONS =
      new LeaseSettings(
          "me",
          new LeaseOptions(true, Duration.ofSeconds(40), Duration.ofSeconds(10)),
          Duration.ofMinutes(10));

  private final ManualClock clock = new ManualClock();
  private final NodeLease lease =
      new NodeLease("node", OPTIONS, clock, clock::nanos, new Random(1));

  /** As it is to be written. */
  private @Nullable LeaseRecord last;

  private int term;

  /**
   * Words with a capital are the next step, or what the lease is; the others are what happens to
   * it. {@code stored:HOLDER,AGENT,AGE} is a lease that was read. The last to start serves where
   * two agents have one identity, and nobody but this agent knows of a longer duration before it is
   * written.
   */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          does nothing before the provider answered a ping | Idle
          an answer that comes after the hold is over is no lease | hold s:10 Update s:60 Expires renewed NotServing ping Read
          a lease that was handed to an agent that does not take it up is free | hold assign:other Leaves HandOver handedOver assign:me Read reread Update
          what is another's is left alone | assign:other ping Idle Stays
          a renewal in flight is awaited before the lease is handed over | hold s:10 Update assign:other Stays renewed Leaves HandOver
          a handover that fails is tried again as long as the lease is held | hold assign:other Leaves HandOver fails:TIMEOUT Wait HandOver fails:TIMEOUT s:30 Idle
          an agent that is to be handed a lease looks for it each second | assign:me ping Read stored:node,other,0 Wait:1000-1000
          adopts its own lease at once after a restart | ping Read stored:node,me,0 Update
          takes a released lease at once | ping Read stored:-,-,0 Update
          waits for the expiry of another agent's lease and takes it then | ping Read stored:node,other,0 Foreign:agent_other Wait:40000-41000 Read stored:node,other,41 Update Transitions:1
          a kubelet that holds the lease is a foreign holder | ping Read stored:node,-,0 Foreign:node
          a hold ends when another had the lease in between | hold s:10 Update fails:CONFLICT Read stored:-,other,0 Expires:agent_other_had_the_lease Update written Serving NextTerm
          another process with the same identity ends the hold | hold s:11 Update fails:CONFLICT Read stored:node,me,3 Expires NotServing Foreign:another_agent_with_the_identity_me NextTerm
          a failed ping stops renewal and ends the hold at three quarters of the lease | hold ping-fails Wait:30000-30000 Expires:ping_failed:_hangs NotServing StaysAsItIs
          a lease that another agent has taken ends the hold at once | hold s:11 Update fails:CONFLICT Read stored:node,other,0 Expires:agent_other_holds_the_lease Wait:40000-41000
          reads again after a conflict | hold s:11 Update fails:CONFLICT Read Serving
          makes a deleted lease anew | hold s:11 Update fails:NOT_FOUND Read absent s:1 Create
          the first term is nought when nobody else can have served | ping Read stored:-,me,0 Update written FirstTerm
          the term grows with each chance of another | ping Read stored:-,other,0 Update written NextTerm s:31 Expires:not_renewed_for_30_s NextTerm
          a lease that was never renewed is free | ping Read stored:node,other,- Update
          an expired lease of another holder is taken over | ping Read stored:somebody,-,60 Update Transitions:1
          takes a lease in the very instant in which it expires | ping Read stored:node,other,40 Update
          releases nothing that it does not hold | NothingToRelease
          the same times make no renewal | hold lasting:40 Wait
          a longer hold begins when it is written | hold lasting:20 Update written lasting:60 HoldEndsIn:15 Update written HoldEndsIn:45
          a shorter duration that may have been written ends the hold | hold lasting:20 Update fails:TIMEOUT lasting:40 HoldEndsIn:15
          a renewal after the clock was set back is backdated until the clock has caught up | hold s:10 Update written Counts set:-60 s:10 Update written Backdated s:50 Update written Backdated s:10 Update written Counts
          an earlier renewTime of a former process makes renewals backdated | ping Read stored:node,me,-30 Update written Backdated s:31 Update written Counts
          a renewTime of which the answer was lost counts, too | hold s:10 Update fails:TIMEOUT set:-5 s:1 Update written Backdated
          a lease that was deleted has the same earlier renewTimes | hold set:-60 s:10 Update fails:NOT_FOUND Read absent s:1 Create written Backdated
          a lease that is not renewed for its duration ends, even if this clock is behind | ping Read stored:node,other,-3600 Wait:40000-40001 Read reread Update
          a lease that is renewed does not end while this clock is behind | ping Read stored:node,other,-3600 Wait:40000-40001 Read stored:node,other,-3630 Wait:40000-40001 Read
          a renewal under way is followed by one with the new duration | hold s:10 Update lasting:20 Idle written Update
          """)
  void takesOneStepAfterTheOther(String behaviour, String line) {
    Scenario.play(line, this::step);
  }

  private void step(String word, String argument) {
    String text = argument.replace('_', ' ');
    switch (word) {
      case "hold" -> hold();
      case "ping" -> lease.pinged(true, "");
      case "ping-fails" -> lease.pinged(false, "hangs");
      case "stored" -> {
        String[] parts = argument.replaceAll("(^|,)-(?=,)", "$1").split(",", 3);
        last = stored(orNull(parts[0]), orNull(parts[1]), ago(parts[2]));
        lease.read(last());
      }
      case "reread" -> lease.read(last());
      case "absent" -> lease.absent();
      case "written" -> lease.written(last());
      case "renewed" -> assertThat(lease.written(last())).isFalse();
      case "fails" -> lease.failed(failure(Kind.valueOf(argument)));
      case "assign" -> lease.assign(argument);
      case "handedOver" -> lease.handedOver();
      case "lasting" -> lease.configure(lasting(Integer.parseInt(argument)));
      case "s" -> clock.advance(Duration.ofSeconds(Long.parseLong(argument)));
      case "set" -> clock.set(Duration.ofSeconds(Long.parseLong(argument)));
      case "Backdated" -> assertThat(lease.renewTimes().backdated()).isTrue();
      case "Counts" -> assertThat(lease.renewTimes().backdated()).isFalse();
      case "Leaves" -> assertThat(lease.leave()).isTrue();
      case "Stays" -> assertThat(lease.leave()).isFalse();
      case "Serving" -> assertThat(lease.serving()).isTrue();
      case "NotServing" -> assertThat(lease.serving()).isFalse();
      case "StaysAsItIs" -> assertThat(lease.expireHold()).isFalse();
      case "Expires" -> {
        assertThat(lease.expireHold()).isTrue();
        assertThat(lease.lastProblem()).isEqualTo(text.isEmpty() ? lease.lastProblem() : text);
      }
      case "Foreign" -> assertThat(((LeaseState.Foreign) lease.state()).holder()).isEqualTo(text);
      case "FirstTerm" -> assertThat(lease.term()).isZero();
      case "NextTerm" -> {
        assertThat(lease.term()).isGreaterThan(term);
        term = lease.term();
      }
      case "HoldEndsIn" -> assertThat(lease.untilHoldEnds()).hasSeconds(Long.parseLong(argument));
      case "NothingToRelease" -> assertThat(lease.release()).isNull();
      case "Transitions" -> {
        JsonObject spec = last().body().toJsonObject().getJsonObject("spec");
        assertThat(spec.getString("holderIdentity")).isEqualTo("node");
        assertThat(spec.getInteger("leaseTransitions")).hasToString(argument);
      }
      default -> wants(word, argument);
    }
  }

  private void wants(String step, String delay) {
    LeaseStep next = lease.next();
    assertThat(next.getClass().getSimpleName()).isEqualTo(step);
    if (next instanceof LeaseStep.Update update) {
      last = update.lease();
    } else if (next instanceof LeaseStep.Create create) {
      last = create.lease();
    } else if (next instanceof LeaseStep.HandOver given) {
      last = given.lease();
    } else if (next instanceof LeaseStep.Wait wait) {
      if (!delay.isEmpty()) {
        String[] limits = delay.split("-");
        assertThat(wait.delay().toMillis())
            .isBetween(Long.valueOf(limits[0]), Long.valueOf(limits[1]));
      }
      clock.advance(wait.delay());
    }
  }

  private LeaseRecord last() {
    return Objects.requireNonNull(last);
  }

  private static @Nullable String orNull(String text) {
    return text.isEmpty() ? null : text;
  }

  private String ago(String seconds) {
    return seconds.equals("-")
        ? ""
        : clock.instant().minusSeconds(Long.parseLong(seconds)).toString();
  }

  @Test
  void createsALeaseThatIsAbsent() {
    lease.pinged(true, "");
    assertThat(lease.next()).isInstanceOf(LeaseStep.Read.class);
    lease.absent();
    JsonObject body = ((LeaseStep.Create) lease.next()).lease().body().toJsonObject();
    assertThat(body.getJsonObject("spec").getString("holderIdentity")).isEqualTo("node");
    assertThat(body.getJsonObject("spec").getInteger("leaseDurationSeconds")).isEqualTo(40);
    assertThat(annotation(body)).isEqualTo("me");
  }

  @Test
  void anAnswerThatComesAfterTheHoldIsOverIsNoLease() {
    hold();
    clock.advance(Duration.ofSeconds(10));
    LeaseRecord renewal = ((LeaseStep.Update) lease.next()).lease();
    clock.advance(Duration.ofSeconds(60));
    assertThat(lease.expireHold()).isTrue();
    assertThat(lease.loss()).as("it stood still").isEqualTo(LeaseLoss.NOT_RENEWED);

    assertThat(lease.written(renewal)).isFalse();

    assertThat(lease.serving()).isFalse();
    lease.pinged(true, "");
    assertThat(lease.next()).isInstanceOf(LeaseStep.Read.class);
  }

  @Test
  void aLeaseIsHandedOverOnlyAfterTheNodeIsServedNoLonger() {
    hold();
    lease.assign("other");

    assertThat(lease.leave()).isTrue();
    assertThat(lease.serving()).isFalse();
    assertThat(lease.lastProblem()).isEqualTo("handed over to agent other");
    JsonObject body = ((LeaseStep.HandOver) lease.next()).lease().body().toJsonObject();
    assertThat(annotation(body)).isEqualTo("other");
    assertThat(body.getJsonObject("spec").getString("holderIdentity")).isEqualTo("node");

    lease.handedOver();
    assertThat(lease.next()).isInstanceOf(LeaseStep.Idle.class);
    assertThat(lease.release()).isNull();
  }

  @Test
  void whoIsHandedALeaseThatItHadBeforeTakesItAtOnce() {
    hold();
    lease.assign("other");
    lease.leave();
    LeaseRecord given = ((LeaseStep.HandOver) lease.next()).lease();
    lease.handedOver();
    // and back
    LeaseRecord back =
        given.handedTo("me", "node", null, Duration.ofSeconds(40), clock.instant().plusMillis(1));
    lease.assign("me");
    assertThat(lease.next()).isInstanceOf(LeaseStep.Read.class);

    lease.read(back);

    JsonObject body = ((LeaseStep.Update) lease.next()).lease().body().toJsonObject();
    assertThat(body.getJsonObject("metadata").getJsonObject("annotations").fieldNames())
        .doesNotContain(LeaseRecord.HANDOVER_ANNOTATION);
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
    assertThat(lease.next()).isInstanceOf(LeaseStep.Read.class);
    lease.read(stored(null, "other", clock.instant().toString()));
    assertThat(lease.expireHold()).isTrue();
    assertThat(lease.loss()).isEqualTo(LeaseLoss.TAKEN);
    assertThat(lease.lastProblem()).isEqualTo("agent other had the lease");
    write();
    assertThat(lease.serving()).isTrue();
    assertThat(lease.term()).isPositive();
  }

  @Test
  void aRenewalWhoseAnswerWasLostIsItsOwn() {
    hold();
    clock.advance(Duration.ofSeconds(11));
    LeaseStep.Update lost = (LeaseStep.Update) lease.next();
    lease.failed(failure(Kind.TRANSPORT));
    clock.advance(Duration.ofSeconds(1));
    lease.next();
    lease.failed(failure(Kind.CONFLICT));
    clock.advance(Duration.ofSeconds(1));
    lease.next();
    lease.read(lost.lease());
    assertThat(lease.expireHold()).isFalse();
    assertThat(lease.next()).isInstanceOf(LeaseStep.Update.class);
    assertThat(lease.term()).isZero();
  }

  @Test
  void aProviderThatBlocksItsThreadLosesTheLeaseThoughItNeverSaidNo() {
    hold();
    for (int i = 0; i < 70; i++) {
      clock.advance(Duration.ofSeconds(10));
      if (lease.next() instanceof LeaseStep.Update update) {
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
    JsonObject body = ((LeaseStep.Update) lease.next()).lease().body().toJsonObject();
    assertThat(body.getJsonObject("metadata").getJsonObject("labels").getString("team"))
        .isEqualTo("x");
  }

  @Test
  void aConflictAfterAnOutageIsLookedIntoAtOnce() {
    hold();
    clock.advance(((LeaseStep.Wait) lease.next()).delay());
    for (int i = 0; i < 5; i++) {
      assertThat(lease.next()).isInstanceOf(LeaseStep.Update.class);
      lease.failed(failure(Kind.TRANSPORT));
      clock.advance(((LeaseStep.Wait) lease.next()).delay());
    }
    assertThat(lease.next()).isInstanceOf(LeaseStep.Update.class);
    lease.failed(failure(Kind.CONFLICT));
    assertThat(lease.next()).isInstanceOf(LeaseStep.Read.class);
    lease.failed(failure(Kind.DECODE));
    assertThat(lease.next()).isInstanceOf(LeaseStep.Wait.class);
  }

  @Test
  void aServerThatWorksAgainEndsTheBackOff() {
    hold();
    clock.advance(((LeaseStep.Wait) lease.next()).delay());
    for (int i = 0; i < 4; i++) {
      assertThat(lease.next()).isInstanceOf(LeaseStep.Update.class);
      lease.failed(failure(Kind.SERVER_ERROR));
      clock.advance(((LeaseStep.Wait) lease.next()).delay());
    }
    assertThat(lease.next()).isInstanceOf(LeaseStep.Update.class);
    lease.failed(failure(Kind.SERVER_ERROR));
    assertThat(lease.next()).isInstanceOf(LeaseStep.Wait.class);

    lease.serverReturned();
    assertThat(lease.next()).isInstanceOf(LeaseStep.Update.class);
  }

  @Test
  void aServerThatHasNamedTheTimeOfTheNextAttemptGetsIt() {
    hold();
    clock.advance(((LeaseStep.Wait) lease.next()).delay());
    lease.next();
    lease.failed(new KubeException(Kind.THROTTLED, 429, "later", Duration.ofSeconds(5), null));

    lease.serverReturned();
    assertThat(lease.next()).isInstanceOf(LeaseStep.Wait.class);
  }

  @Test
  void aServerThatWorksAgainGivesNoPermission() {
    hold();
    clock.advance(((LeaseStep.Wait) lease.next()).delay());
    lease.next();
    lease.failed(failure(Kind.FORBIDDEN));

    lease.serverReturned();
    assertThat(lease.next()).isInstanceOf(LeaseStep.Wait.class);
  }

  @Test
  void aLeaseThatWaitsForItsRenewalIsNotRenewedEarlier() {
    hold();
    lease.serverReturned();
    assertThat(lease.next()).isInstanceOf(LeaseStep.Wait.class);
  }

  @Test
  @Tag("NodeRun/WithLease")
  void renewsAtLeastEveryTenSecondsAndNotMuchMoreOften() {
    hold();
    LeaseStep.Wait first = (LeaseStep.Wait) lease.next();
    assertThat(first.delay()).isBetween(Duration.ofMillis(2_800), Duration.ofSeconds(10));
    for (int i = 0; i < 100; i++) {
      clock.advance(((LeaseStep.Wait) lease.next()).delay());
      write();
      LeaseStep.Wait wait = (LeaseStep.Wait) lease.next();
      assertThat(wait.delay()).isBetween(Duration.ofMillis(9_400), Duration.ofSeconds(10));
      lease.pinged(true, "");
    }
  }

  @Test
  void theOwnerFollowsANewNodeUidAtOnce() {
    hold();
    lease.nodeIs("uid-1");
    assertThat(lease.next()).as("no owner is no wrong one").isInstanceOf(LeaseStep.Wait.class);
    clock.advance(Duration.ofSeconds(10));
    write();
    lease.nodeIs("uid-1");
    assertThat(lease.next()).isInstanceOf(LeaseStep.Wait.class);
    lease.nodeIs("uid-2");
    JsonObject body = ((LeaseStep.Update) lease.next()).lease().body().toJsonObject();
    var owners = body.getJsonObject("metadata").getJsonArray("ownerReferences");
    assertThat(owners).hasSize(1);
    assertThat(owners.getJsonObject(0).getString("uid")).isEqualTo("uid-2");
  }

  @ParameterizedTest
  @ValueSource(longs = {-86_400, -60, 60, 86_400})
  void aClockThatIsSetNeitherEndsTheHoldNorDelaysARenewal(long seconds) {
    hold();

    clock.set(Duration.ofSeconds(seconds));

    assertThat(lease.expireHold()).isFalse();
    LeaseStep.Wait wait = (LeaseStep.Wait) lease.next();
    assertThat(wait.delay()).isLessThanOrEqualTo(Duration.ofSeconds(10));
    clock.advance(wait.delay());
    assertThat(lease.written(((LeaseStep.Update) lease.next()).lease())).isFalse();
    assertThat(lease.serving()).isTrue();
  }

  @Test
  void failedRenewalsAreTriedManyTimesBeforeTheHoldEnds() {
    hold();
    int tries = 0;
    while (!lease.expireHold()) {
      LeaseStep step = lease.next();
      if (step instanceof LeaseStep.Wait wait) {
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
  void releaseNamesNoHolderButWhoHadIt() {
    hold();
    JsonObject body = Optional.ofNullable(lease.release()).orElseThrow().toJsonObject();
    assertThat(body.getJsonObject("spec").containsKey("holderIdentity")).isFalse();
    assertThat(annotation(body)).isEqualTo("me");
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
  void aLeaseThatIsConfiguredIsRenewedAtOnceWithItsNewDuration() {
    hold();

    lease.configure(lasting(20));

    LeaseStep.Update update = (LeaseStep.Update) lease.next();
    JsonObject spec = update.lease().body().toJsonObject().getJsonObject("spec");
    assertThat(spec.getInteger("leaseDurationSeconds")).isEqualTo(20);
    lease.written(update.lease());
    assertThat(lease.untilHoldEnds()).isEqualTo(Duration.ofSeconds(15));
    assertThat(((LeaseStep.Wait) lease.next()).delay()).isBetween(ms(4_500), ms(5_000));
  }

  private static LeaseSettings lasting(int seconds) {
    return new LeaseSettings(
        "me",
        new LeaseOptions(
            true, Duration.ofSeconds(seconds), Duration.ofSeconds(seconds).dividedBy(4)),
        OPTIONS.pingValidity());
  }

  private static KubeException failure(Kind kind) {
    return new KubeException(kind, 0, "test", null, null);
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
    LeaseStep.Update update = (LeaseStep.Update) lease.next();
    lease.written(update.lease());
  }

  private void readStored(@Nullable String holder, @Nullable String agent, String renewed) {
    lease.pinged(true, "");
    assertThat(lease.next()).isInstanceOf(LeaseStep.Read.class);
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
