package dev.vertlet.kubelet.podworker;

import dev.vertlet.env.DnsSettings;
import dev.vertlet.env.PodDns;
import dev.vertlet.env.ResolvConf;
import dev.vertlet.kubelet.pod.PodEvents;
import dev.vertlet.kubelet.pod.PodState;
import dev.vertlet.model.pod.PodView;
import dev.vertlet.provider.container.SandboxConfig;
import dev.vertlet.provider.node.HostName;

/** Makes sandbox configurations, for runtimes that use them. */
final class SandboxConfigs {
  private static final HostName OF_THE_NODE = new HostName("", "", "");

  private final ContainerEnvironments environments;
  private final PodEvents events;

  SandboxConfigs(ContainerEnvironments environments, PodEvents events) {
    this.environments = environments;
    this.events = events;
  }

  /**
   * @throws IllegalArgumentException for a pod whose host name is not possible
   */
  SandboxConfig of(PodState pod, PodView view) {
    DnsSettings settings = environments.dns(pod.node());
    PodDns dns = PodDns.of(view, settings, environments.hostIPs(pod.node()));
    HostName name =
        view.spec().hostNetwork() ? OF_THE_NODE : HostName.of(view, settings.clusterDomain());
    for (PodDns.Warning warning : dns.warnings()) {
      events.warning(pod, warning.reason(), warning.message());
    }
    ResolvConf resolver = dns.config();
    return new SandboxConfig(
        name.hostname(),
        name.domain(),
        name.nodename(),
        resolver.nameservers(),
        resolver.searches(),
        resolver.options(),
        view.spec().network().hostAliases(),
        environments.volumes(view).groups());
  }
}
