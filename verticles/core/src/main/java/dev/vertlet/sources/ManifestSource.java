package dev.vertlet.sources;

import dev.vertlet.manifest.SourceContents;
import io.vertx.core.Future;

/** A source of manifests. */
public interface ManifestSource {
  /** {@code file} or {@code http}. */
  String name();

  /** The path or the URL, for people. */
  String place();

  /**
   * Reads all manifests. One call at a time.
   *
   * @return fails if the source cannot be read as a whole, with a message for people
   */
  Future<SourceContents> read();
}
