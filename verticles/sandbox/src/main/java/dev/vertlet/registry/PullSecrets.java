package dev.vertlet.registry;

import dev.vertlet.sandbox.DigestResolver.Credentials;
import io.vertx.core.Future;

/** Reads image pull secrets. */
@FunctionalInterface
interface PullSecrets {
  /** No secrets. */
  PullSecrets NONE = credentials -> Future.succeededFuture(new Keyring());

  /** Reads the secrets' logins; missing secrets and those of another type are left out. */
  Future<Keyring> read(Credentials credentials);
}
