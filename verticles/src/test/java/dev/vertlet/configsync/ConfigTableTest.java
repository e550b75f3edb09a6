package dev.vertlet.configsync;

import static dev.vertlet.configsync.Sources.NOTHING;
import static dev.vertlet.configsync.Sources.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.vertlet.configsync.ConfigEvent.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every row of the table of states and events, by its number: what is assigned, active and last
 * known good, and which error is shown, as {@link TestNode#state} writes them.
 */
class ConfigTableTest {
  private static final Duration TRIAL = Duration.ofMinutes(10);
  private static final Duration MOMENT = Duration.ofSeconds(1);

  private final TestNode node = new TestNode();

  /** States of a node before an event. */
  private enum State {
    LOCAL("A=- V=- G=- E=-"),
    TRIAL("A=c1@1 V=c1@1 G=- E=-"),
    GOOD("A=c1@1 V=c1@1 G=c1@1 E=-"),
    ROLLED("A=bad@1 V=c1@1 G=c1@1 E=LOAD");

    final String shown;

    State(String shown) {
      this.shown = shown;
    }

    /** The same with an error that hides the other. */
    String with(String error) {
      return shown.substring(0, shown.indexOf("E=")) + "E=" + error;
    }
  }

  private void be(State state) {
    node.restart().tell(new ConfigEvent.NodeSeen(NOTHING, true));
    node.publish("c1", 1);
    node.unloadable.put(node.publish("bad", 1), ConfigError.LOAD);
    if (state != State.LOCAL) {
      node.declare(wanted("c1"));
    }
    if (state == State.GOOD || state == State.ROLLED) {
      node.after(TRIAL.plus(MOMENT));
    }
    if (state == State.ROLLED) {
      node.declare(wanted("bad"));
    }
    assertThat(node.state()).isEqualTo(state.shown);
    node.forget();
  }

  @Test
  void row1AValidSourceIsOnTrial() {
    be(State.LOCAL);

    node.declare(wanted("c1"));

    assertThat(node.state()).isEqualTo("A=c1@1 V=c1@1 G=- E=-");
    assertThat(node.deeds())
        .containsExactly(
            "download c1", "save c1@1", "assign c1@1", "event c1@1", "load c1@1", "apply c1@1");
    assertThat(node.sync().trialEndsAt()).hasValue(TestNode.BEGIN.plus(TRIAL));
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void row2WhatCannotBeDownloadedChangesNothingAndIsTriedAgain(State state) {
    be(state);

    node.declare(wanted("missing"));

    assertThat(node.state()).isEqualTo(state.with("DOWNLOAD"));
    assertThat(node.deeds()).containsExactly("download missing", "retry");
    node.tell(new ConfigEvent.RetryDue());
    assertThat(node.deeds()).endsWith("download missing", "retry");
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void row3WhatCannotBeWrittenIsNotAssignedAndIsTriedAgain(State state) {
    be(state);
    node.publish("c2", 1);
    node.diskFull = true;

    node.declare(wanted("c2"));

    assertThat(node.state()).isEqualTo(state.with("SYNC_INTERNAL"));
    assertThat(node.deeds()).containsExactly("download c2", "save c2@1", "retry");
    node.diskFull = false;
    node.tell(new ConfigEvent.RetryDue());
    assertThat(node.state()).startsWith("A=c2@1 V=c2@1 ").endsWith("E=-");
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void row4ASourceOfNothingKnownWaitsForAnother(State state) {
    be(state);

    node.declare(Sources.annotated("{\"secret\":{\"name\":\"x\"}}"));

    assertThat(node.state()).isEqualTo(state.with("ALL_NIL"));
    assertThat(node.deeds()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void row5AMalformedSourceWaitsForAnother(State state) {
    be(state);

    node.declare(Sources.annotated("{\"configMap\":{\"namespace\":\"../baz\"}}"));
    assertThat(node.state()).isEqualTo(state.with("DOWNLOAD"));
    node.declare(Sources.annotated("{\"configMap\":"));

    assertThat(node.state()).isEqualTo(state.with("SYNC_INTERNAL"));
    assertThat(node.deeds()).isEmpty();
  }

  @Test
  void row6WhatCannotBeLoadedIsRolledBack() {
    for (State state : new State[] {State.LOCAL, State.TRIAL, State.GOOD}) {
      be(state);

      node.declare(wanted("bad"));

      boolean good = state == State.GOOD;
      assertThat(node.state())
          .isEqualTo(good ? "A=bad@1 V=c1@1 G=c1@1 E=LOAD" : "A=bad@1 V=- G=- E=LOAD");
      assertThat(node.deeds()).contains("event bad@1");
      assertThat(node.deeds())
          .filteredOn(deed -> deed.startsWith("apply"))
          .as("only where something else ran")
          .hasSize(state == State.TRIAL ? 1 : 0);
      node.declare(NOTHING);
    }
  }

  @Test
  void row7WhatIsNotValidIsRolledBack() {
    be(State.GOOD);
    node.unloadable.put(node.publish("c2", 1), ConfigError.VALIDATE);

    node.declare(wanted("c2"));

    assertThat(node.state()).isEqualTo("A=c2@1 V=c1@1 G=c1@1 E=VALIDATE");
    assertThat(node.deeds()).containsSequence("event c2@1", "load c2@1");
    assertThat(node.deeds()).doesNotContain("apply c1@1");
  }

  @Test
  void row8WhatCannotBeAppliedIsAppliedBack() {
    be(State.GOOD);
    node.unappliable.put(node.publish("c2", 1), ConfigError.INTERNAL);

    node.declare(wanted("c2"));

    assertThat(node.state()).isEqualTo("A=c2@1 V=c1@1 G=c1@1 E=INTERNAL");
    assertThat(node.deeds())
        .endsWith("event c2@1", "load c2@1", "apply c2@1", "load c1@1", "apply c1@1");
  }

  @Test
  void row8WhatIsLastKnownGoodAndCannotBeAppliedEitherEndsIt() {
    be(State.GOOD);
    node.unappliable.put(node.publish("c2", 1), ConfigError.INTERNAL);
    node.unappliable.put(Sources.resolved("c1", 1), ConfigError.INTERNAL);

    node.declare(wanted("c2"));

    assertThat(node.deeds()).endsWith("give up");
  }

  @Test
  @Tag("A04")
  void row9AfterTheTrialItIsTheLastKnownGood() {
    be(State.TRIAL);

    node.after(TRIAL.plus(MOMENT));

    assertThat(node.state()).isEqualTo("A=c1@1 V=c1@1 G=c1@1 E=-");
    assertThat(node.deeds()).containsExactly("trust c1@1", "collect");
    assertThat(node.storedLastKnownGood()).isEqualTo(node.storedAssigned());
  }

  @Test
  @Tag("A03")
  void row10OfTheTrialNoMomentIsMissing() {
    be(State.TRIAL);

    node.after(TRIAL);

    assertThat(node.state()).isEqualTo("A=c1@1 V=c1@1 G=- E=-");
    assertThat(node.deeds()).isEmpty();
  }

  @Test
  @Tag("A08")
  void row11AnEditIsOnTrialAndTheLastKnownGoodStays() {
    be(State.GOOD);
    node.publish("c1", 2);

    node.touch();

    assertThat(node.state()).isEqualTo("A=c1@2 V=c1@2 G=c1@1 E=-");
    assertThat(node.deeds())
        .containsExactly(
            "download c1", "save c1@2", "assign c1@2", "event c1@2", "load c1@2", "apply c1@2");
  }

  @Test
  @Tag("A11")
  void row11AnotherConfigMapIsOnTrialAndTheLastKnownGoodStays() {
    be(State.GOOD);
    node.publish("c2", 1);

    node.declare(wanted("c2"));

    assertThat(node.state()).isEqualTo("A=c2@1 V=c2@1 G=c1@1 E=-");
  }

  @Test
  void row12AnEditThatIsNotValidRunsOnWithTheLastKnownGood() {
    be(State.GOOD);
    node.unloadable.put(node.publish("c1", 2), ConfigError.VALIDATE);

    node.touch();

    assertThat(node.state()).isEqualTo("A=c1@2 V=c1@1 G=c1@1 E=VALIDATE");
    assertThat(node.deeds()).doesNotContain("apply c1@1");
  }

  @Test
  @Tag("A28")
  void row13ADeletedConfigMapRunsOn() {
    be(State.GOOD);
    node.server.remove("c1");

    node.touch();

    assertThat(node.state()).isEqualTo(State.GOOD.with("DOWNLOAD"));
    assertThat(node.deeds()).containsExactly("download c1", "retry");
  }

  @Test
  @Tag("A29")
  void row14AConfigMapMadeAnewIsAnother() {
    be(State.GOOD);
    node.server.remove("c1");
    node.touch();
    node.server.put("c1", Sources.source("c1").at("another-uid", "9"));

    node.tell(new ConfigEvent.RetryDue());

    assertThat(node.state()).isEqualTo("A=c1@9 V=c1@9 G=c1@1 E=-");
  }

  @Test
  void row15WhatIsThereAgainShowsTheErrorBelow() {
    be(State.ROLLED);
    node.serverDown = true;
    node.touch();
    assertThat(node.state()).isEqualTo(State.ROLLED.with("DOWNLOAD"));
    node.serverDown = false;

    node.tell(new ConfigEvent.RetryDue());

    assertThat(node.state()).isEqualTo(State.ROLLED.shown);
  }

  @Test
  @Tag("A44")
  void row16AFixedConfigMapHealsTheNode() {
    be(State.ROLLED);
    node.publish("bad", 2);

    node.touch();

    assertThat(node.state()).isEqualTo("A=bad@2 V=bad@2 G=c1@1 E=-");
  }

  @Test
  @Tag("A45")
  void row17BackToTheLastKnownGoodRestartsNothing() {
    be(State.ROLLED);

    node.declare(wanted("c1"));

    assertThat(node.state()).isEqualTo(State.GOOD.shown);
    assertThat(node.deeds()).contains("assign c1@1").doesNotContain("apply c1@1", "load c1@1");
  }

  @Test
  @Tag("A46")
  void row18WhatWasRolledBackNeverBecomesGood() {
    be(State.ROLLED);

    node.after(Duration.ofHours(1));

    assertThat(node.state()).isEqualTo(State.ROLLED.shown);
    assertThat(node.deeds()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(State.class)
  @Tag("A27")
  @Tag("A38")
  void row19WithoutASourceTheLocalConfigRuns(State state) {
    be(state);

    node.declare(NOTHING);
    node.tell(new ConfigEvent.NodeSeen(NOTHING, true));

    assertThat(node.state()).isEqualTo(State.LOCAL.shown);
    if (state == State.LOCAL) {
      assertThat(node.deeds()).isEmpty();
    } else {
      assertThat(node.deeds()).containsExactly("trust -", "assign -", "event -", "apply -");
    }
  }

  @Test
  @Tag("A15")
  void row20AnotherKeyOfTheSameVersionIsAnotherConfig() {
    be(State.GOOD);
    ResolvedSource other = new ConfigMapSource(Sources.NAMESPACE, "c1", "bad").at("uid-of-c1", "1");
    node.unloadable.put(other, ConfigError.LOAD);

    node.declare(wanted("c1", "bad"));

    assertThat(node.state()).isEqualTo("A=c1@1/bad V=c1@1 G=c1@1 E=LOAD");
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void row21ARestartNeedsNoApiServer(State state) {
    be(state);
    node.serverDown = true;

    node.restart();

    assertThat(node.state()).isEqualTo(state.shown);
    assertThat(node.deeds()).contains("serve").noneMatch(deed -> deed.startsWith("download"));
  }

  @Test
  @Tag("A05")
  void row21ARestartDoesNotBeginTheTrialAnew() {
    be(State.TRIAL);
    node.after(Duration.ofMinutes(5));
    node.restart();

    node.after(Duration.ofMinutes(5));
    assertThat(node.state()).as("to the moment").isEqualTo(State.TRIAL.shown);
    node.after(MOMENT);

    assertThat(node.state()).isEqualTo(State.GOOD.shown);
  }

  @Test
  void row22WhatNoLongerLoadsIsRolledBackAfterARestart() {
    be(State.TRIAL);
    node.damaged.add(Sources.resolved("c1", 1));
    node.serverDown = true;

    node.restart();

    assertThat(node.state()).isEqualTo("A=c1@1 V=- G=- E=LOAD");
  }

  @Test
  @Tag("A59")
  void row22ItIsRepairedOnceTheServerHasIt() {
    be(State.GOOD);
    node.publish("c2", 1);
    node.declare(wanted("c2"));
    node.damaged.add(Sources.resolved("c2", 1));
    node.restart();
    assertThat(node.state()).isEqualTo("A=c2@1 V=c1@1 G=c1@1 E=LOAD");
    node.forget();

    node.tell(new ConfigEvent.NodeSeen(wanted("c2"), true));

    assertThat(node.state()).isEqualTo("A=c2@1 V=c2@1 G=c1@1 E=-");
    assertThat(node.deeds())
        .containsExactly("download c2", "repair c2@1", "load c2@1", "apply c2@1");
  }

  /** A58: with nothing else to go back to, the server is asked before the start is given up. */
  @Test
  @Tag("A58")
  void row22ALastKnownGoodThatIsDamagedIsRepairedAtTheStart() {
    be(State.GOOD);
    node.damaged.add(Sources.resolved("c1", 1));

    node.restart();

    assertThat(node.state()).isEqualTo(State.GOOD.shown);
    assertThat(node.deeds())
        .containsExactly(
            "load c1@1", "download c1", "repair c1@1", "load c1@1", "apply c1@1", "serve");
  }

  @Test
  void row22WithoutTheServerNothingRunsUntilItHasAnother() {
    be(State.GOOD);
    node.damaged.add(Sources.resolved("c1", 1));
    node.serverDown = true;
    node.restart();
    assertThat(node.deeds()).endsWith("download c1", "give up").doesNotContain("serve");
    node.serverDown = false;
    node.publish("c1", 2);

    node.tell(new ConfigEvent.NodeSeen(wanted("c1"), true));

    assertThat(node.state()).isEqualTo("A=c1@2 V=c1@2 G=c1@1 E=-");
    assertThat(node.deeds()).contains("serve");
  }

  @Test
  void row22AnotherVersionIsNoRepair() {
    be(State.GOOD);
    node.damaged.add(Sources.resolved("c1", 1));
    node.publish("c1", 2);

    node.restart();

    assertThat(node.deeds()).endsWith("download c1", "give up");
  }

  @Test
  void row22WhatIsAsTheServerHasItIsNotRepairedTwice() {
    be(State.GOOD);
    node.unloadable.put(Sources.resolved("c1", 1), ConfigError.LOAD);

    node.restart();

    assertThat(node.deeds()).endsWith("download c1", "repair c1@1", "give up");
  }

  @Test
  void anAnswerToWhatWasNotAskedIsAMistakeOfTheCaller() {
    List<Answer> answers =
        List.of(
            new ConfigEvent.Downloaded("u", "1", Map.of()),
            new ConfigEvent.DownloadFailed("no"),
            new ConfigEvent.Saved(true),
            new ConfigEvent.Written(TestNode.BEGIN),
            new ConfigEvent.WriteFailed("no"),
            new ConfigEvent.Loaded(),
            new ConfigEvent.Applied(),
            new ConfigEvent.Rejected(ConfigError.LOAD, "no"));
    List<String> expected = new ArrayList<>();
    be(State.GOOD);
    node.publish("c2", 1);
    for (Answer answer : answers) {
      assertThatIllegalStateException().isThrownBy(() -> node.sync().on(answer));
    }
    node.hear(new ConfigEvent.NodeSeen(wanted("c2"), false));
    while (node.pending() != null) {
      expected.add(String.valueOf(node.pending()).replaceFirst("\\[.*", ""));
      Phase phase = node.phase();
      for (Answer answer : answers) {
        if (!fits(phase, answer)) {
          assertThatIllegalStateException().isThrownBy(() -> node.sync().on(answer));
        }
      }
      node.answer();
    }
    assertThat(expected)
        .containsExactly("Download", "SaveCheckpoint", "WriteAssigned", "Load", "Apply");
  }

  private static boolean fits(Phase phase, Answer answer) {
    if (phase instanceof Phase.Downloading) {
      return answer instanceof ConfigEvent.Downloaded
          || answer instanceof ConfigEvent.DownloadFailed;
    }
    if (phase instanceof Phase.Saving) {
      return answer instanceof ConfigEvent.Saved || answer instanceof ConfigEvent.WriteFailed;
    }
    if (phase instanceof Phase.Assigning) {
      return answer instanceof ConfigEvent.Written || answer instanceof ConfigEvent.WriteFailed;
    }
    boolean rejected = answer instanceof ConfigEvent.Rejected;
    return phase instanceof Phase.Loading
        ? rejected || answer instanceof ConfigEvent.Loaded
        : rejected || answer instanceof ConfigEvent.Applied;
  }

  @Test
  void row23WhatIsNotValidWithOtherFlagsIsRolledBackAfterARestart() {
    be(State.TRIAL);
    node.unloadable.put(Sources.resolved("c1", 1), ConfigError.VALIDATE);

    node.restart();

    assertThat(node.state()).isEqualTo("A=c1@1 V=- G=- E=VALIDATE");
  }

  @Test
  @Tag("A50")
  void row24WithoutALastKnownGoodThatLoadsNothingRuns() {
    be(State.ROLLED);
    node.damaged.add(Sources.resolved("c1", 1));

    node.restart();

    assertThat(node.deeds()).endsWith("give up").doesNotContain("serve");
  }

  @Test
  void row25WhatLoadsNowIsOnTrialAfterARestart() {
    be(State.ROLLED);
    node.unloadable.clear();

    node.restart();

    assertThat(node.state()).isEqualTo("A=bad@1 V=bad@1 G=c1@1 E=-");
  }

  @ParameterizedTest
  @EnumSource(State.class)
  void row26ADeletedNodeChangesNothing(State state) {
    be(state);

    node.tell(new ConfigEvent.NodeDeleted());

    assertThat(node.state()).isEqualTo(state.shown);
    assertThat(node.deeds()).isEmpty();
  }

  @Test
  void row27ANodeMadeAnewWithoutASourceIsReset() {
    be(State.GOOD);

    node.tell(new ConfigEvent.NodeDeleted());
    node.tell(new ConfigEvent.NodeSeen(NOTHING, true));

    assertThat(node.state()).isEqualTo(State.LOCAL.shown);
  }

  @Test
  void row28AServerThatIsAwayShowsOnlyWhereItWasNeeded() {
    be(State.GOOD);
    node.serverDown = true;

    node.after(MOMENT);
    node.tell(new ConfigEvent.RetryDue());

    assertThat(node.state()).isEqualTo(State.GOOD.shown);
    assertThat(node.deeds()).isEmpty();
  }

  /** A65: what comes while an operation is under way makes for one more run, with the last. */
  @Test
  @Tag("A65")
  void ofManyChangesTheLastOneCounts() {
    be(State.GOOD);
    for (int i = 2; i <= 20; i++) {
      node.publish("c" + i, 1);
    }

    for (int i = 2; i <= 20; i++) {
      node.hear(new ConfigEvent.NodeSeen(wanted("c" + i), false));
    }
    while (node.pending() != null) {
      node.answer();
    }

    assertThat(node.state()).isEqualTo("A=c20@1 V=c20@1 G=c1@1 E=-");
    assertThat(node.deeds()).filteredOn(deed -> deed.startsWith("apply")).hasSize(1);
  }

  @Test
  @Tag("A61")
  void aClockThatIsSetBackOnlyLengthensTheTrial() {
    be(State.TRIAL);
    node.after(Duration.ofMinutes(5));
    node.after(Duration.ofHours(-1));
    node.after(Duration.ofMinutes(59));
    assertThat(node.state()).isEqualTo(State.TRIAL.shown);

    node.after(Duration.ofMinutes(7).plus(MOMENT));

    assertThat(node.state()).isEqualTo(State.GOOD.shown);
  }

  @Test
  @Tag("A57")
  void anAssignedRecordThatMakesNoSenseIsWrittenAnew() {
    be(State.GOOD);
    node.corruptAssigned();
    node.restart();
    assertThat(node.state()).isEqualTo("A=- V=c1@1 G=c1@1 E=INTERNAL");

    node.tell(new ConfigEvent.NodeSeen(wanted("c1"), true));

    assertThat(node.state()).isEqualTo(State.GOOD.shown);
  }

  @Test
  @Tag("A67")
  void whereAChangeEndsTheProcessTheNextOneRunsIt() {
    node.options(new ConfigSyncOptions(TRIAL, true));
    node.publish("c1", 1);
    node.restart().tell(new ConfigEvent.NodeSeen(wanted("c1"), true));
    assertThat(node.deeds()).endsWith("assign c1@1", "event c1@1", "exit");

    node.restart();

    assertThat(node.state()).isEqualTo(State.TRIAL.shown);
  }

  /** What a dead process was loading is not loaded again, whoever asks for it. */
  @Test
  void aLoadThatEndsTheProcessFallsBackToTheLastKnownGood() {
    be(State.GOOD);
    node.deadly.add(node.publish("bomb", 1));

    node.declare(wanted("bomb"));
    assertThat(node.state()).isEqualTo("A=bomb@1 V=c1@1 G=c1@1 E=LOAD");

    node.restart().tell(new ConfigEvent.NodeSeen(wanted("bomb"), true)).touch();
    assertThat(node.state()).isEqualTo("A=bomb@1 V=c1@1 G=c1@1 E=LOAD");
    assertThat(node.deeds()).doesNotContain("load bomb@1", "repair bomb@1");
    node.declare(wanted("c1"));
    assertThat(node.state()).isEqualTo("A=c1@1 V=c1@1 G=c1@1 E=-");
    node.declare(wanted("bomb"));
    assertThat(node.state()).isEqualTo("A=bomb@1 V=c1@1 G=c1@1 E=LOAD");
    node.publish("bomb", 2);
    node.touch();
    assertThat(node.state()).isEqualTo("A=bomb@2 V=bomb@2 G=c1@1 E=-");
  }

  @Test
  void aFirstLoadThatEndsTheProcessFallsBackToTheLocalConfig() {
    be(State.LOCAL);
    node.deadly.add(node.publish("bomb", 1));

    node.declare(wanted("bomb"));

    assertThat(node.state()).isEqualTo("A=bomb@1 V=- G=- E=LOAD");
    assertThat(node.deeds()).containsExactly("apply -", "serve");
  }

  @Test
  void aLastKnownGoodThatEndsTheProcessGivesWayToTheLocalConfig() {
    be(State.GOOD);
    node.deadly.add(node.publish("c1", 1));
    node.restart();
    assertThat(node.state()).isEqualTo("A=c1@1 V=- G=c1@1 E=LOAD");
  }

  @Test
  void goingBackEndsTheProcessAndThenGoesFurtherBack() {
    be(State.ROLLED);

    node.deadly.add(Sources.resolved("c1", 1));
    node.restart();
    assertThat(node.state()).isEqualTo("A=bad@1 V=- G=c1@1 E=LOAD");
  }
}
