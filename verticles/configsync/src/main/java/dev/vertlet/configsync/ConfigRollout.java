package dev.vertlet.configsync;

import dev.vertlet.configsync.ConfigEvent.Answer;
import dev.vertlet.configsync.ConfigEvent.Applied;
import dev.vertlet.configsync.ConfigEvent.DownloadFailed;
import dev.vertlet.configsync.ConfigEvent.Downloaded;
import dev.vertlet.configsync.ConfigEvent.Loaded;
import dev.vertlet.configsync.ConfigEvent.Rejected;
import dev.vertlet.configsync.ConfigEvent.Saved;
import dev.vertlet.configsync.ConfigEvent.WriteFailed;
import dev.vertlet.configsync.Phase.Fetched;
import dev.vertlet.configsync.source.Channel;
import dev.vertlet.configsync.source.DeclaredSource.Wanted;
import dev.vertlet.configsync.source.ResolvedSource;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Part of {@link ConfigSync} that applies the assigned config, or rolls back.
 *
 * <pre>
 *   Loading ──▶ Applying ──▶ Idle: runs the assigned config
 *     │  ▲         │
 *     ▼  │         ▼
 *   Repairing   LoadingGood ──▶ ApplyingGood ──▶ Idle: runs the last known good, with a base error
 *      ▲
 *   Refetching: the assigned config is also the last known good one
 *                  └────────────────┴──▶ Idle: nothing runs, given up
 * </pre>
 */
final class ConfigRollout {
  private static final String FATAL =
      "the process ended while it loaded this version; another version of the ConfigMap will be"
          + " loaded";

  private final ConfigState state;

  /** Versions whose checkpoint was repaired: at most once per process. */
  private final Set<String> repaired = new HashSet<>();

  /** Versions whose load ended a process: another load could end this one. */
  private Set<ResolvedSource> fatal = Set.of();

  ConfigRollout(ConfigState state) {
    this.state = state;
  }

  /** Sets the versions that must not be loaded; called before any load. */
  void fatal(Set<ResolvedSource> sources) {
    fatal = sources;
  }

  /**
   * Loads the assigned config.
   *
   * @param repairable content to repair the checkpoint with; null if it was just written, or cannot
   *     be repaired
   */
  void load(ResolvedSource assigned, @Nullable Fetched repairable) {
    if (fatal.contains(assigned)) {
      rejected(new Rejected(ConfigError.LOAD, FATAL), false);
    } else {
      state.begin(new Phase.Loading(assigned, repairable), new ConfigAction.Load(assigned));
    }
  }

  void apply(@Nullable ResolvedSource assigned) {
    state.begin(new Phase.Applying(assigned), new ConfigAction.Apply(assigned));
  }

  /** Whether this version's checkpoint may be repaired: it was not repaired before. */
  boolean mayRepair(ResolvedSource source) {
    return !repaired.contains(version(source)) && !fatal.contains(source);
  }

  /** Rewrites a checkpoint that could not be loaded. */
  void repair(Fetched fetched) {
    ResolvedSource source = fetched.source();
    repaired.add(version(source));
    state.begin(
        new Phase.Repairing(fetched), new ConfigAction.RepairCheckpoint(source, fetched.data()));
  }

  /** Key of a version; unambiguous, because file names have no slash. */
  private static String version(ResolvedSource source) {
    return source.uid() + "/" + source.resourceVersion();
  }

  /** Handles an answer; returns false if it belongs to an operation of another part. */
  boolean takes(Answer answer) {
    Phase phase = state.phase();
    if (phase instanceof Phase.Loading loading) {
      return loading(loading, answer);
    }
    if (phase instanceof Phase.Applying applying) {
      return applying(applying.assigned(), answer);
    }
    if (phase instanceof Phase.Repairing repairing) {
      return repairing(repairing.fetched(), answer);
    }
    if (phase instanceof Phase.Refetching refetching) {
      return refetching(refetching, answer);
    }
    if (phase instanceof Phase.LoadingGood loading) {
      return loadingGood(loading.good(), answer);
    }
    return phase instanceof Phase.ApplyingGood applying && applyingGood(applying.good(), answer);
  }

  private boolean loading(Phase.Loading loading, Answer answer) {
    if (answer instanceof Loaded) {
      apply(loading.assigned());
      return true;
    }
    if (!(answer instanceof Rejected rejected)) {
      return false;
    }
    Fetched fetched = loading.repairable();
    boolean mend =
        fetched != null && rejected.error() == ConfigError.LOAD && mayRepair(fetched.source());
    if (fetched != null && mend) {
      state.complain(rejected.error(), rejected.cause());
      repair(fetched);
    } else {
      rejected(rejected, false);
    }
    return true;
  }

  private boolean repairing(Fetched fetched, Answer answer) {
    if (answer instanceof Saved saved && !saved.existed()) {
      load(fetched.source(), null);
      return true;
    }
    if (answer instanceof Saved) {
      rejected(new Rejected(ConfigError.LOAD, "the checkpoint is what the server has"), false);
      return true;
    }
    if (answer instanceof WriteFailed failed) {
      repaired.remove(version(fetched.source()));
      rejected(new Rejected(ConfigError.LOAD, "not repaired: " + failed.cause()), false);
      return true;
    }
    return false;
  }

  private boolean applying(@Nullable ResolvedSource assigned, Answer answer) {
    if (answer instanceof Applied) {
      inForce(assigned);
      return true;
    }
    if (!(answer instanceof Rejected rejected)) {
      return false;
    }
    if (assigned == null) {
      state.complain(rejected.error(), rejected.cause());
      state.giveUp("the local config could not be applied: " + rejected.cause());
    } else {
      // a refusal comes before any change; after another failure the running config is unknown
      rejected(rejected, rejected.error() != ConfigError.VALIDATE);
    }
    return true;
  }

  /** The assigned config runs. */
  void inForce(@Nullable ResolvedSource assigned) {
    state.facts(known -> known.withBase(null));
    state.runs(assigned);
    state.rest();
  }

  private void rejected(Rejected rejected, boolean changed) {
    state.complain(rejected.error(), rejected.cause());
    state.facts(known -> known.withBase(rejected.error()));
    goBack(changed);
  }

  /**
   * Rolls back to the last known good config, even if another one was running.
   *
   * @param changed whether to apply it even if it was the running one
   */
  void goBack(boolean changed) {
    ResolvedSource good = notFatal(state.facts().lastKnownGood());
    if (state.serving() && !changed && state.facts().isActive(good)) {
      state.rest();
    } else if (good == null) {
      state.begin(new Phase.ApplyingGood(null), new ConfigAction.Apply(null));
    } else if (good.equals(state.facts().assigned())) {
      refetch(good);
    } else {
      state.begin(new Phase.LoadingGood(good), new ConfigAction.Load(good));
    }
  }

  /** Returns null for the local config. */
  private @Nullable ResolvedSource notFatal(@Nullable ResolvedSource good) {
    if (good == null || !fatal.contains(good)) {
      return good;
    }
    state.complain(ConfigError.LOAD, "last known good, but " + FATAL);
    return null;
  }

  /** Downloads the last known good config again: the API server may have what the disk lost. */
  private void refetch(ResolvedSource good) {
    String cause = "the last known good config is the assigned one, which cannot be used";
    if (state.facts().base() == ConfigError.LOAD && mayRepair(good)) {
      state.begin(new Phase.Refetching(good, cause), new ConfigAction.Download(good.source()));
    } else {
      state.giveUp(cause);
    }
  }

  private boolean refetching(Phase.Refetching phase, Answer answer) {
    ResolvedSource good = phase.good();
    if (answer instanceof Downloaded downloaded) {
      boolean same =
          downloaded.uid().equals(good.uid())
              && downloaded.resourceVersion().equals(good.resourceVersion());
      if (same) {
        Wanted itself = new Wanted(Channel.NONE, good.source());
        repair(new Fetched(itself, good, downloaded.data()));
      } else {
        state.giveUp(phase.cause() + "; the API server has another version of it");
      }
      return true;
    }
    if (answer instanceof DownloadFailed failed) {
      state.giveUp(phase.cause() + "; it cannot be downloaded again: " + failed.cause());
      return true;
    }
    return false;
  }

  private boolean loadingGood(ResolvedSource good, Answer answer) {
    if (answer instanceof Loaded) {
      state.begin(new Phase.ApplyingGood(good), new ConfigAction.Apply(good));
      return true;
    }
    return badGood(answer);
  }

  private boolean applyingGood(@Nullable ResolvedSource good, Answer answer) {
    if (answer instanceof Applied) {
      state.runs(good);
      state.rest();
      return true;
    }
    return badGood(answer);
  }

  private boolean badGood(Answer answer) {
    if (answer instanceof Rejected rejected) {
      state.complain(rejected.error(), rejected.cause());
      state.giveUp("the last known good config cannot be used: " + rejected.cause());
      return true;
    }
    return false;
  }
}
