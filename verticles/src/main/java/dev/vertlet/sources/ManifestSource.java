package dev.vertlet.sources;

import dev.vertlet.manifest.Reading;
import io.vertx.core.Future;

/** Something that holds manifests. */
public interface ManifestSource {
  /** {@code file} or {@code http}. */
  String name();

  /** The path or the URL, for people. */
  String place();

  /**
   * All it holds now. One call at a time.
   *
   * @return fails when it cannot be read as a whole, with a message that says why
   */
  Future<Reading> read();
}
