package dev.vertlet.configsync.source;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One entry of one version of a ConfigMap, as stored on disk and reported in a status. Equal when
 * namespace, name, key, UID and version are equal.
 *
 * @param uid 1 to 128 of {@code [A-Za-z0-9._:-]}, not {@code .} or {@code ..}, and not a temporary
 *     name: it is the name of a directory
 * @param resourceVersion likewise
 */
public record ResolvedSource(ConfigMapSource source, String uid, String resourceVersion) {
  /** Prefix of a store's temporary names; no UID or version begins with it. */
  public static final String TEMPORARY = "tmp_";

  private static final Pattern COMPONENT = Pattern.compile("[A-Za-z0-9._:-]{1,128}");

  public ResolvedSource {
    Optional<String> unusable = unusable(uid, resourceVersion);
    if (unusable.isPresent()) {
      throw new IllegalArgumentException(unusable.get());
    }
  }

  /** Why a UID or a version cannot be the name of a directory; empty if both can. */
  public static Optional<String> unusable(String uid, String resourceVersion) {
    if (uid.isEmpty()) {
      return Optional.of("failed to write RemoteConfigSource, empty UID is ambiguous");
    }
    if (resourceVersion.isEmpty()) {
      return Optional.of("failed to write RemoteConfigSource, empty ResourceVersion is ambiguous");
    }
    return component("UID", uid).or(() -> component("ResourceVersion", resourceVersion));
  }

  private static Optional<String> component(String what, String value) {
    boolean fits =
        COMPONENT.matcher(value).matches()
            && !value.equals(".")
            && !value.equals("..")
            && !value.startsWith(TEMPORARY);
    return fits
        ? Optional.empty()
        : Optional.of("failed to write RemoteConfigSource, " + what + " is no file name");
  }

  public String apiPath() {
    return source.apiPath();
  }

  /** Whether both have the same checkpoint: they may differ in the key. */
  boolean sameVersion(ResolvedSource other) {
    return uid.equals(other.uid) && resourceVersion.equals(other.resourceVersion);
  }
}
