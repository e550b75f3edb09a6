package dev.vertlet.configsync;

import dev.vertlet.configsync.source.Channel;
import dev.vertlet.configsync.source.ConfigMapSource;
import dev.vertlet.configsync.source.DeclaredSource;
import dev.vertlet.configsync.source.DeclaredSources;
import dev.vertlet.configsync.source.ResolvedSource;
import java.util.Set;

/** Config sources of tests. */
public final class Sources {
  static final String NAMESPACE = "kube-system";
  public static final DeclaredSources READER = new DeclaredSources(Set.of(NAMESPACE));
  static final DeclaredSource NOTHING = new DeclaredSource.None(Channel.NONE);

  private Sources() {}

  public static ConfigMapSource source(String name) {
    return new ConfigMapSource(NAMESPACE, name, "kubelet");
  }

  public static ResolvedSource resolved(String name, int version) {
    return source(name).at("uid-of-" + name, Integer.toString(version));
  }

  static DeclaredSource wanted(String name) {
    return wanted(name, "kubelet");
  }

  static DeclaredSource wanted(String name, String key) {
    return new DeclaredSource.Wanted(Channel.ANNOTATION, new ConfigMapSource(NAMESPACE, name, key));
  }

  /** What the annotation declares. */
  public static DeclaredSource annotated(String text) {
    return READER.read(text, null);
  }
}
