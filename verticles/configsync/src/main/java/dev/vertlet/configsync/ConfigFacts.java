package dev.vertlet.configsync;

import dev.vertlet.bus.NodeConfigStatusChanged;
import dev.vertlet.configsync.source.ResolvedSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The assigned, the active and the last known good config, each null for the local config, and the
 * errors, in two layers.
 *
 * @param assigned as recorded on disk
 * @param active the running config
 * @param lastKnownGood as recorded on disk
 * @param base why the assigned config does not run
 * @param overlay why no newer config could be assigned; hides {@code base}
 */
record ConfigFacts(
    @Nullable ResolvedSource assigned,
    @Nullable ResolvedSource active,
    @Nullable ResolvedSource lastKnownGood,
    @Nullable ConfigError base,
    @Nullable Overlay overlay) {
  /** The local config, and no other. */
  static final ConfigFacts LOCAL = new ConfigFacts(null, null, null, null, null);

  /**
   * An error that appears and disappears without a change of the config.
   *
   * @param problem what is wrong with the declared source itself; empty if the source is not the
   *     cause
   * @param ofTrial whether the error comes from recording the end of a trial, which has its own
   *     retries
   */
  record Overlay(ConfigError error, String problem, boolean ofTrial) {}

  ConfigFacts withAssigned(@Nullable ResolvedSource now) {
    return new ConfigFacts(now, active, lastKnownGood, base, overlay);
  }

  ConfigFacts withActive(@Nullable ResolvedSource now) {
    return new ConfigFacts(assigned, now, lastKnownGood, base, overlay);
  }

  ConfigFacts withLastKnownGood(@Nullable ResolvedSource now) {
    return new ConfigFacts(assigned, active, now, base, overlay);
  }

  ConfigFacts withBase(@Nullable ConfigError now) {
    return new ConfigFacts(assigned, active, lastKnownGood, now, overlay);
  }

  ConfigFacts withOverlay(@Nullable Overlay now) {
    return new ConfigFacts(assigned, active, lastKnownGood, base, now);
  }

  /** Whether the assigned config runs, but is not yet the last known good one. */
  boolean onTrial() {
    return assigned != null
        && base == null
        && assigned.equals(active)
        && !assigned.equals(lastKnownGood);
  }

  /** The error to show; empty without an error. */
  String error() {
    if (overlay != null) {
      return overlay.error().text();
    }
    return base == null ? "" : base.text();
  }

  NodeConfigStatus status() {
    return new NodeConfigStatus(assigned, active, lastKnownGood, error());
  }

  /** Returns the message for the status page. */
  NodeConfigStatusChanged stood(String node) {
    return new NodeConfigStatusChanged(
        node, name(assigned), name(active), name(lastKnownGood), error());
  }

  private static String name(@Nullable ResolvedSource source) {
    return source == null
        ? ""
        : "%s/%s, version %s"
            .formatted(
                source.source().namespace(), source.source().name(), source.resourceVersion());
  }

  boolean isActive(@Nullable ResolvedSource source) {
    return Objects.equals(active, source);
  }
}
