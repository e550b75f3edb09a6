package dev.vertlet.model.wire;

import dev.vertlet.model.pod.NetworkView;
import dev.vertlet.model.pod.NetworkView.DnsOption;
import dev.vertlet.model.pod.NetworkView.HostAlias;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the host name and DNS settings of one pod, which most pods do not set. */
final class NetworkReader {
  private static final Fields CONFIG = Fields.of("1 nameservers", "2 searches", "3 options");
  private static final Fields OPTION = Fields.of("1 name", "2 value");
  private static final Fields ALIAS = Fields.of("1 ip", "2 hostnames");

  private String hostname = "";
  private String subdomain = "";
  private @Nullable String override;
  private boolean fqdn;
  private String policy = "";
  private List<String> nameservers = List.of();
  private List<String> searches = List.of();
  private List<DnsOption> options = List.of();
  private final List<HostAlias> aliases = new ArrayList<>(0);

  /** Reads the current field of the pod's spec. */
  void read(ObjectReader in) {
    switch (in.field()) {
      case "hostname" -> hostname = in.text();
      case "subdomain" -> subdomain = in.shared();
      case "hostnameOverride" -> override = in.text();
      case "setHostnameAsFQDN" -> fqdn = in.flag();
      case "dnsPolicy" -> policy = in.shared();
      case "dnsConfig" -> config(in);
      case "hostAliases" -> aliases.add(alias(in));
      default -> in.skip();
    }
  }

  NetworkView view() {
    String effective = policy.isEmpty() ? NetworkView.CLUSTER_FIRST : policy;
    boolean nothing = hostname.isEmpty() && subdomain.isEmpty() && override == null && !fqdn;
    nothing &= nameservers.isEmpty() && searches.isEmpty() && options.isEmpty();
    nothing &= aliases.isEmpty();
    return nothing && effective.equals(NetworkView.CLUSTER_FIRST)
        ? NetworkView.DEFAULT
        : new NetworkView(
            hostname,
            subdomain,
            override,
            fqdn,
            effective,
            nameservers,
            searches,
            options,
            aliases);
  }

  private void config(ObjectReader in) {
    nameservers = new ArrayList<>(1);
    searches = new ArrayList<>(1);
    options = new ArrayList<>(1);
    in.enter();
    while (in.next(CONFIG)) {
      switch (in.field()) {
        case "nameservers" -> nameservers.add(in.shared());
        case "searches" -> searches.add(in.shared());
        default -> options.add(option(in));
      }
    }
  }

  private static DnsOption option(ObjectReader in) {
    String name = "";
    @Nullable String value = null;
    in.enter();
    while (in.next(OPTION)) {
      if (in.field().equals("name")) {
        name = in.shared();
      } else {
        value = in.shared();
      }
    }
    return new DnsOption(name, value);
  }

  private static HostAlias alias(ObjectReader in) {
    String ip = "";
    List<String> hostnames = new ArrayList<>(1);
    in.enter();
    while (in.next(ALIAS)) {
      if (in.field().equals("ip")) {
        ip = in.shared();
      } else {
        hostnames.add(in.shared());
      }
    }
    return new HostAlias(ip, hostnames);
  }
}
