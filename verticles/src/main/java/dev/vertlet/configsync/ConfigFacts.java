package dev.vertlet.configsync;

import dev.vertlet.bus.NodeConfigStood;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What is assigned, what runs and what to go back to, where null is the local config; and what is
 * wrong, in two layers.
 *
 * @param assigned as it is on disk
 * @param active what really runs
 * @param lastKnownGood as it is on disk
 * @param base why the assigned config is not the one that runs
 * @param overlay why no newer one could be assigned; hides {@code base}
 */
record ConfigFacts(
    @Nullable ResolvedSource assigned,
    @Nullable ResolvedSource active,
    @Nullable ResolvedSource lastKnownGood,
    @Nullable ConfigError base,
    @Nullable Overlay overlay) {
  /** The local config, and nothing else known. */
  static final ConfigFacts LOCAL = new ConfigFacts(null, null, null, null, null);

  /**
   * An error that comes and goes without anything being changed.
   *
   * @param problem what is wrong with the declared source itself; empty when it is not the source
   * @param ofTrial whether it came of writing down that a trial is over, which has its own retries
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

  /** Whether what is assigned runs, and is not yet what to go back to. */
  boolean onTrial() {
    return assigned != null
        && base == null
        && assigned.equals(active)
        && !assigned.equals(lastKnownGood);
  }

  /** The error to show; empty when nothing is wrong. */
  String error() {
    if (overlay != null) {
      return overlay.error().text();
    }
    return base == null ? "" : base.text();
  }

  NodeConfigStatus status() {
    return new NodeConfigStatus(assigned, active, lastKnownGood, error());
  }

  /** The same for whoever shows it. */
  NodeConfigStood stood(String node) {
    return new NodeConfigStood(node, name(assigned), name(active), name(lastKnownGood), error());
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
