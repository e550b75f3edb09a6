package dev.vertlet.configsync;

import dev.vertlet.configsync.ConfigFacts.Overlay;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What {@link ConfigSync} knows of one node, and the actions of the event it is at. Sees to it that
 * a status or a watch is asked for when it differs from the last one, and never otherwise.
 */
final class ConfigBook {
  private ConfigFacts facts = ConfigFacts.LOCAL;
  private Phase phase = new Phase.New();
  private @Nullable DeclaredSource declared;
  private boolean serving;
  private @Nullable Instant assignedSince;

  /** Something is assigned, and nobody knows what. */
  private boolean unreadable;

  /** The status on the Node stays as it is for now. */
  private boolean held;

  private @Nullable ConfigMapRef sought;
  private ConfigAction.@Nullable WriteStatus told;
  private Set<ConfigMapRef> watched = Set.of();
  private List<ConfigAction> actions = new ArrayList<>();

  ConfigFacts facts() {
    return facts;
  }

  void facts(UnaryOperator<ConfigFacts> change) {
    facts = change.apply(facts);
  }

  Phase phase() {
    return phase;
  }

  boolean idle() {
    return phase instanceof Phase.Idle;
  }

  void rest() {
    phase = new Phase.Idle();
  }

  @Nullable DeclaredSource declared() {
    return declared;
  }

  void declared(DeclaredSource now) {
    declared = now;
  }

  /** As it is on disk from now on. */
  void assigned(@Nullable ResolvedSource source, @Nullable Instant since) {
    facts(known -> known.withAssigned(source));
    assignedSince = since;
    unreadable = false;
  }

  void unreadable() {
    unreadable = true;
  }

  @Nullable Instant assignedSince() {
    return assignedSince;
  }

  /** Whether the disk says nothing but the local config. */
  boolean nothingStored() {
    return facts.assigned() == null && facts.lastKnownGood() == null && !unreadable;
  }

  /** Whether some config runs. */
  boolean serving() {
    return serving;
  }

  /** The status is written again although it is the same. */
  void forgetStatus() {
    told = null;
  }

  /** Whether the status on the Node shall stay as it is until this is called again. */
  void hold(boolean status) {
    held = status;
  }

  /** What is watched beside the assigned and the declared one; null for nothing. */
  void seek(@Nullable ConfigMapRef other) {
    sought = other;
  }

  void add(ConfigAction action) {
    actions.add(action);
  }

  /** Begins an operation; what is to be told is told first. */
  void begin(Phase next, ConfigAction.Operation operation) {
    publish();
    phase = next;
    add(operation);
  }

  void end() {
    publish();
    phase = new Phase.Exiting();
    add(new ConfigAction.Exit());
  }

  void runs(@Nullable ResolvedSource source) {
    facts(known -> known.withActive(source));
    if (!serving) {
      serving = true;
      add(new ConfigAction.Serve());
    }
  }

  void giveUp(String cause) {
    facts(known -> known.withActive(null));
    serving = false;
    forgetStatus();
    rest();
    add(new ConfigAction.GiveUp(cause));
  }

  void complain(ConfigError error, String cause) {
    add(new ConfigAction.Complain(error, cause));
  }

  void overlay(@Nullable Overlay overlay) {
    facts(known -> known.withOverlay(overlay));
  }

  /** Asks for what has to be told by now. A node without a config tells nothing. */
  void publish() {
    if (serving && !held) {
      ConfigAction.WriteStatus now =
          new ConfigAction.WriteStatus(facts.status(), ConfigOk.of(facts));
      if (!now.equals(told)) {
        told = now;
        add(now);
      }
    }
    watch();
  }

  /** The assigned one, so that mending it mends the node, and the declared one. */
  private void watch() {
    Set<ConfigMapRef> wanted = new LinkedHashSet<>();
    if (facts.assigned() != null) {
      wanted.add(facts.assigned().source().object());
    }
    if (declared instanceof DeclaredSource.Wanted named) {
      wanted.add(named.source().object());
    }
    if (sought != null) {
      wanted.add(sought);
    }
    if (!wanted.equals(watched)) {
      watched = Set.copyOf(wanted);
      add(new ConfigAction.Watch(watched));
    }
  }

  /** What was collected since the last call. */
  List<ConfigAction> drain() {
    publish();
    List<ConfigAction> done = List.copyOf(actions);
    actions = new ArrayList<>();
    return done;
  }
}
