package dev.vertlet.provider.node;

import dev.vertlet.model.Names;
import dev.vertlet.model.pod.NetworkView;
import dev.vertlet.model.pod.PodView;
import java.util.Optional;

/**
 * Host name of a pod.
 *
 * @param hostname the short name, at most 63 characters
 * @param domain {@code <subdomain>.<namespace>.svc.<cluster domain>}, empty for a pod without
 *     subdomain
 * @param nodename the host name as the kernel reports it: the short name, or the FQDN if the pod
 *     requests it
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kubelet_pods.go">
 *     GeneratePodHostNameAndDomain, kubelet 1.36.3</a>
 */
public record HostName(String hostname, String domain, String nodename) {
  /** Linux reserves 64 bytes, including the terminating zero. */
  private static final int LONGEST = 63;

  /** The kubelet's limit for an FQDN. */
  private static final int LONGEST_WHOLE = 64;

  /**
   * Derives the host name of a pod.
   *
   * @throws IllegalArgumentException with the kubelet's message for an invalid name
   */
  public static HostName of(PodView pod, String clusterDomain) {
    NetworkView network = pod.spec().network();
    String override = network.hostnameOverride();
    if (override != null) {
      check("HostnameOverride", override, "subdomain", Names.checkSubdomain(override));
      String hostname = cut(pod.name(), override);
      return new HostName(hostname, "", hostname);
    }
    String given = network.hostname();
    check("Hostname", given, "label", given.isEmpty() ? Optional.empty() : Names.checkLabel(given));
    String hostname = cut(pod.name(), given.isEmpty() ? pod.name() : given);
    String domain = domain(pod, network.subdomain(), clusterDomain);
    boolean whole = network.hostnameAsFqdn() && !domain.isEmpty();
    return new HostName(hostname, domain, whole ? whole(hostname + "." + domain) : hostname);
  }

  private static String domain(PodView pod, String subdomain, String clusterDomain) {
    if (subdomain.isEmpty()) {
      return "";
    }
    check("Subdomain", subdomain, "label", Names.checkLabel(subdomain));
    return subdomain + "." + pod.namespace() + ".svc." + clusterDomain;
  }

  private static String whole(String name) {
    if (name.length() > LONGEST_WHOLE) {
      throw new IllegalArgumentException(
          ("failed to construct FQDN from pod hostname and cluster domain, FQDN %s is too long (%d"
                  + " characters is the max, %d characters requested)")
              .formatted(name, LONGEST_WHOLE, name.length()));
    }
    return name;
  }

  private static String cut(String pod, String name) {
    if (name.length() <= LONGEST) {
      return name;
    }
    int end = LONGEST;
    while (end > 0 && (name.charAt(end - 1) == '-' || name.charAt(end - 1) == '.')) {
      end--;
    }
    if (end == 0) {
      throw new IllegalArgumentException(
          "hostname for pod \"" + pod + "\" was invalid: \"" + name + "\"");
    }
    return name.substring(0, end);
  }

  private static void check(String field, String value, String kind, Optional<String> broken) {
    broken.ifPresent(
        rule -> {
          throw new IllegalArgumentException(
              "pod " + field + " \"" + value + "\" is not a valid DNS " + kind + ": " + rule);
        });
  }
}
