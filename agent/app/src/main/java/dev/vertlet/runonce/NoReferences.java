package dev.vertlet.runonce;

import dev.vertlet.env.ReferenceSource;
import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredView;
import io.vertx.core.Context;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * References without an API server: no object exists. Static pods may refer to nothing but the
 * services of their namespace, and to those only by being in it.
 */
final class NoReferences implements ReferenceSource {
  private final Context context;
  private @Nullable BiConsumer<ReferredKey, List<ReferredView>> observer;

  /**
   * @param context of the caller
   */
  NoReferences(Context context) {
    this.context = context;
  }

  @Override
  public void start(BiConsumer<ReferredKey, List<ReferredView>> listener) {
    observer = listener;
  }

  @Override
  public void follow(ReferredKey key) {
    context.runOnContext(
        v -> {
          if (observer != null) {
            observer.accept(key, List.of());
          }
        });
  }

  @Override
  public void leave(ReferredKey key) {}

  @Override
  public void stop() {
    observer = null;
  }
}
