package dev.vertlet.configsync.store;

import dev.vertlet.configsync.source.ResolvedSource;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * State of a store when it is opened.
 *
 * @param lastKnownGood null for the local config, also if its record was unreadable
 * @param fatal configs whose load ended a process
 */
public record StoredMeta(
    Assigned assigned, @Nullable ResolvedSource lastKnownGood, Set<ResolvedSource> fatal) {
  public StoredMeta {
    fatal = Set.copyOf(fatal);
  }

  StoredMeta(Assigned assigned, @Nullable ResolvedSource lastKnownGood) {
    this(assigned, lastKnownGood, Set.of());
  }

  /** The assigned config. */
  public sealed interface Assigned {
    record Local() implements Assigned {}

    /**
     * A config from the cluster.
     *
     * @param since when it was assigned
     */
    record Remote(ResolvedSource source, Instant since) implements Assigned {}

    /** An unreadable record. */
    record Corrupt(String cause) implements Assigned {}
  }
}
