package dev.vertlet.auth.tls;

import io.netty.util.NetUtil;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Decides when a certificate is renewed. Uses no I/O. */
final class Rotation {
  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;

  private Rotation() {}

  /**
   * Draws the renewal time between 70 and 90 % of the validity, as kubelets do, so that
   * certificates issued together are not renewed together.
   */
  static Instant deadline(X509Certificate certificate, RandomGenerator random) {
    Instant from = certificate.getNotBefore().toInstant();
    Duration life = Duration.between(from, certificate.getNotAfter().toInstant());
    return from.plusMillis((long) (life.toMillis() * (0.7 + 0.2 * random.nextDouble())));
  }

  /** Returns whether a client that verifies names accepts the certificate at this time. */
  static boolean serves(X509Certificate certificate, ServingNames names, Instant now) {
    return now.isBefore(certificate.getNotAfter().toInstant())
        && !now.isBefore(certificate.getNotBefore().toInstant())
        && covers(certificate, names);
  }

  private static boolean covers(X509Certificate certificate, ServingNames names) {
    Set<String> has = new HashSet<>();
    try {
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      for (List<?> alternative : alternatives == null ? List.<List<?>>of() : alternatives) {
        if (alternative.get(0).equals(DNS_NAME) || alternative.get(0).equals(IP_ADDRESS)) {
          has.add(canonical(String.valueOf(alternative.get(1))));
        }
      }
    } catch (CertificateParsingException e) {
      return false;
    }
    return has.containsAll(names.hostNames())
        && names.addresses().stream().map(Rotation::canonical).allMatch(has::contains);
  }

  /** Returns the canonical spelling of an IPv6 address. */
  private static String canonical(String name) {
    if (!NetUtil.isValidIpV6Address(name)) {
      return name;
    }
    try {
      return java.net.InetAddress.getByName(name).getHostAddress(); // a literal: no DNS look-up
    } catch (java.net.UnknownHostException e) {
      return name;
    }
  }
}
