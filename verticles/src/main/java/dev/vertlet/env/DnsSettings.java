package dev.vertlet.env;

import java.util.List;

/**
 * How the pods of a cluster find names.
 *
 * @param clusterDomain for example {@code cluster.local}; empty where services have none
 * @param clusterDns addresses of the cluster's own name servers, empty where they are not known
 * @param host what a machine's own programs are told
 */
public record DnsSettings(String clusterDomain, List<String> clusterDns, ResolvConf host) {
  /** A cluster of the usual name, of whose servers nothing is known. */
  public static final DnsSettings DEFAULTS =
      new DnsSettings("cluster.local", List.of(), ResolvConf.EMPTY);

  public DnsSettings {
    clusterDns = List.copyOf(clusterDns);
  }
}
