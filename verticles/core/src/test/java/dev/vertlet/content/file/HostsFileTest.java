package dev.vertlet.content.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.vertlet.env.ResolvConf;
import dev.vertlet.model.pod.NetworkView.HostAlias;
import dev.vertlet.provider.node.HostName;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Contents of /etc/hosts and /etc/resolv.conf, byte by byte as a kubelet writes them. */
class HostsFileTest {
  private static final List<HostAlias> ALIASES =
      List.of(new HostAlias("10.0.0.9", List.of("a", "b")), new HostAlias("::9", List.of("c")));

  private static final String LOCAL =
      "127.0.0.1\tlocalhost\n"
          + "::1\tlocalhost ip6-localhost ip6-loopback\n"
          + "fe00::0\tip6-localnet\n"
          + "fe00::0\tip6-mcastprefix\n"
          + "fe00::1\tip6-allnodes\n"
          + "fe00::2\tip6-allrouters\n";

  @Test
  void aPodHasItsAddressesAndName() {
    assertThat(
            HostsFile.ofPod(
                new HostName("web", "", "web"), List.of("10.1.0.2", "fd00::2"), List.of()))
        .isEqualTo(
            "# Kubernetes-managed hosts file.\n" + LOCAL + "10.1.0.2\tweb\n" + "fd00::2\tweb\n");
  }

  @Test
  void aPodWithASubdomainHasItsWholeName() {
    assertThat(
            HostsFile.ofPod(
                new HostName("web", "sub.ns.svc.cluster.local", "web"),
                List.of("10.1.0.2"),
                ALIASES))
        .isEqualTo(
            "# Kubernetes-managed hosts file.\n"
                + LOCAL
                + "10.1.0.2\tweb.sub.ns.svc.cluster.local\tweb\n"
                + "\n# Entries added by HostAliases.\n10.0.0.9\ta\tb\n::9\tc\n");
  }

  @Test
  void aPodOnTheHostsNetworkHasTheFileOfTheHost() {
    assertThat(HostsFile.ofHost("1.2.3.4\thost\n", ALIASES))
        .isEqualTo(
            "# Kubernetes-managed hosts file (host network).\n1.2.3.4\thost\n"
                + "\n# Entries added by HostAliases.\n10.0.0.9\ta\tb\n::9\tc\n");
  }

  @Test
  void aResolverHasSearchServersAndOptions() {
    assertThat(
            HostsFile.resolver(
                new ResolvConf(
                    List.of("10.0.0.10", "1.1.1.1"), List.of("a", "b"), List.of("ndots:5"))))
        .isEqualTo("search a b\nnameserver 10.0.0.10\nnameserver 1.1.1.1\noptions ndots:5\n");
    assertThat(HostsFile.resolver(ResolvConf.EMPTY)).isEmpty();
  }
}
