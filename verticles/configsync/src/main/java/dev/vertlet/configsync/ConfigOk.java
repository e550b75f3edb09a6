package dev.vertlet.configsync;

import static java.util.Objects.requireNonNullElse;

import dev.vertlet.configsync.ConfigFacts.Overlay;
import dev.vertlet.model.node.NodeConditionView;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The Node condition {@code ConfigOK}. Its transition time changes with status, reason or message.
 *
 * @param status True, False or Unknown
 */
record ConfigOk(String status, String reason, String message) {
  static final String TYPE = "ConfigOK";

  /** The condition until the start has determined the running config. */
  static final ConfigOk NOT_EVALUATED =
      new ConfigOk("Unknown", "NotEvaluated", "unknown - message not provided");

  static ConfigOk of(ConfigFacts facts) {
    String runs = facts.active() == null ? "local" : facts.active().apiPath();
    Overlay overlay = facts.overlay();
    if (facts.base() == null && overlay == null) {
      return new ConfigOk(
          "True",
          facts.active() == null ? "LocalConfig" : "RemoteConfig",
          "using current: " + runs);
    }
    String problem = overlay == null ? "" : overlay.problem();
    String suffix = problem.isEmpty() ? facts.error() : facts.error() + "; " + problem;
    if (facts.base() != null) {
      return new ConfigOk("False", "RolledBack", "using last-known-good: " + runs + "; " + suffix);
    }
    return new ConfigOk(
        "False",
        problem.isEmpty() ? "SyncFailed" : "SourceInvalid",
        "using current: " + runs + "; " + suffix);
  }

  /**
   * Returns the condition to write.
   *
   * @param before the Node's condition of this type
   */
  NodeConditionView condition(@Nullable NodeConditionView before, Instant now) {
    NodeConditionView next = new NodeConditionView(TYPE, status, reason, message, now, now);
    if (before == null || !before.sameState(next)) {
      return next;
    }
    return new NodeConditionView(
        TYPE, status, reason, message, now, requireNonNullElse(before.lastTransitionTime(), now));
  }
}
