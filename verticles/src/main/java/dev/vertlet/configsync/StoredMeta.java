package dev.vertlet.configsync;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a store knew at its opening.
 *
 * @param lastKnownGood null for the local config, also when it was there but made no sense
 * @param fatal those in whose load a process ended
 */
record StoredMeta(
    Assigned assigned, @Nullable ResolvedSource lastKnownGood, Set<ResolvedSource> fatal) {
  StoredMeta {
    fatal = Set.copyOf(fatal);
  }

  StoredMeta(Assigned assigned, @Nullable ResolvedSource lastKnownGood) {
    this(assigned, lastKnownGood, Set.of());
  }

  /** What was assigned. */
  sealed interface Assigned {
    record Local() implements Assigned {}

    /**
     * @param since when it was written
     */
    record Remote(ResolvedSource source, Instant since) implements Assigned {}

    /** Something that cannot be told any more. */
    record Corrupt(String cause) implements Assigned {}
  }
}
