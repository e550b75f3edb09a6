package dev.vertlet.provider.content;

import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * A file of a volume.
 *
 * @param path relative to the volume, without {@code ..}
 * @param bytes may be secret: do not log
 * @param mode permission bits
 * @param owner user id that must own the file; null for any
 */
public record ContentFile(String path, Buffer bytes, int mode, @Nullable Long owner) {
  /** Leaves out the bytes. */
  @Override
  public String toString() {
    return path + " of " + bytes.length() + " bytes";
  }
}
