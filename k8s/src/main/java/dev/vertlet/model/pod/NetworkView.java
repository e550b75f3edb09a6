package dev.vertlet.model.pod;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Host name and DNS settings of a pod. Equal for most pods, and shared among them.
 *
 * @param hostname empty for the pod's name
 * @param subdomain empty for none
 * @param hostnameOverride takes precedence over all other fields, null for none
 * @param hostnameAsFqdn whether the host name is the FQDN
 * @param dnsPolicy ClusterFirst, ClusterFirstWithHostNet, Default or None
 * @param nameservers in addition to those of the policy; likewise {@code searches} and {@code
 *     options}
 * @param hostAliases further lines of the pod's hosts file, in order
 */
public record NetworkView(
    String hostname,
    String subdomain,
    @Nullable String hostnameOverride,
    boolean hostnameAsFqdn,
    String dnsPolicy,
    List<String> nameservers,
    List<String> searches,
    List<DnsOption> options,
    List<HostAlias> hostAliases) {
  /** The API's default for {@code dnsPolicy}. */
  public static final String CLUSTER_FIRST = "ClusterFirst";

  /** No settings. */
  public static final NetworkView DEFAULT =
      new NetworkView(
          "", "", null, false, CLUSTER_FIRST, List.of(), List.of(), List.of(), List.of());

  public NetworkView {
    nameservers = List.copyOf(nameservers);
    searches = List.copyOf(searches);
    options = List.copyOf(options);
    hostAliases = List.copyOf(hostAliases);
  }

  /** An address and its names. */
  public record HostAlias(String ip, List<String> hostnames) {
    public HostAlias {
      hostnames = List.copyOf(hostnames);
    }
  }

  /**
   * An option of a resolver.
   *
   * @param value null for an option without a value
   */
  public record DnsOption(String name, @Nullable String value) {}

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || other instanceof NetworkView that
            && hostname.equals(that.hostname)
            && subdomain.equals(that.subdomain)
            && Objects.equals(hostnameOverride, that.hostnameOverride)
            && hostnameAsFqdn == that.hostnameAsFqdn
            && dnsPolicy.equals(that.dnsPolicy)
            && nameservers.equals(that.nameservers)
            && searches.equals(that.searches)
            && options.equals(that.options)
            && hostAliases.equals(that.hostAliases);
  }

  @Override
  public int hashCode() {
    int hash = hostname.hashCode();
    hash = 31 * hash + subdomain.hashCode();
    hash = 31 * hash + Objects.hashCode(hostnameOverride);
    hash = 31 * hash + Boolean.hashCode(hostnameAsFqdn);
    hash = 31 * hash + dnsPolicy.hashCode();
    hash = 31 * hash + nameservers.hashCode();
    hash = 31 * hash + searches.hashCode();
    hash = 31 * hash + options.hashCode();
    return 31 * hash + hostAliases.hashCode();
  }
}
