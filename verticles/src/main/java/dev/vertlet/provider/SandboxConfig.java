package dev.vertlet.provider;

import dev.vertlet.model.NetworkView.HostAlias;
import java.util.List;

/**
 * What a sandbox is made of beside the pod.
 *
 * @param hostname short name of the host that the pod sees, at most 63 characters, for its {@code
 *     /etc/hosts}; this and the next two are empty for a pod on the network of its node, which is
 *     called as the node is
 * @param domain {@code <subdomain>.<namespace>.svc.<cluster domain>}, empty for a pod without
 *     subdomain
 * @param nodename what the host says it is called: {@code hostname}, or with {@code domain} where
 *     the pod wants it
 * @param nameservers at most 3, for its {@code /etc/resolv.conf}
 * @param searches at most 32
 * @param options such as {@code ndots:5}
 * @param hostAliases further lines for its {@code /etc/hosts}, in their order, also for a pod on
 *     the network of its node
 * @param supplementalGroups ids of groups that the processes of the pod belong to beside those that
 *     its specification names: those of its PersistentVolumes
 */
public record SandboxConfig(
    String hostname,
    String domain,
    String nodename,
    List<String> nameservers,
    List<String> searches,
    List<String> options,
    List<HostAlias> hostAliases,
    List<Long> supplementalGroups) {
  public SandboxConfig {
    nameservers = List.copyOf(nameservers);
    searches = List.copyOf(searches);
    options = List.copyOf(options);
    hostAliases = List.copyOf(hostAliases);
    supplementalGroups = List.copyOf(supplementalGroups);
  }
}
