package dev.vertlet.configsync;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a store knew at its opening.
 *
 * @param lastKnownGood null for the local config, also when it was there but made no sense
 */
record StoredMeta(Assigned assigned, @Nullable ResolvedSource lastKnownGood) {
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
