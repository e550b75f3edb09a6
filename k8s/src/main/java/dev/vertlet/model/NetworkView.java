package dev.vertlet.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a pod says of its own name and of how it finds others. The same for most pods, and shared
 * among them.
 *
 * @param hostname empty for the pod's name
 * @param subdomain empty for none
 * @param hostnameOverride stands above all else, null for none
 * @param hostnameAsFqdn whether its host is called by the whole name
 * @param dnsPolicy ClusterFirst, ClusterFirstWithHostNet, Default or None
 * @param nameservers beside those of the policy, as {@code searches} and {@code options}
 */
public record NetworkView(
    String hostname,
    String subdomain,
    @Nullable String hostnameOverride,
    boolean hostnameAsFqdn,
    String dnsPolicy,
    List<String> nameservers,
    List<String> searches,
    List<DnsOption> options) {
  /** The API's default for {@code dnsPolicy}. */
  public static final String CLUSTER_FIRST = "ClusterFirst";

  /** Says nothing. */
  public static final NetworkView DEFAULT =
      new NetworkView("", "", null, false, CLUSTER_FIRST, List.of(), List.of(), List.of());

  public NetworkView {
    nameservers = List.copyOf(nameservers);
    searches = List.copyOf(searches);
    options = List.copyOf(options);
  }

  /**
   * An option of a resolver.
   *
   * @param value null for one without
   */
  public record DnsOption(String name, @Nullable String value) {}
}
