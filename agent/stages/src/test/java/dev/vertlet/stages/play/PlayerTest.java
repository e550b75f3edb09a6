package dev.vertlet.stages.play;

import static dev.vertlet.stages.play.PlayLab.stage;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.vertlet.model.JsonTreeDecoder;
import dev.vertlet.model.WatchEvent;
import dev.vertlet.testsupport.ManualClock;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class PlayerTest {
  private static final String DELAY_10S = "delay: {durationMilliseconds: 10000}";

  @Test
  void playsOneStageAfterTheOther() {
    PlayLab lab =
        new PlayLab(
            stage("run", "", "Running", DELAY_10S),
            stage("end", "Running", "Succeeded", DELAY_10S));
    lab.put("a", "{}");
    lab.pass(Duration.ofMillis(9_999));
    assertThat(lab.log).isEmpty();
    lab.pass(Duration.ofMillis(1));
    assertThat(lab.phase("a")).isEqualTo("Running");
    lab.pass(Duration.ofSeconds(10));
    assertThat(lab.phase("a")).isEqualTo("Succeeded");
    assertThat(lab.player.nextDue()).isNull();
    assertThat(lab.log).hasSize(2);
  }

  @Test
  void aForeignChangeDoesNotBeginTheDelayAnew() {
    PlayLab lab = new PlayLab(stage("run", "", "Running", DELAY_10S));
    lab.put("a", "{}");
    lab.pass(Duration.ofSeconds(6));
    lab.put("a", "{\"note\": \"x\"}", "{}");
    lab.pass(Duration.ofSeconds(4));
    assertThat(lab.phase("a")).isEqualTo("Running");
  }

  @Test
  void aChangeOfTheDelayCountsFromItsBegin() {
    PlayLab lab =
        new PlayLab(
            stage(
                "run",
                "",
                "Running",
                "delay: {durationMilliseconds: 10000, durationFrom:"
                    + " {expressionFrom: '.metadata.annotations.delay'}}"));
    lab.put("a", "{}");
    lab.pass(Duration.ofSeconds(6));
    lab.put("a", "{\"delay\": \"8s\"}", "{}");
    lab.pass(Duration.ofMillis(1_999));
    assertThat(lab.phase("a")).isEmpty();
    lab.pass(Duration.ofMillis(1));
    assertThat(lab.phase("a")).isEqualTo("Running");
  }

  @Test
  void anObjectThatLeavesTheStageIsNotPlayed() {
    PlayLab lab = new PlayLab(stage("run", "", "Running", DELAY_10S));
    lab.put("a", "{}");
    lab.put("a", "{\"phase\": \"Failed\"}");
    lab.put("b", "{}");
    lab.player.deleted("uid-b");
    lab.pass(Duration.ofMinutes(1));
    assertThat(lab.log).isEmpty();
  }

  @Test
  @Tag("G05")
  void aRunningDelayEndsAtItsTimeAfterARestart() {
    ManualClock clock = new ManualClock();
    PlayLab.Book journal = new PlayLab.Book();
    String stage =
        stage(
            "run",
            "",
            "Running",
            "delay: {durationMilliseconds: 10000, jitterDurationMilliseconds: 60000}");
    PlayLab before = new PlayLab(7, clock, journal, stage);
    before.put("a", "{}");
    var due = before.player.nextDue();
    clock.advance(Duration.ofSeconds(5));
    PlayLab after = new PlayLab(7, clock, journal, stage);
    after.put("a", "{\"note\": \"changed while the agent was away\"}", "{}");
    assertThat(after.player.nextDue()).isEqualTo(due);
    after.pass(Duration.ofMinutes(2));
    assertThat(after.phase("a")).isEqualTo("Running");
    assertThat(journal.begun).isEmpty();
  }

  @Test
  @Tag("G05")
  void aDelayThatEndedWhileTheAgentWasAwayIsPlayedAtOnce() {
    ManualClock clock = new ManualClock();
    PlayLab.Book journal = new PlayLab.Book();
    PlayLab before = new PlayLab(7, clock, journal, stage("run", "", "Running", DELAY_10S));
    before.put("a", "{}");
    clock.advance(Duration.ofHours(1));
    PlayLab after = new PlayLab(7, clock, journal, stage("run", "", "Running", DELAY_10S));
    after.put("a", "{}");
    assertThat(after.phase("a")).isEqualTo("Running");
  }

  @Test
  @Tag("G04")
  void weightsDecideTheFrequencies() {
    int failed = failures(outcomes(1, 10_000));
    assertThat(failed / 10_000d).isCloseTo(0.05, within(0.01));
  }

  @Test
  @Tag("G04")
  void theSameSeedMakesTheSameChoices() {
    List<String> outcomes = outcomes(42, 500);
    assertThat(outcomes(42, 500)).isEqualTo(outcomes);
    assertThat(outcomes(43, 500)).isNotEqualTo(outcomes);
  }

  private static int failures(List<String> outcomes) {
    return (int) outcomes.stream().filter("Failed"::equals).count();
  }

  private static List<String> outcomes(long seed, int objects) {
    PlayLab lab =
        new PlayLab(
            seed,
            new ManualClock(),
            new PlayLab.Book(),
            stage("good", "", "Running", "weight: 95"),
            stage("bad", "", "Failed", "weight: 5"));
    List<String> outcomes = new ArrayList<>();
    for (int i = 0; i < objects; i++) {
      lab.put("o" + i, "{}");
      outcomes.add(lab.phase("o" + i));
    }
    return outcomes;
  }

  @Test
  @Tag("G04")
  void anExpressionReplacesTheWeight() {
    PlayLab lab =
        new PlayLab(
            stage(
                "good",
                "",
                "Running",
                "weight: 1000, weightFrom: {expressionFrom: '.metadata.annotations.good'}"),
            stage("bad", "", "Failed", "weight: 1"));
    for (int i = 0; i < 100; i++) {
      lab.put("o" + i, "{\"good\": \"0\"}", "{}");
      assertThat(lab.phase("o" + i)).isEqualTo("Failed");
    }
  }

  @Test
  @Tag("G07")
  void anObjectThatFlipsForEverIsLimitedAndOthersAreNot() {
    PlayLab lab =
        new PlayLab(
            stage("up", "Down", "Up", ""),
            stage("down", "Up", "Down", ""),
            stage("run", "", "Running", ""));
    lab.put("flip", "{\"phase\": \"Up\"}");
    lab.put("calm", "{}");
    assertThat(lab.phase("calm")).isEqualTo("Running");
    lab.pass(Duration.ofSeconds(100));
    assertThat(lab.log.size()).isBetween(PlayRate.BURST + 95, PlayRate.BURST + 105);
  }

  @Test
  void aWriteThatFailsIsRepeatedFromItsStepOn() {
    PlayLab lab =
        new PlayLab(
            """
            {apiVersion: kwok.x-k8s.io/v1alpha1, kind: Stage, metadata: {name: s}, spec: {
              resourceRef: {apiGroup: example.com/v1, kind: Job},
              selector: {matchExpressions: [{key: .status.phase, operator: DoesNotExist}]},
              next: {event: {type: Normal, reason: Begun, message: m},
                     statusTemplate: 'phase: Running'}}}
            """);
    lab.answers.add(o -> new Answer.Written(0, null));
    lab.answers.add(o -> new Answer.Retry(Duration.ofSeconds(3), "reset"));
    lab.put("a", "{}");
    assertThat(lab.phase("a")).isEmpty();
    lab.pass(Duration.ofSeconds(3));
    assertThat(lab.phase("a")).isEqualTo("Running");
    assertThat(lab.log).as("the event is not sent twice").hasSize(1);
  }

  @Test
  void aVersionThatArrivesDuringAWriteDecidesAfterAConflict() {
    PlayLab lab = new PlayLab(stage("run", "", "Running", ""));
    lab.answers.add(
        o -> {
          lab.player.upserted(changed(o, 500, "Failed"));
          return new Answer.Stale();
        });
    lab.put("a", "{}");
    lab.pass(Duration.ofMinutes(1));
    assertThat(lab.log).isEmpty();
    assertThat(lab.player.inFlight()).isZero();
  }

  private static StageObject changed(StageObject object, long version, String phase) {
    var json = object.json().deepCopy();
    json.withObject("/metadata").put("resourceVersion", "" + version);
    json.withObject("/status").put("phase", phase);
    return StageObject.of(json);
  }

  @Test
  void anObjectOfTheSameNameIsAnotherObject() {
    PlayLab lab = new PlayLab(stage("run", "", "Running", DELAY_10S));
    lab.put("a", "{}");
    lab.pass(Duration.ofSeconds(5));
    lab.player.deleted("uid-a");
    lab.put("a", "{}");
    lab.pass(Duration.ofSeconds(9));
    assertThat(lab.log).isEmpty();
    lab.pass(Duration.ofSeconds(1));
    assertThat(lab.phase("a")).isEqualTo("Running");
  }

  @Test
  void deletesTheObjectAndWritesTheEventBehind() {
    PlayLab lab =
        new PlayLab(
            """
            {apiVersion: kwok.x-k8s.io/v1alpha1, kind: Stage, metadata: {name: s}, spec: {
              resourceRef: {apiGroup: example.com/v1, kind: Job},
              selector: {}, steps: [{delete: true}, {event: {reason: Gone}},
                {patch: {template: 'status: {phase: x}'}}]}}
            """);
    lab.put("a", "{}");
    assertThat(lab.log).containsExactly("a deleted");
    assertThat(lab.player.size()).isZero();
    assertThat(lab.player.inFlight()).isZero();
  }

  @Test
  void aStageWithoutEffectIsNotPlayedAgainBeforeTheNextChange() {
    PlayLab lab = new PlayLab(stage("same", "Up", "Up", ""));
    lab.put("a", "{\"phase\": \"Up\"}");
    lab.pass(Duration.ofMinutes(1));
    assertThat(lab.log).isEmpty();
    assertThat(lab.player.plays()).isEqualTo(1);
  }

  @Test
  void immediateNextStageUsesTheAnswer() {
    PlayLab lab =
        new PlayLab(
            stage("run", "", "Running", "immediateNextStage: true"),
            stage("end", "Running", "Succeeded", ""));
    lab.put("a", "{}");
    assertThat(lab.phase("a")).isEqualTo("Succeeded");
    assertThat(lab.log).hasSize(2);
  }

  @Test
  void objectsThatARelistDoesNotHaveAreGone() {
    PlayLab lab = new PlayLab(stage("run", "", "Running", DELAY_10S));
    lab.put("a", "{}");
    lab.put("b", "{}");
    lab.player.relisting();
    lab.put("b", "{}");
    assertThat(lab.player.synced()).containsExactly("uid-a");
    lab.pass(Duration.ofSeconds(10));
    assertThat(lab.log).hasSize(1).first().asString().startsWith("b ");
  }

  @Test
  void anObjectThatCannotBeReadWhenItsTurnComesHoldsUpNoOther() {
    String onMetadata =
        PlayLab.stage("mark", "", "Marked", "")
            .replace(".status.phase, operator: DoesNotExist", ".metadata.name, operator: Exists");
    PlayLab lab = new PlayLab(onMetadata);
    String broken =
        "{\"type\":\"MODIFIED\",\"object\":{\"metadata\":{\"name\":\"a\",\"uid\":\"uid-a\","
            + "\"resourceVersion\":\"1\"},\"status\":{\"phase\":}}}";
    WatchEvent<StageObject> event =
        JsonTreeDecoder.lazy(StageObject::of)
            .decodeEvent("application/json", Buffer.buffer(broken));

    lab.deliver(((WatchEvent.Upsert<StageObject>) event).object());
    assertThat(lab.player.inFlight()).isZero();
    lab.put("b", "{}");
    assertThat(lab.phase("b")).isEqualTo("Marked");
  }
}
