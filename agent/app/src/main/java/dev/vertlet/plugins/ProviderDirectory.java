package dev.vertlet.plugins;

import dev.vertlet.model.Names;
import dev.vertlet.provider.ProviderFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Consumer;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Loads every provider of a directory. A jar, or a folder of jars, contains one or more providers
 * that share a class loader; other files and names with a leading dot are ignored.
 */
public final class ProviderDirectory {
  private static final String SERVICE = "META-INF/services/" + ProviderFactory.class.getName();

  private final Set<String> reserved;
  private final Consumer<String> problems;
  private final Map<String, ProviderFactory> factories;
  private final Map<String, String> origins = new HashMap<>();

  private ProviderDirectory(Set<String> reserved, ProviderCatalog base, Consumer<String> problems) {
    this.reserved = reserved;
    this.problems = problems;
    this.factories = new HashMap<>(base.factories());
    base.taken().forEach(name -> origins.put(name, "the program that runs the agent"));
  }

  /**
   * Loads the providers.
   *
   * @param reserved names that only the build may use
   * @param base existing factories, which the result includes
   * @param problems receives one line per problem; a provider with a problem is skipped
   */
  public static ProviderCatalog load(
      Path directory, Set<String> reserved, ProviderCatalog base, Consumer<String> problems) {
    ProviderDirectory loading = new ProviderDirectory(reserved, base, problems);
    for (Path entry : loading.entries(directory)) {
      loading.load(entry);
    }
    return new ProviderCatalog(loading.factories);
  }

  private List<Path> entries(Path directory) {
    if (!Files.isDirectory(directory)) {
      problems.accept("must be a directory of provider jars; there is none at this path");
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .filter(file -> Files.isDirectory(file) || isJar(file))
          .sorted()
          .toList();
    } catch (IOException | UncheckedIOException e) {
      problems.accept("cannot be read: " + text(e));
      return List.of();
    }
  }

  private static boolean isJar(Path file) {
    return file.getFileName().toString().endsWith(".jar");
  }

  private void load(Path entry) {
    String file = entry.getFileName().toString();
    List<URL> jars = Files.isDirectory(entry) ? jars(entry, file) : jar(entry, file);
    if (jars.isEmpty()) {
      return;
    }
    // never closed: a provider may load a class at any time
    @SuppressWarnings("resource")
    ProviderClassLoader loader = new ProviderClassLoader(file, jars);
    if (loader.getResource(SERVICE) == null) {
      problem(file, "offers no provider: it has no " + SERVICE);
      return;
    }
    Iterator<ProviderFactory> found = ServiceLoader.load(ProviderFactory.class, loader).iterator();
    while (next(file, found)) {
      // next() handled the factory or reported it
    }
  }

  private List<URL> jars(Path folder, String name) {
    List<Path> files;
    try (Stream<Path> inside = Files.list(folder)) {
      files = inside.filter(ProviderDirectory::isJar).sorted().toList();
    } catch (IOException | UncheckedIOException e) {
      problem(name, "cannot be read: " + text(e));
      return List.of();
    }
    if (files.isEmpty()) {
      problem(name, "is a folder without jars");
    }
    List<URL> urls = new ArrayList<>();
    for (Path file : files) {
      List<URL> one = jar(file, name + "/" + file.getFileName());
      if (one.isEmpty()) {
        return List.of();
      }
      urls.addAll(one);
    }
    return urls;
  }

  /** Opens the jar first: a class loader would silently ignore a broken jar. */
  private List<URL> jar(Path file, String name) {
    try {
      new JarFile(file.toFile()).close();
      return List.of(file.toUri().toURL());
    } catch (MalformedURLException e) {
      throw new IllegalStateException("a file has no URL", e);
    } catch (IOException e) {
      problem(name, "is not a jar that can be read: " + text(e));
      return List.of();
    }
  }

  /** Handles the next factory; returns whether there may be more. */
  private boolean next(String file, Iterator<ProviderFactory> found) {
    try {
      if (!found.hasNext()) {
        return false;
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      problem(file, "cannot be loaded: " + text(e));
      return false;
    }
    try {
      take(file, found.next());
    } catch (Exception | LinkageError | ServiceConfigurationError e) {
      problem(file, "cannot be loaded: " + text(e));
    }
    return true;
  }

  private void take(String file, ProviderFactory factory) {
    int version = factory.spiVersion();
    if (version != ProviderFactory.SPI_VERSION) {
      problem(
          file,
          "%s was made for version %d of the provider SPI; allowed is %d"
              .formatted(factory.getClass().getName(), version, ProviderFactory.SPI_VERSION));
      return;
    }
    @Nullable String name = factory.name();
    if (name == null) {
      problem(file, "has a provider without a name: " + factory.getClass().getName());
    } else if (Names.checkLabel(name).isPresent()) {
      problem(
          file,
          "%s calls itself \"%s\", which %s"
              .formatted(
                  factory.getClass().getName(),
                  name,
                  Names.demand(Names.checkLabel(name).orElseThrow())));
    } else if (reserved.contains(name)) {
      problem(file, "calls its provider \"" + name + "\", a name that vertlet itself gives");
    } else if (origins.containsKey(name)) {
      problem(
          file,
          "calls its provider \""
              + name
              + "\", as "
              + origins.get(name)
              + " does; one may have it");
    } else {
      origins.put(name, file);
      factories.put(name, factory);
    }
  }

  private void problem(String file, String what) {
    problems.accept("holds " + file + ", which " + what);
  }

  /** Returns the root cause's message: a ServiceConfigurationError names only the place. */
  private static String text(Throwable failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    String message = cause.getMessage();
    String name = cause.getClass().getSimpleName();
    boolean says = cause instanceof ServiceConfigurationError;
    return message == null ? name : says ? message : name + ": " + message;
  }
}
