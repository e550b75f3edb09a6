package dev.vertlet.auth.tls;

import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Minimum TLS version. Versions below 1.2 are broken and not offered. */
public enum TlsVersion {
  TLS_1_2("VersionTLS12", "TLSv1.2"),
  TLS_1_3("VersionTLS13", "TLSv1.3");

  private final String kubelet;
  private final String protocol;

  TlsVersion(String kubelet, String protocol) {
    this.kubelet = kubelet;
    this.protocol = protocol;
  }

  /** Returns the spelling of a kubelet's {@code tlsMinVersion}. */
  public String kubeletName() {
    return kubelet;
  }

  /** Returns this version and all newer ones under Java's names. */
  public Set<String> protocols() {
    Set<String> protocols = new LinkedHashSet<>();
    for (TlsVersion version : values()) {
      if (version.compareTo(this) >= 0) {
        protocols.add(version.protocol);
      }
    }
    return protocols;
  }

  /**
   * Parses a version.
   *
   * @param text for example {@code VersionTLS12}
   * @throws IllegalArgumentException when it is none of the versions
   */
  public static TlsVersion parse(String text) {
    return Arrays.stream(values())
        .filter(version -> version.kubelet.equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "tlsMinVersion must be one of %s, got \"%s\""
                        .formatted(
                            Arrays.stream(values())
                                .map(TlsVersion::kubeletName)
                                .collect(Collectors.joining(", ")),
                            text)));
  }
}
