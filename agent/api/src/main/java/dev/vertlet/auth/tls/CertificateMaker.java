package dev.vertlet.auth.tls;

import dev.vertlet.certificates.CertificateDraft;
import dev.vertlet.certificates.Identity;
import dev.vertlet.certificates.KeyPairs;
import java.time.Duration;
import java.time.Instant;

/**
 * Makes the certificates of nodes' servers, and requests for them. Blocks for some milliseconds,
 * the first time for some hundred.
 */
final class CertificateMaker {
  /** As a kubelet's own. */
  private static final Duration SELF_SIGNED_VALIDITY = Duration.ofDays(365);

  /** Backdating for clients whose clocks are slow. */
  private static final Duration BACKDATED = Duration.ofHours(1);

  private CertificateMaker() {}

  /** A certificate that nobody vouches for. */
  static Identity selfSigned(String commonName, ServingNames names, Instant now) {
    return CertificateDraft.of(KeyPairs.elliptic(), commonName, "")
        .server()
        .names(names.hostNames(), names.addresses())
        .selfSigned(now.minus(BACKDATED), now.plus(SELF_SIGNED_VALIDITY));
  }

  /** A request that the signer of kubelets' certificates takes. */
  static Identity request(ServingNames names) {
    return CertificateDraft.of(KeyPairs.elliptic(), "system:node:" + names.node(), "system:nodes")
        .names(names.hostNames(), names.addresses())
        .request();
  }
}
