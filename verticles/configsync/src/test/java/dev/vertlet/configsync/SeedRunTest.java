package dev.vertlet.configsync;

import static dev.vertlet.configsync.Sources.wanted;
import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.configsync.source.Channel;
import dev.vertlet.configsync.source.DeclaredSource.None;
import dev.vertlet.configsync.source.ResolvedSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A node that arrives where the disk knows nothing of it. */
class SeedRunTest {
  private final TestNode node = new TestNode();

  @Test
  void whatItCouldGoBackToIsKeptAndTheTrialOfWhatIsAssignedStartsAnew() {
    ResolvedSource good = node.publish("good", 1);
    node.publish("new", 1);
    node.move();

    node.see(wanted("new"), good);

    assertThat(node.state()).isEqualTo("A=new@1 V=new@1 G=good@1 E=-");
    assertThat(node.deeds())
        .containsExactly(
            "apply -",
            "serve",
            "download good",
            "save good@1",
            "trust good@1",
            "download new",
            "save new@1",
            "assign new@1",
            "event new@1",
            "load new@1",
            "apply new@1");
    assertThat(node.sync().trialEndsAt()).isPresent();
  }

  @Test
  void whatIsBadGoesBackToWhatWasGoodUnderAnotherAgent() {
    ResolvedSource good = node.publish("good", 1);
    node.unloadable.put(node.publish("bad", 1), ConfigError.LOAD);
    node.move();

    node.see(wanted("bad"), good);

    assertThat(node.state()).isEqualTo("A=bad@1 V=good@1 G=good@1 E=LOAD");
  }

  @Test
  void whatHadBeenProvenIsNotTriedAgain() {
    ResolvedSource good = node.publish("good", 1);
    node.move();

    node.see(wanted("good"), good);

    assertThat(node.state()).isEqualTo("A=good@1 V=good@1 G=good@1 E=-");
    assertThat(node.sync().trialEndsAt()).isEmpty();
  }

  /** Its status is all that remembers: it must not be written over before that is settled. */
  @Test
  void theOldStatusStandsUntilThen() {
    ResolvedSource good = node.publish("good", 1);
    node.move();
    assertThat(node.done()).noneMatch(ConfigAction.WriteStatus.class::isInstance);

    node.hear(new ConfigEvent.NodeSeen(wanted("new"), true, good));
    assertThat(node.done())
        .as("agents may not get ConfigMaps, but watch them")
        .contains(
            new ConfigAction.Watch(Set.of(good.source().object(), Sources.source("new").object())));
    while (node.storedLastKnownGood() == null) {
      assertThat(node.done()).noneMatch(ConfigAction.WriteStatus.class::isInstance);
      node.answer();
    }
    assertThat(node.done()).anyMatch(ConfigAction.WriteStatus.class::isInstance);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(ints = 2)
  void whatIsGoneOrAnotherByNowLeavesTheLocalConfig(@Nullable Integer version) {
    ResolvedSource good = Sources.resolved("good", 1);
    if (version != null) {
      node.publish("good", version);
    }
    node.publish("new", 1);
    node.move();

    node.see(wanted("new"), good);

    assertThat(node.state()).isEqualTo("A=new@1 V=new@1 G=- E=-");
    assertThat(node.done())
        .filteredOn(ConfigAction.MissSeed.class::isInstance)
        .singleElement()
        .extracting(action -> ((ConfigAction.MissSeed) action).good())
        .isEqualTo(good);
  }

  @Test
  void aFullDiskLeavesTheLocalConfig() {
    ResolvedSource good = node.publish("good", 1);
    node.move();
    node.diskFull = true;

    node.see(wanted("good"), good);

    assertThat(node.state()).isEqualTo("A=- V=- G=- E=SYNC_INTERNAL");
    assertThat(node.done()).anyMatch(ConfigAction.MissSeed.class::isInstance);
  }

  @Test
  void whoIsToRunTheLocalConfigFetchesNothing() {
    ResolvedSource good = node.publish("good", 1);
    node.move();

    node.see(new None(Channel.NONE), good);

    assertThat(node.deeds()).containsExactly("apply -", "serve");
    assertThat(node.done()).anyMatch(ConfigAction.WriteStatus.class::isInstance);
  }

  @Test
  void aDiskThatKnowsTheNodeIsBelieved() {
    ResolvedSource good = node.publish("good", 1);
    node.publish("mine", 1);
    node.move().see(wanted("mine"), null);
    node.restart();

    node.see(wanted("mine"), good);

    assertThat(node.state()).isEqualTo("A=mine@1 V=mine@1 G=- E=-");
    assertThat(node.deeds()).doesNotContain("download good");
  }

  @Test
  void anObjectMadeAnewLaterIsNoArrival() {
    ResolvedSource good = node.publish("good", 1);
    node.publish("new", 1);
    node.move().see(wanted("new"), null);

    node.see(wanted("new"), good);

    assertThat(node.deeds()).doesNotContain("download good");
  }
}
