package dev.vertlet.config;

import dev.vertlet.config.document.ConfigException;
import dev.vertlet.model.Names;
import dev.vertlet.problem.Problems;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Section {@code dns}: the resolver settings of pods, for providers whose containers resolve names.
 *
 * @param clusterDomain DNS domain of the cluster's services
 * @param clusterDNS IP addresses of the cluster's DNS servers
 * @param resolvConf resolver file of the agent's host; null for none
 */
public record DnsConfig(String clusterDomain, List<String> clusterDNS, @Nullable Path resolvConf) {
  /** Form of an IP address, which resolvers require; whether a server has it is not checked. */
  private static final Pattern ADDRESS =
      Pattern.compile("\\d{1,3}(\\.\\d{1,3}){3}|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");

  public DnsConfig {
    clusterDNS = List.copyOf(clusterDNS);
    Problems problems = new Problems("/dns");
    problems.rule(
        Names.checkSubdomain(clusterDomain).filter(rule -> !clusterDomain.isEmpty()),
        "/clusterDomain",
        clusterDomain);
    for (int i = 0; i < clusterDNS.size(); i++) {
      String address = clusterDNS.get(i);
      problems.that(
          ADDRESS.matcher(address).matches(),
          "/clusterDNS/" + i,
          address,
          "must be an IP address such as \"10.96.0.10\"");
    }
    problems.done(ConfigException::new);
  }
}
