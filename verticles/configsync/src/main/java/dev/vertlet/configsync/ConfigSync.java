package dev.vertlet.configsync;

import dev.vertlet.configsync.ConfigEvent.Answer;
import dev.vertlet.configsync.ConfigEvent.WriteFailed;
import dev.vertlet.configsync.ConfigEvent.Written;
import dev.vertlet.configsync.ConfigFacts.Overlay;
import dev.vertlet.configsync.source.DeclaredSource;
import dev.vertlet.configsync.store.StoredMeta;
import dev.vertlet.configsync.store.StoredMeta.Assigned;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Decides about the dynamic configuration of one node. Pure except for its own fields: takes events
 * that contain the time, returns actions.
 *
 * <pre>
 *   New ──▶ {@link ConfigRollout} ──▶ Idle ──▶ {@link SyncRun} ──▶ {@link ConfigRollout} ──▶ Idle
 *                                      ├──▶ Graduating ──▶ Idle
 *                                      └──▶ {@link SeedRun} ──▶ Idle
 * </pre>
 *
 * <p>One operation at a time; events during an operation cause one more run afterwards. A config is
 * reported or applied only once it is durable.
 */
final class ConfigSync {
  private final Duration trial;
  private final ConfigState state = new ConfigState();
  private final ConfigRollout rollout = new ConfigRollout(state);
  private final SyncRun run;
  private final SeedRun seed = new SeedRun(state);

  /** A trigger of a sync has occurred since the last sync began. */
  private boolean due;

  /**
   * Creates the decisions of one node.
   *
   * @param trial how long a config must run before it counts as good
   * @param exitOnChange whether a change ends the process
   * @param random spreads the retries of many nodes
   */
  ConfigSync(Duration trial, boolean exitOnChange, RandomGenerator random) {
    this.trial = trial;
    this.run = new SyncRun(state, rollout, exitOnChange, random);
  }

  ConfigFacts facts() {
    return state.facts();
  }

  Phase phase() {
    return state.phase();
  }

  /** The condition to write, also before the start is over. */
  ConfigOk condition() {
    return state.serving() ? ConfigOk.of(facts()) : ConfigOk.NOT_EVALUATED;
  }

  /** When the trial of the running config ends; empty without a trial. */
  Optional<Instant> trialEndsAt() {
    return facts().onTrial()
        ? Optional.ofNullable(state.assignedSince()).map(since -> since.plus(trial))
        : Optional.empty();
  }

  /**
   * Handles one event.
   *
   * @return at most one {@link ConfigAction.Operation} among them, as the last
   * @throws IllegalStateException for an answer without its operation
   */
  List<ConfigAction> on(ConfigEvent event) {
    if (state.phase() instanceof Phase.Exiting) {
      return List.of();
    }
    if (event instanceof Answer answer) {
      if (!rollout.takes(answer)
          && !run.takes(answer)
          && !seed.takes(answer)
          && !graduating(answer)) {
        throw new IllegalStateException(answer + " while " + state.phase());
      }
    } else {
      trigger(event);
    }
    DeclaredSource declared = state.declared();
    if (due && declared != null && state.idle() && !seed.begin()) {
      due = false;
      run.begin(declared);
    }
    return state.drain();
  }

  private void trigger(ConfigEvent event) {
    if (event instanceof ConfigEvent.Started started) {
      start(started.stored());
    } else if (event instanceof ConfigEvent.NodeSeen seen) {
      due |= seen.added() || !seen.declared().equals(state.declared());
      state.declared(seen.declared());
      seed.seen(seen.declared(), seen.good());
      if (seen.added()) {
        state.forgetStatus();
      }
    } else if (event instanceof ConfigEvent.ConfigMapTouched) {
      due = true;
    } else if (event instanceof ConfigEvent.RetryDue) {
      due |= facts().overlay() != null;
    } else if (event instanceof ConfigEvent.Tick tick && graduates(tick.now())) {
      state.begin(new Phase.Graduating(), new ConfigAction.WriteLastKnownGood(facts().assigned()));
    }
  }

  private void start(StoredMeta stored) {
    if (!(state.phase() instanceof Phase.New)) {
      throw new IllegalStateException("started twice");
    }
    state.facts(known -> known.withLastKnownGood(stored.lastKnownGood()));
    rollout.fatal(stored.fatal());
    Assigned assigned = stored.assigned();
    if (assigned instanceof Assigned.Remote remote) {
      state.assigned(remote.source(), remote.since());
      rollout.load(remote.source(), null);
    } else if (assigned instanceof Assigned.Corrupt corrupt) {
      state.unreadable();
      state.complain(ConfigError.INTERNAL, corrupt.cause());
      state.facts(known -> known.withBase(ConfigError.INTERNAL));
      rollout.goBack(false);
    } else {
      if (stored.lastKnownGood() == null) {
        seed.open();
      }
      rollout.apply(null);
    }
  }

  /**
   * Whether the trial is over; false while a reset waits to be written, which removes this config.
   */
  private boolean graduates(Instant now) {
    return state.idle()
        && !(state.declared() instanceof DeclaredSource.None)
        && trialEndsAt().filter(end -> end.isBefore(now)).isPresent();
  }

  private boolean graduating(Answer answer) {
    if (!(state.phase() instanceof Phase.Graduating)) {
      return false;
    }
    if (answer instanceof WriteFailed failed) {
      // the next tick retries
      state.complain(ConfigError.SYNC_INTERNAL, failed.cause());
      state.overlay(new Overlay(ConfigError.SYNC_INTERNAL, "", true));
      state.rest();
      return true;
    }
    if (!(answer instanceof Written)) {
      return false;
    }
    state.facts(known -> known.withLastKnownGood(known.assigned()));
    Overlay overlay = facts().overlay();
    if (overlay != null && overlay.ofTrial()) {
      state.overlay(null);
    }
    state.rest();
    state.add(new ConfigAction.CollectGarbage());
    return true;
  }
}
