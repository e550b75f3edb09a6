package dev.vertlet.configsync;

import dev.vertlet.configsync.ConfigEvent.Answer;
import dev.vertlet.configsync.ConfigEvent.DownloadFailed;
import dev.vertlet.configsync.ConfigEvent.Downloaded;
import dev.vertlet.configsync.ConfigEvent.Saved;
import dev.vertlet.configsync.ConfigEvent.WriteFailed;
import dev.vertlet.configsync.ConfigEvent.Written;
import dev.vertlet.configsync.ConfigFacts.Overlay;
import dev.vertlet.configsync.Phase.Fetched;
import dev.vertlet.configsync.source.DeclaredSource;
import dev.vertlet.configsync.source.DeclaredSource.Wanted;
import dev.vertlet.configsync.source.ResolvedSource;
import dev.vertlet.kube.Backoff;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Part of {@link ConfigSync} that assigns the declared config.
 *
 * <pre>
 *   Downloading ──▶ Saving ──▶ Assigning ──▶ {@link ConfigRollout}
 *   ClearingGood ──▶ ClearingAssigned ──▶ {@link ConfigRollout} with the local config
 * </pre>
 *
 * A failure of any step changes nothing except the overlay error.
 */
final class SyncRun {
  /** Kubelets retry every ten seconds; up to 20% at random spreads many nodes. */
  private static final Backoff RETRY =
      new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(10), 1, 0.2);

  private final ConfigState state;
  private final ConfigRollout rollout;
  private final boolean exitOnChange;
  private final RandomGenerator random;

  SyncRun(ConfigState state, ConfigRollout rollout, boolean exitOnChange, RandomGenerator random) {
    this.state = state;
    this.rollout = rollout;
    this.exitOnChange = exitOnChange;
    this.random = random;
  }

  void begin(DeclaredSource declared) {
    if (declared instanceof Wanted wanted) {
      state.begin(new Phase.Downloading(wanted), new ConfigAction.Download(wanted.source()));
    } else if (declared instanceof DeclaredSource.None) {
      reset();
    } else if (declared instanceof DeclaredSource.AllNil) {
      wrong(
          ConfigError.ALL_NIL,
          declared.channel().path() + ": exactly one reference subfield must be non-nil");
    } else if (declared instanceof DeclaredSource.Invalid invalid) {
      wrong(ConfigError.DOWNLOAD, String.join("; ", invalid.problems()));
    } else if (declared instanceof DeclaredSource.Undecodable undecodable) {
      wrong(ConfigError.SYNC_INTERNAL, undecodable.problem());
    }
  }

  /** Reports a source that only a change of the Node can correct. */
  private void wrong(ConfigError error, String problem) {
    state.complain(error, problem);
    state.overlay(new Overlay(error, problem, false));
  }

  private void failed(ConfigError error, String cause) {
    state.complain(error, cause);
    state.overlay(new Overlay(error, "", false));
    state.rest();
    state.add(new ConfigAction.ScheduleRetry(RETRY.delay(1, random)));
  }

  /**
   * Clears the last known good config first: after a crash in between it is never the only one
   * left.
   */
  private void reset() {
    if (state.nothingStored()) {
      state.overlay(null);
    } else {
      state.begin(new Phase.ClearingGood(), new ConfigAction.WriteLastKnownGood(null));
    }
  }

  /** Handles an answer; returns false if it belongs to an operation of another part. */
  boolean takes(Answer answer) {
    Phase phase = state.phase();
    if (phase instanceof Phase.Downloading downloading) {
      return downloading(downloading.wanted(), answer);
    }
    if (answer instanceof WriteFailed failed && writes(phase)) {
      failed(ConfigError.SYNC_INTERNAL, failed.cause());
      return true;
    }
    if (phase instanceof Phase.Saving saving && answer instanceof Saved saved) {
      saved(saving.fetched(), saved.existed());
      return true;
    }
    return answer instanceof Written written && written(phase, written);
  }

  private static boolean writes(Phase phase) {
    return phase instanceof Phase.Saving
        || phase instanceof Phase.Assigning
        || phase instanceof Phase.ClearingGood
        || phase instanceof Phase.ClearingAssigned;
  }

  private boolean downloading(Wanted wanted, Answer answer) {
    boolean outdated = !wanted.equals(state.declared());
    if (answer instanceof DownloadFailed failed) {
      if (outdated) {
        state.rest();
      } else {
        failed(ConfigError.DOWNLOAD, failed.cause());
      }
      return true;
    }
    if (!(answer instanceof Downloaded downloaded)) {
      return false;
    }
    Optional<String> unusable =
        ResolvedSource.unusable(downloaded.uid(), downloaded.resourceVersion());
    if (outdated) {
      state.rest();
    } else if (unusable.isPresent()) {
      failed(ConfigError.SYNC_INTERNAL, unusable.get());
    } else {
      ResolvedSource source = wanted.source().at(downloaded.uid(), downloaded.resourceVersion());
      fetched(new Fetched(wanted, source, downloaded.data()));
    }
    return true;
  }

  private void fetched(Fetched fetched) {
    boolean unloadable =
        fetched.source().equals(state.facts().assigned())
            && state.facts().base() == ConfigError.LOAD;
    if (unloadable && rollout.mayRepair(fetched.source())) {
      synced();
      rollout.repair(fetched);
    } else {
      state.begin(
          new Phase.Saving(fetched),
          new ConfigAction.SaveCheckpoint(fetched.source(), fetched.data()));
    }
  }

  private void saved(Fetched fetched, boolean existed) {
    if (!fetched.wanted().equals(state.declared())) {
      state.rest();
    } else if (fetched.source().equals(state.facts().assigned())) {
      synced();
      state.rest();
    } else {
      state.begin(
          new Phase.Assigning(fetched, existed), new ConfigAction.WriteAssigned(fetched.source()));
    }
  }

  /** The declared config is assigned: clears an error of the sync, but not one of the trial. */
  private void synced() {
    Overlay overlay = state.facts().overlay();
    if (overlay != null && !overlay.ofTrial()) {
      state.overlay(null);
    }
  }

  private boolean written(Phase phase, Written written) {
    if (phase instanceof Phase.Assigning assigning) {
      Instant since = Objects.requireNonNull(written.modified(), "when it was assigned");
      assigned(assigning.fetched(), assigning.existed(), since);
    } else if (phase instanceof Phase.ClearingGood) {
      state.facts(known -> known.withLastKnownGood(null));
      state.begin(new Phase.ClearingAssigned(), new ConfigAction.WriteAssigned(null));
    } else if (phase instanceof Phase.ClearingAssigned) {
      cleared();
    } else {
      return false;
    }
    return true;
  }

  private void assigned(Fetched fetched, boolean existed, Instant since) {
    ResolvedSource source = fetched.source();
    state.assigned(source, since);
    state.overlay(null);
    state.add(new ConfigAction.SendEvent(source));
    if (exitOnChange) {
      state.end();
    } else if (state.serving() && state.facts().isActive(source)) {
      rollout.inForce(source);
    } else {
      rollout.load(source, existed ? fetched : null);
    }
  }

  private void cleared() {
    boolean had = !state.nothingStored();
    state.assigned(null, null);
    state.facts(known -> known.withBase(null).withOverlay(null));
    if (had) {
      state.add(new ConfigAction.SendEvent(null));
    }
    if (had && exitOnChange) {
      state.end();
    } else if (state.serving() && state.facts().isActive(null)) {
      rollout.inForce(null);
    } else {
      rollout.apply(null);
    }
  }
}
