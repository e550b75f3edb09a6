package dev.vertlet.configsync;

import dev.vertlet.configsync.ConfigEvent.Answer;
import dev.vertlet.configsync.ConfigEvent.DownloadFailed;
import dev.vertlet.configsync.ConfigEvent.Downloaded;
import dev.vertlet.configsync.ConfigEvent.Saved;
import dev.vertlet.configsync.ConfigEvent.WriteFailed;
import dev.vertlet.configsync.ConfigEvent.Written;
import dev.vertlet.configsync.source.DeclaredSource;
import dev.vertlet.configsync.source.ResolvedSource;
import org.jspecify.annotations.Nullable;

/**
 * Part of {@link ConfigSync} that restores the last known good config if the disk has no record of
 * it: another agent served the node before, or the disk is new. The Node's status names the config;
 * the trial of the assigned config starts again.
 *
 * <pre>
 *   FetchingSeed ──▶ SavingSeed ──▶ TrustingSeed ──▶ Idle
 * </pre>
 *
 * If the restore fails, the local config is the last known good one. Until the restore has ended,
 * the Node keeps its old status, which is the only record.
 */
final class SeedRun {
  private final ConfigState state;

  /** The disk has no record, and no Node was observed yet. */
  private boolean open;

  private @Nullable ResolvedSource wanted;

  SeedRun(ConfigState state) {
    this.state = state;
  }

  /** The disk has no record of the node. */
  void open() {
    open = true;
    state.hold(true);
  }

  /**
   * Takes the Node when it is first observed.
   *
   * @param good last known good config in its status; null for the local config
   */
  void seen(DeclaredSource declared, @Nullable ResolvedSource good) {
    if (!open) {
      return;
    }
    open = false;
    if (good == null || declared instanceof DeclaredSource.None) {
      state.hold(false);
    } else {
      wanted = good;
    }
  }

  /** Begins a restore if there is one to do. Called only while the node is idle. */
  boolean begin() {
    ResolvedSource good = wanted;
    if (good == null) {
      return false;
    }
    wanted = null;
    state.seek(good.source().object()); // RBAC may allow watch but not get
    state.begin(new Phase.FetchingSeed(good), new ConfigAction.Download(good.source()));
    return true;
  }

  /** Handles an answer; returns false if it belongs to an operation of another part. */
  boolean takes(Answer answer) {
    Phase phase = state.phase();
    if (phase instanceof Phase.FetchingSeed fetching) {
      return fetching(fetching.good(), answer);
    }
    if (phase instanceof Phase.SavingSeed saving) {
      if (answer instanceof Saved) {
        state.begin(
            new Phase.TrustingSeed(saving.good()),
            new ConfigAction.WriteLastKnownGood(saving.good()));
        return true;
      }
      return failedToWrite(saving.good(), answer);
    }
    if (phase instanceof Phase.TrustingSeed trusting) {
      if (answer instanceof Written) {
        state.facts(known -> known.withLastKnownGood(trusting.good()));
        settled();
        return true;
      }
      return failedToWrite(trusting.good(), answer);
    }
    return false;
  }

  private boolean fetching(ResolvedSource good, Answer answer) {
    if (answer instanceof DownloadFailed failed) {
      missed(good, failed.cause());
      return true;
    }
    if (!(answer instanceof Downloaded downloaded)) {
      return false;
    }
    boolean same =
        downloaded.uid().equals(good.uid())
            && downloaded.resourceVersion().equals(good.resourceVersion());
    if (same) {
      state.begin(
          new Phase.SavingSeed(good), new ConfigAction.SaveCheckpoint(good, downloaded.data()));
    } else {
      missed(good, "the API server has another version of it");
    }
    return true;
  }

  private boolean failedToWrite(ResolvedSource good, Answer answer) {
    if (answer instanceof WriteFailed failed) {
      missed(good, failed.cause());
      return true;
    }
    return false;
  }

  private void missed(ResolvedSource good, String cause) {
    state.add(new ConfigAction.MissSeed(good, cause));
    settled();
  }

  private void settled() {
    state.seek(null);
    state.rest();
    state.hold(false);
  }
}
