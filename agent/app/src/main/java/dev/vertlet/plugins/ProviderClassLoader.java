package dev.vertlet.plugins;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Enumeration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Loads the classes of one provider. Classes of the SPI come from the agent, so that both sides
 * share the same types; all others come from the provider's own jars, so that neither side sees the
 * other's libraries.
 */
final class ProviderClassLoader extends URLClassLoader {
  /** Packages in the SPI's signatures, and packages that must exist once per process. */
  private static final List<String> SHARED =
      List.of(
          "dev.vertlet.provider.",
          "dev.vertlet.bus.",
          "dev.vertlet.model.",
          "io.vertx.core.",
          "io.vertx.codegen.",
          "io.netty.",
          "io.micrometer.",
          "org.slf4j.",
          "org.jspecify.");

  private final ClassLoader agent;

  static {
    registerAsParallelCapable();
  }

  ProviderClassLoader(String name, List<URL> jars) {
    super("provider " + name, jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    this.agent = ProviderClassLoader.class.getClassLoader();
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    return SHARED.stream().anyMatch(name::startsWith)
        ? agent.loadClass(name)
        : super.loadClass(name, resolve);
  }

  /** Finds resources in the provider's jars only, not the agent's service files. */
  @Override
  public @Nullable URL getResource(String name) {
    return findResource(name);
  }

  @Override
  public Enumeration<URL> getResources(String name) throws IOException {
    return findResources(name);
  }
}
