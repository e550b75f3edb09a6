package dev.vertlet.cri.image;

import dev.vertlet.cri.wire.StatusMessages.StatusResponse;
import dev.vertlet.provider.container.ImageRecord;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the image of sandboxes, which belongs to no container, from being removed. Newer runtimes
 * pin it; older ones, as containerd 1.6, name it in their configuration alone. Confined to the
 * shard's loop.
 */
public final class SandboxImage {
  private static final String CONFIGURATION = "config";
  private static final String IMAGE = "sandboxImage";

  private final Supplier<Future<StatusResponse>> status;
  private @Nullable String name;

  /**
   * @param status asks the runtime for its status with its configuration
   */
  public SandboxImage(Supplier<Future<StatusResponse>> status) {
    this.status = status;
  }

  /** Returns images of which that of sandboxes is pinned. */
  public Future<List<ImageRecord>> pin(List<ImageRecord> images) {
    return name()
        .map(
            sandbox ->
                images.stream()
                    .map(image -> image.names().contains(sandbox) ? pinned(image) : image)
                    .toList());
  }

  private static ImageRecord pinned(ImageRecord image) {
    return new ImageRecord(image.id(), image.names(), image.size(), true);
  }

  private Future<String> name() {
    String known = name;
    return known != null
        ? Future.succeededFuture(known)
        : status.get().map(SandboxImage::read).onSuccess(read -> name = read);
  }

  /** Returns the name in a runtime's configuration; empty if it has none. */
  private static String read(StatusResponse answer) {
    String configuration = answer.info().get(CONFIGURATION);
    try {
      return configuration == null
          ? ""
          : new JsonObject(configuration).getValue(IMAGE) instanceof String image ? image : "";
    } catch (DecodeException e) {
      return ""; // another runtime's form
    }
  }
}
