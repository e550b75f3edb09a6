package dev.vertlet.manifest;

import dev.vertlet.model.PodRef;
import org.jspecify.annotations.Nullable;

/** Why a manifest, or one pod in it, cannot be used. The message makes sense after its place. */
public final class ManifestException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable PodRef pod;

  ManifestException(String reason) {
    this(reason, null);
  }

  /**
   * @param pod the pod that is refused, null when it did not get as far as being one
   */
  ManifestException(String reason, @Nullable PodRef pod) {
    super(reason, null, false, false);
    this.pod = pod;
  }

  /** The pod that is refused, null when nothing is known of it. */
  public @Nullable PodRef pod() {
    return pod;
  }

  /** Why, on one line. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
