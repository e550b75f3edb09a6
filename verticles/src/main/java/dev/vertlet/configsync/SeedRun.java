package dev.vertlet.configsync;

import dev.vertlet.configsync.ConfigEvent.Answer;
import dev.vertlet.configsync.ConfigEvent.DownloadFailed;
import dev.vertlet.configsync.ConfigEvent.Downloaded;
import dev.vertlet.configsync.ConfigEvent.Saved;
import dev.vertlet.configsync.ConfigEvent.WriteFailed;
import dev.vertlet.configsync.ConfigEvent.Written;
import org.jspecify.annotations.Nullable;

/**
 * The part of {@link ConfigSync} that gets back what a node had to go back to, where the disk knows
 * nothing of it: another agent served the node before, or the disk is new. The Node's status says
 * what it was; the trial of what is assigned starts anew.
 *
 * <pre>
 *   FetchingSeed ──▶ SavingSeed ──▶ TrustingSeed ──▶ Idle
 * </pre>
 *
 * What cannot be had leaves the local config to go back to. Until that is settled the old status
 * stands: it is all that remembers.
 */
final class SeedRun {
  private final ConfigBook book;

  /** The disk knows nothing, and no Node was seen yet. */
  private boolean open;

  private @Nullable ResolvedSource wanted;

  SeedRun(ConfigBook book) {
    this.book = book;
  }

  /** The disk knows nothing of the node. */
  void open() {
    open = true;
    book.hold(true);
  }

  /**
   * The Node as it was first seen.
   *
   * @param good what its status said that it could go back to; null for the local config
   */
  void seen(DeclaredSource declared, @Nullable ResolvedSource good) {
    if (!open) {
      return;
    }
    open = false;
    if (good == null || declared instanceof DeclaredSource.None) {
      book.hold(false);
    } else {
      wanted = good;
    }
  }

  /** Begins if there is something to be had. Only while the node is idle. */
  boolean begin() {
    ResolvedSource good = wanted;
    if (good == null) {
      return false;
    }
    wanted = null;
    book.seek(good.source().object()); // an agent may watch ConfigMaps, and perhaps not get them
    book.begin(new Phase.FetchingSeed(good), new ConfigAction.Download(good.source()));
    return true;
  }

  /** Whether the answer was to an operation of this part. */
  boolean takes(Answer answer) {
    Phase phase = book.phase();
    if (phase instanceof Phase.FetchingSeed fetching) {
      return fetching(fetching.good(), answer);
    }
    if (phase instanceof Phase.SavingSeed saving) {
      if (answer instanceof Saved) {
        book.begin(
            new Phase.TrustingSeed(saving.good()),
            new ConfigAction.WriteLastKnownGood(saving.good()));
        return true;
      }
      return failedToWrite(saving.good(), answer);
    }
    if (phase instanceof Phase.TrustingSeed trusting) {
      if (answer instanceof Written) {
        book.facts(known -> known.withLastKnownGood(trusting.good()));
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
      book.begin(
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
    book.add(new ConfigAction.MissSeed(good, cause));
    settled();
  }

  private void settled() {
    book.seek(null);
    book.rest();
    book.hold(false);
  }
}
