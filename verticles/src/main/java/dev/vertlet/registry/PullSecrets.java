package dev.vertlet.registry;

import dev.vertlet.sandbox.DigestResolver.Credentials;
import io.vertx.core.Future;

/** Reads image pull secrets. */
@FunctionalInterface
interface PullSecrets {
  /** Nobody has any. */
  PullSecrets NONE = credentials -> Future.succeededFuture(new Keyring());

  /** What the secrets hold; those that are missing or of another type are left out. */
  Future<Keyring> read(Credentials credentials);
}
