package dev.vertlet.sandboxes;

import dev.vertlet.model.ImageReference;
import dev.vertlet.sandbox.DigestResolver;
import dev.vertlet.simulated.SimulatedRuntime;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;

/**
 * Resolves the digests of images on simulated nodes: the digest is a hash of the image reference,
 * and no registry is contacted. Only for pools whose pods run on simulated nodes.
 */
final class SimulatedDigests implements DigestResolver {
  @Override
  public Future<Optional<String>> digest(String image, Credentials credentials) {
    return Future.succeededFuture(ImageReference.digestOf(SimulatedRuntime.idOf(image)));
  }

  /** Returns no digest: simulated images have no content. */
  @Override
  public Future<Set<String>> configDigests(String image, Credentials credentials) {
    return Future.succeededFuture(Set.of());
  }
}
