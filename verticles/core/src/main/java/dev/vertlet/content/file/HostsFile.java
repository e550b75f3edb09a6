package dev.vertlet.content.file;

import dev.vertlet.env.ResolvConf;
import dev.vertlet.model.pod.NetworkView.HostAlias;
import dev.vertlet.provider.node.HostName;
import java.util.List;

/**
 * Contents of {@code /etc/hosts} and {@code /etc/resolv.conf}.
 *
 * @see <a href="https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kubelet_pods.go">
 *     ensureHostsFile, kubelet 1.36.3</a>
 */
public final class HostsFile {
  private static final String OF_THE_POD = "# Kubernetes-managed hosts file.\n";
  private static final String OF_THE_HOST = "# Kubernetes-managed hosts file (host network).\n";
  private static final String LOCAL =
      """
      127.0.0.1\tlocalhost
      ::1\tlocalhost ip6-localhost ip6-loopback
      fe00::0\tip6-localnet
      fe00::0\tip6-mcastprefix
      fe00::1\tip6-allnodes
      fe00::2\tip6-allrouters
      """;

  private HostsFile() {}

  /**
   * Returns the file of a pod with a network of its own.
   *
   * @param podIPs primary first
   */
  public static String ofPod(HostName name, List<String> podIPs, List<HostAlias> aliases) {
    StringBuilder text = new StringBuilder(OF_THE_POD).append(LOCAL);
    for (String ip : podIPs) {
      text.append(ip).append('\t');
      if (!name.domain().isEmpty()) {
        text.append(name.hostname()).append('.').append(name.domain()).append('\t');
      }
      text.append(name.hostname()).append('\n');
    }
    return append(text, aliases);
  }

  /**
   * Returns the file of a pod on the network of its node.
   *
   * @param host contents of the node's file
   */
  public static String ofHost(String host, List<HostAlias> aliases) {
    return append(new StringBuilder(OF_THE_HOST).append(host), aliases);
  }

  private static String append(StringBuilder text, List<HostAlias> aliases) {
    if (!aliases.isEmpty()) {
      text.append("\n# Entries added by HostAliases.\n");
      for (HostAlias alias : aliases) {
        text.append(alias.ip()).append('\t');
        text.append(String.join("\t", alias.hostnames())).append('\n');
      }
    }
    return text.toString();
  }

  /** Returns the lines of a resolver configuration. */
  public static String resolver(ResolvConf config) {
    StringBuilder text = new StringBuilder();
    if (!config.searches().isEmpty()) {
      text.append("search ").append(String.join(" ", config.searches())).append('\n');
    }
    for (String server : config.nameservers()) {
      text.append("nameserver ").append(server).append('\n');
    }
    if (!config.options().isEmpty()) {
      text.append("options ").append(String.join(" ", config.options())).append('\n');
    }
    return text.toString();
  }
}
