package dev.vertlet.manifest;

import dev.vertlet.model.PodRef;
import org.jspecify.annotations.Nullable;

/**
 * A manifest, or one pod in it, cannot be used. The message continues a sentence that begins with
 * the manifest's place.
 */
public final class ManifestException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable PodRef pod;

  ManifestException(String reason) {
    this(reason, null);
  }

  /**
   * Creates an exception.
   *
   * @param pod the rejected pod, null if it could not be identified
   */
  ManifestException(String reason, @Nullable PodRef pod) {
    super(reason, null, false, false);
    this.pod = pod;
  }

  /** The rejected pod, null if it could not be identified. */
  public @Nullable PodRef pod() {
    return pod;
  }

  /** The reason, on one line. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
