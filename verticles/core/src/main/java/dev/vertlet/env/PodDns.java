package dev.vertlet.env;

import dev.vertlet.model.pod.NetworkView;
import dev.vertlet.model.pod.NetworkView.DnsOption;
import dev.vertlet.model.pod.PodView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/**
 * Resolver configuration of a pod: that of its DNS policy, then the pod's own, within the limits of
 * resolvers.
 *
 * @param warnings omitted or replaced settings
 * @see <a
 *     href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/network/dns/dns.go">
 *     GetPodDNS, kubelet 1.36.3</a>
 */
public record PodDns(ResolvConf config, List<Warning> warnings) {
  /** MaxDNSNameservers, MaxDNSSearchPaths and MaxDNSSearchListChars of Kubernetes' API. */
  private static final int MOST_NAMESERVERS = 3;

  private static final int MOST_SEARCHES = 32;
  private static final int LONGEST_SEARCH_LINE = 2048;

  /** Maximum length of a domain: some resolvers abort at a longer one. */
  private static final int LONGEST_DOMAIN = 253;

  /** Makes the short names of services resolve. */
  private static final List<String> CLUSTER_OPTIONS = List.of("ndots:5");

  private static final String FORMING = "DNSConfigForming";

  public PodDns {
    warnings = List.copyOf(warnings);
  }

  /** An event with the kubelet's message. */
  public record Warning(String reason, String message) {}

  /**
   * Derives the configuration of a pod.
   *
   * @param hostIPs of the pod's node
   */
  public static PodDns of(PodView pod, DnsSettings settings, List<String> hostIPs) {
    List<Warning> warnings = new ArrayList<>(0);
    NetworkView network = pod.spec().network();
    ResolvConf base = base(pod, settings, hostIPs, warnings);
    List<String> nameservers = distinct(base.nameservers(), network.nameservers());
    List<String> searches = distinct(base.searches(), network.searches());
    return new PodDns(
        new ResolvConf(
            fewServers(nameservers, warnings),
            shortLine(searches, warnings),
            merged(base.options(), network.options())),
        warnings);
  }

  private static ResolvConf base(
      PodView pod, DnsSettings settings, List<String> hostIPs, List<Warning> warnings) {
    String policy = pod.spec().network().dnsPolicy();
    if (policy.equals("None")) {
      return ResolvConf.EMPTY;
    }
    boolean ofHost = policy.equals(NetworkView.CLUSTER_FIRST) && pod.spec().hostNetwork();
    if (ofHost || policy.equals("Default")) {
      return ofHost(settings.host(), hostIPs);
    }
    if (settings.clusterDns().isEmpty()) {
      warnings.add(missing(pod));
      return ofHost(settings.host(), hostIPs);
    }
    List<String> searches = settings.host().searches();
    return new ResolvConf(
        settings.clusterDns(),
        settings.clusterDomain().isEmpty()
            ? searches
            : distinct(clusterSearches(pod.namespace(), settings.clusterDomain()), searches),
        CLUSTER_OPTIONS);
  }

  private static Warning missing(PodView pod) {
    return new Warning(
        "MissingClusterDNS",
        ("pod: \"%s_%s(%s)\". kubelet does not have ClusterDNS IP configured and cannot create Pod"
                + " using \"ClusterFirst\" policy. Falling back to \"Default\" policy.")
            .formatted(pod.name(), pod.namespace(), pod.uid()));
  }

  /** A machine without a configuration is its own name server. */
  private static ResolvConf ofHost(ResolvConf host, List<String> hostIPs) {
    if (!host.equals(ResolvConf.EMPTY)) {
      return host;
    }
    List<String> itself =
        hostIPs.stream().map(ip -> ip.indexOf(':') < 0 ? "127.0.0.1" : "::1").toList();
    return new ResolvConf(
        itself.isEmpty() ? List.of("127.0.0.1") : itself, List.of("."), List.of());
  }

  private static List<String> clusterSearches(String namespace, String domain) {
    return List.of(namespace + ".svc." + domain, "svc." + domain, domain);
  }

  private static List<String> distinct(List<String> first, List<String> then) {
    LinkedHashSet<String> all = new LinkedHashSet<>(first);
    all.addAll(then);
    return List.copyOf(all);
  }

  /** Merges options; an option of the pod replaces the base's option of the same name. */
  private static List<String> merged(List<String> base, List<DnsOption> own) {
    Map<String, String> options = new LinkedHashMap<>();
    base.forEach(option -> options.put(ResolvConf.name(option), option));
    for (DnsOption option : own) {
      String value = option.value();
      boolean bare = value == null || value.isEmpty();
      options.put(option.name(), bare ? option.name() : option.name() + ":" + value);
    }
    return List.copyOf(options.values());
  }

  private static List<String> fewServers(List<String> all, List<Warning> warnings) {
    if (all.size() <= MOST_NAMESERVERS) {
      return all;
    }
    List<String> first = all.subList(0, MOST_NAMESERVERS);
    warnings.add(
        new Warning(
            FORMING,
            "Nameserver limits were exceeded, some nameservers have been omitted, the applied"
                + " nameserver line is: "
                + String.join(" ", first)));
    return first;
  }

  private static List<String> shortLine(List<String> all, List<Warning> warnings) {
    List<String> kept = new ArrayList<>();
    int length = -1;
    for (String domain : all.subList(0, Math.min(MOST_SEARCHES, all.size()))) {
      if (domain.length() > LONGEST_DOMAIN) {
        continue;
      }
      length += 1 + domain.length();
      if (length > LONGEST_SEARCH_LINE) {
        break;
      }
      kept.add(domain);
    }
    if (kept.size() < all.size()) {
      warnings.add(
          new Warning(
              FORMING,
              "Search Line limits were exceeded, some search paths have been omitted, the applied"
                  + " search line is: "
                  + String.join(" ", kept)));
    }
    return kept;
  }
}
