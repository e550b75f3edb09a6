package dev.vertlet.configsync;

import dev.vertlet.configsync.ConfigFacts.Overlay;
import dev.vertlet.configsync.source.ConfigMapRef;
import dev.vertlet.configsync.source.DeclaredSource;
import dev.vertlet.configsync.source.ResolvedSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * State of one node in {@link ConfigSync}, and the actions of the current event. Adds a status
 * write or a watch only when it differs from the last one.
 */
final class ConfigState {
  private ConfigFacts facts = ConfigFacts.LOCAL;
  private Phase phase = new Phase.New();
  private @Nullable DeclaredSource declared;
  private boolean serving;
  private @Nullable Instant assignedSince;

  /** A config is assigned, but its record cannot be read. */
  private boolean unreadable;

  /** The status on the Node stays unchanged for now. */
  private boolean held;

  private @Nullable ConfigMapRef sought;
  private ConfigAction.@Nullable WriteStatus written;
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

  /** Takes the assigned config as it is on disk from now on. */
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

  /** Whether the disk holds nothing except the local config. */
  boolean nothingStored() {
    return facts.assigned() == null && facts.lastKnownGood() == null && !unreadable;
  }

  /** Whether a config runs. */
  boolean serving() {
    return serving;
  }

  /** Writes the next status even if it is unchanged. */
  void forgetStatus() {
    written = null;
  }

  /** Sets whether the status on the Node stays unchanged until the next call. */
  void hold(boolean status) {
    held = status;
  }

  /** Sets a ConfigMap to watch in addition to the assigned and the declared one; null for none. */
  void seek(@Nullable ConfigMapRef other) {
    sought = other;
  }

  void add(ConfigAction action) {
    actions.add(action);
  }

  /** Begins an operation, after adding pending status writes and watches. */
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

  /** Adds the pending status write and watch. A node without a running config writes no status. */
  void publish() {
    if (serving && !held) {
      ConfigAction.WriteStatus now =
          new ConfigAction.WriteStatus(facts.status(), ConfigOk.of(facts));
      if (!now.equals(written)) {
        written = now;
        add(now);
      }
    }
    watch();
  }

  /**
   * Watches the assigned ConfigMap, so that a corrected version repairs the node, and the declared
   * one.
   */
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

  /** Returns the actions collected since the last call. */
  List<ConfigAction> drain() {
    publish();
    List<ConfigAction> done = List.copyOf(actions);
    actions = new ArrayList<>();
    return done;
  }
}
