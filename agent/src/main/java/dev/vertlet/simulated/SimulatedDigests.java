package dev.vertlet.simulated;

import dev.vertlet.model.ImageReference;
import dev.vertlet.sandbox.DigestResolver;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;

/**
 * What images are known by on simulated nodes, where a digest is made from an image's text and no
 * registry is asked. Of use for pools whose pods run there, and for no others.
 */
public final class SimulatedDigests implements DigestResolver {
  @Override
  public Future<Optional<String>> digest(String image, Credentials credentials) {
    return Future.succeededFuture(ImageReference.digestOf(ImageStore.idOf(image)));
  }

  /** There is no content that could be the same. */
  @Override
  public Future<Set<String>> configDigests(String image, Credentials credentials) {
    return Future.succeededFuture(Set.of());
  }
}
