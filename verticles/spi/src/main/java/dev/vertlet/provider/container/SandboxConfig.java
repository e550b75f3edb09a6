package dev.vertlet.provider.container;

import dev.vertlet.model.pod.NetworkView.HostAlias;
import java.util.List;

/**
 * Configuration of a sandbox, in addition to the pod.
 *
 * @param hostname short host name in the pod, at most 63 characters, for its {@code /etc/hosts};
 *     this and the next two are empty for a pod on the host network, which has the node's name
 * @param domain {@code <subdomain>.<namespace>.svc.<cluster domain>}, empty for a pod without
 *     subdomain
 * @param nodename the host name as the kernel reports it: {@code hostname}, or with {@code domain}
 *     if the pod requests it
 * @param nameservers at most 3, for its {@code /etc/resolv.conf}
 * @param searches at most 32
 * @param options such as {@code ndots:5}
 * @param hostAliases further lines for its {@code /etc/hosts}, in order, also for a pod on the host
 *     network
 * @param supplementalGroups group ids of the pod's PersistentVolumes, in addition to those in its
 *     specification
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
