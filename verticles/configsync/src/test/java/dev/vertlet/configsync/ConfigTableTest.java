package dev.vertlet.configsync;

import static dev.vertlet.configsync.Sources.NOTHING;
import static dev.vertlet.configsync.Sources.wanted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.vertlet.configsync.ConfigEvent.Answer;
import dev.vertlet.configsync.source.ConfigMapSource;
import dev.vertlet.configsync.source.DeclaredSource;
import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.testing.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every row of the table of states and events, by its number: what is assigned, active and last
 * known good, and which error is shown, as {@link TestNode#state} writes them.
 */
class ConfigTableTest {
  private static final Duration TRIAL = TestNode.TRIAL;
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

  /**
   * What happens to the node, then what is assigned, active and last known good, and the error;
   * then all that it did about it. {@code is:} and {@code did:} say the same of a moment in
   * between.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          1: a valid source is on trial | LOCAL | declare:c1 | c1@1,c1@1,-,- | download c1, save c1@1, assign c1@1, event c1@1, load c1@1, apply c1@1
          7: what is not valid is rolled back | GOOD | invalid:c2@1 declare:c2 | c2@1,c1@1,c1@1,VALIDATE | download c2, save c2@1, assign c2@1, event c2@1, load c2@1
          8: what cannot be applied is applied back | GOOD | unappliable:c2@1 declare:c2 | c2@1,c1@1,c1@1,INTERNAL | download c2, save c2@1, assign c2@1, event c2@1, load c2@1, apply c2@1, load c1@1, apply c1@1
          8: a last known good that cannot be applied either ends it | GOOD | unappliable:c2@1 unappliable:c1@1 declare:c2 | c2@1,-,c1@1,INTERNAL | download c2, save c2@1, assign c2@1, event c2@1, load c2@1, apply c2@1, load c1@1, apply c1@1, give up
          9, A04: after the trial it is the last known good | TRIAL | after:PT10M1S stored:c1@1 | c1@1,c1@1,c1@1,- | trust c1@1, collect
          10, A03: of the trial no moment is missing | TRIAL | after:PT10M | c1@1,c1@1,-,- | ''
          11, A08: an edit is on trial and the last known good stays | GOOD | publish:c1@2 touch | c1@2,c1@2,c1@1,- | download c1, save c1@2, assign c1@2, event c1@2, load c1@2, apply c1@2
          11, A11: another ConfigMap is on trial and the last known good stays | GOOD | publish:c2@1 declare:c2 | c2@1,c2@1,c1@1,- | download c2, save c2@1, assign c2@1, event c2@1, load c2@1, apply c2@1
          12: an edit that is not valid runs on with the last known good | GOOD | invalid:c1@2 touch | c1@2,c1@1,c1@1,VALIDATE | download c1, save c1@2, assign c1@2, event c1@2, load c1@2
          13, A28: a deleted ConfigMap runs on | GOOD | remove:c1 touch | c1@1,c1@1,c1@1,DOWNLOAD | download c1, retry
          14, A29: a ConfigMap made anew is another | GOOD | remove:c1 touch forget remade:c1@9 retry | c1@9,c1@9,c1@1,- | download c1, save c1@9, assign c1@9, event c1@9, load c1@9, apply c1@9
          15: what is there again shows the error below | ROLLED | down touch is:bad@1,c1@1,c1@1,DOWNLOAD up retry | bad@1,c1@1,c1@1,LOAD | download bad, retry, download bad, repair bad@1
          16, A44: a fixed ConfigMap heals the node | ROLLED | publish:bad@2 touch | bad@2,bad@2,c1@1,- | download bad, save bad@2, assign bad@2, event bad@2, load bad@2, apply bad@2
          17, A45: back to the last known good restarts nothing | ROLLED | declare:c1 | c1@1,c1@1,c1@1,- | download c1, save c1@1, assign c1@1, event c1@1
          18, A46: what was rolled back never becomes good | ROLLED | after:PT1H | bad@1,c1@1,c1@1,LOAD | ''
          20, A15: another key of the same version is another config | GOOD | loads-not:c1@1/bad declare:c1/bad | c1@1/bad,c1@1,c1@1,LOAD | download c1, save c1@1/bad, assign c1@1/bad, event c1@1/bad, load c1@1/bad, repair c1@1/bad
          21, A05: a restart does not begin the trial anew | TRIAL | after:PT5M restart forget after:PT5M is:c1@1,c1@1,-,- after:PT1S | c1@1,c1@1,c1@1,- | trust c1@1, collect
          22: what no longer loads is rolled back after a restart | TRIAL | damaged:c1@1 down restart | c1@1,-,-,LOAD | load c1@1, apply -, serve
          22, A59: it is repaired once the server has it | GOOD | publish:c2@1 declare:c2 damaged:c2@1 restart is:c2@1,c1@1,c1@1,LOAD forget see:c2 | c2@1,c2@1,c1@1,- | download c2, repair c2@1, load c2@1, apply c2@1
          22, A58: a damaged last known good is repaired at the start | GOOD | damaged:c1@1 restart | c1@1,c1@1,c1@1,- | load c1@1, download c1, repair c1@1, load c1@1, apply c1@1, serve
          22: without the server nothing runs | GOOD | damaged:c1@1 down restart | c1@1,-,c1@1,LOAD | load c1@1, download c1, give up
          22: without the server nothing runs until it has another | GOOD | damaged:c1@1 down restart forget up publish:c1@2 see:c1 | c1@2,c1@2,c1@1,- | download c1, save c1@2, assign c1@2, event c1@2, load c1@2, apply c1@2, serve
          22: another version is no repair | GOOD | damaged:c1@1 publish:c1@2 restart | c1@1,-,c1@1,LOAD | load c1@1, download c1, give up
          22: what is as the server has it is not repaired twice | GOOD | loads-not:c1@1 restart | c1@1,-,c1@1,LOAD | load c1@1, download c1, repair c1@1, give up
          23: what other flags make invalid is rolled back after a restart | TRIAL | validates-not:c1@1 restart | c1@1,-,-,VALIDATE | load c1@1, apply -, serve
          24, A50: without a last known good that loads nothing runs | ROLLED | damaged:c1@1 restart | bad@1,-,c1@1,LOAD | load bad@1, load c1@1, give up
          25: what loads now is on trial after a restart | ROLLED | all-load restart | bad@1,bad@1,c1@1,- | load bad@1, apply bad@1, serve
          27: a node made anew without a source is reset | GOOD | deleted see:- | -,-,-,- | trust -, assign -, event -, apply -
          28: a server that is away shows only where it was needed | GOOD | down after:PT1S retry | c1@1,c1@1,c1@1,- | ''
          A61: a clock that is set back only lengthens the trial | TRIAL | after:PT5M after:PT-1H after:PT59M is:c1@1,c1@1,-,- after:PT7M1S | c1@1,c1@1,c1@1,- | trust c1@1, collect
          A57: an assigned record that makes no sense is written anew | GOOD | corrupt restart is:-,c1@1,c1@1,INTERNAL forget see:c1 | c1@1,c1@1,c1@1,- | download c1, save c1@1, assign c1@1, event c1@1
          A67: where a change ends the process the next one runs it | LOCAL | exits declare:c1 did:exit restart | c1@1,c1@1,-,- | load c1@1, apply c1@1, serve
          a load that ends the process falls back to the last known good | GOOD | deadly:bomb@1 declare:bomb | bomb@1,c1@1,c1@1,LOAD | load c1@1, apply c1@1, serve
          what ended a process is not loaded again | GOOD | deadly:bomb@1 declare:bomb restart see:bomb touch | bomb@1,c1@1,c1@1,LOAD | load c1@1, apply c1@1, serve, download bomb, save bomb@1, download bomb, save bomb@1
          what ended a process is loaded once it has another version | GOOD | deadly:bomb@1 declare:bomb declare:c1 is:c1@1,c1@1,c1@1,- declare:bomb is:bomb@1,c1@1,c1@1,LOAD forget publish:bomb@2 touch | bomb@2,bomb@2,c1@1,- | download bomb, save bomb@2, assign bomb@2, event bomb@2, load bomb@2, apply bomb@2
          a first load that ends the process falls back to the local config | LOCAL | deadly:bomb@1 declare:bomb | bomb@1,-,-,LOAD | apply -, serve
          a last known good that ends the process gives way to the local config | GOOD | deadly:c1@1 restart | c1@1,-,c1@1,LOAD | apply -, serve
          going back ends the process and then goes further back | ROLLED | deadly:c1@1 restart | bad@1,-,c1@1,LOAD | load bad@1, apply -, serve
          """)
  @Tag("A03")
  @Tag("A04")
  @Tag("A05")
  @Tag("A08")
  @Tag("A11")
  @Tag("A15")
  @Tag("A28")
  @Tag("A29")
  @Tag("A44")
  @Tag("A45")
  @Tag("A46")
  @Tag("A50")
  @Tag("A57")
  @Tag("A58")
  @Tag("A59")
  @Tag("A61")
  @Tag("A67")
  void rowsOfOneState(String row, State before, String events, String state, String deeds) {
    be(before);

    Scenario.play(events, this::step);

    assertThat(node.state()).isEqualTo(shown(state));
    assertThat(String.join(", ", node.deeds())).isEqualTo(deeds);
  }

  private void step(String word, String argument) {
    switch (word) {
      case "declare" -> node.declare(declared(argument));
      case "see" -> node.tell(new ConfigEvent.NodeSeen(declared(argument), true));
      case "touch" -> node.touch();
      case "retry" -> node.tell(new ConfigEvent.RetryDue());
      case "restart" -> node.restart();
      case "deleted" -> node.tell(new ConfigEvent.NodeDeleted());
      case "after" -> node.after(Duration.parse(argument));
      case "publish" -> published(argument);
      case "remove" -> node.server.remove(argument);
      case "remade" -> node.server.put("c1", Sources.source("c1").at("another-uid", "9"));
      case "invalid" -> node.unloadable.put(published(argument), ConfigError.VALIDATE);
      case "validates-not" -> node.unloadable.put(resolved(argument), ConfigError.VALIDATE);
      case "loads-not" -> node.unloadable.put(resolved(argument), ConfigError.LOAD);
      case "unappliable" -> node.unappliable.put(published(argument), ConfigError.INTERNAL);
      case "all-load" -> node.unloadable.clear();
      case "damaged" -> node.damaged.add(resolved(argument));
      case "deadly" -> node.deadly.add(published(argument));
      case "corrupt" -> node.corruptAssigned();
      case "exits" -> node.exitsOnChange().restart();
      case "down" -> node.serverDown = true;
      case "up" -> node.serverDown = false;
      case "forget" -> node.forget();
      case "is" -> assertThat(node.state()).isEqualTo(shown(argument));
      case "did" -> assertThat(node.deeds()).endsWith(argument);
      case "stored" -> {
        assertThat(node.storedAssigned()).isEqualTo(resolved(argument));
        assertThat(node.storedLastKnownGood()).isEqualTo(resolved(argument));
      }
      default -> throw Scenario.unknown(word);
    }
  }

  private static String shown(String state) {
    return "A=%s V=%s G=%s E=%s".formatted((Object[]) state.split(","));
  }

  /** Written {@code name}, {@code name/key}, or {@code -} for no source at all. */
  private static DeclaredSource declared(String text) {
    String[] parts = text.split("/");
    return text.equals("-")
        ? NOTHING
        : parts.length == 1 ? wanted(text) : wanted(parts[0], parts[1]);
  }

  /** Written {@code name@version} or {@code name@version/key}. */
  private static ResolvedSource resolved(String text) {
    String[] parts = text.split("[@/]");
    String key = parts.length == 2 ? "kubelet" : parts[2];
    return new ConfigMapSource(Sources.NAMESPACE, parts[0], key).at("uid-of-" + parts[0], parts[1]);
  }

  private ResolvedSource published(String text) {
    ResolvedSource source = resolved(text);
    return node.publish(source.source().name(), Integer.parseInt(source.resourceVersion()));
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

  @ParameterizedTest
  @EnumSource(State.class)
  void row26ADeletedNodeChangesNothing(State state) {
    be(state);

    node.tell(new ConfigEvent.NodeDeleted());

    assertThat(node.state()).isEqualTo(state.shown);
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
}
