package dev.vertlet.stages.play;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs the failures of stages, each sentence once. */
final class Complaints {
  private static final Logger LOG = LoggerFactory.getLogger(Player.class);

  /** Sentences with the values of objects in them could be without number. */
  private static final int MOST = 1000;

  private final String kind;
  private final Set<String> logged = new HashSet<>();

  Complaints(String kind) {
    this.kind = kind;
  }

  void add(@Nullable CompiledStage stage, String object, String message) {
    String name = stage == null ? "" : stage.name();
    if (logged.size() < MOST && logged.add(name + message)) {
      LOG.warn("stage {} of {} {}: {}", name, kind, object, message);
    }
  }

  /** Other stages are played from now on. */
  void clear() {
    logged.clear();
  }
}
