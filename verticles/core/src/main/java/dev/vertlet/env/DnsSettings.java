package dev.vertlet.env;

import java.util.List;

/**
 * DNS settings of a cluster and a node.
 *
 * @param clusterDomain for example {@code cluster.local}; empty if services have no domain
 * @param clusterDns addresses of the cluster's name servers, empty if unknown
 * @param host resolver configuration of the machine
 */
public record DnsSettings(String clusterDomain, List<String> clusterDns, ResolvConf host) {
  /** The usual cluster domain, without known name servers. */
  public static final DnsSettings DEFAULTS =
      new DnsSettings("cluster.local", List.of(), ResolvConf.EMPTY);

  public DnsSettings {
    clusterDns = List.copyOf(clusterDns);
  }
}
