package dev.vertlet.plugins;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Makes jars as somebody else's build would: from source, against the classes of this one. */
public final class ProviderJar {
  private static final String SERVICE = "META-INF/services/dev.vertlet.provider.ProviderFactory";

  private static final JavaCompiler COMPILER = ToolProvider.getSystemJavaCompiler();
  private static final StandardJavaFileManager FILES = files();

  private final Map<String, String> sources = new LinkedHashMap<>();
  private final Map<String, String> files = new LinkedHashMap<>();
  private final List<String> omitted = new ArrayList<>();

  private ProviderJar() {}

  /** A jar with no provider. */
  public static ProviderJar empty() {
    return new ProviderJar();
  }

  /** A jar whose service file names {@code example.Factory}. */
  public static ProviderJar offering() {
    return new ProviderJar().file(SERVICE, "example.Factory\n");
  }

  /**
   * A jar with a provider that does nothing.
   *
   * @param name what it calls itself, as a Java expression
   * @param version its SPI version, as a Java expression
   * @param more further members of the factory
   */
  public static ProviderJar of(String name, String version, String more) {
    return offering()
        .source(
            "example.Factory",
            """
            package example;

            import dev.vertlet.provider.*;

            public class Factory implements ProviderFactory {
              @Override public int spiVersion() { return %s; }
              @Override public String name() { return %s; }
              @Override public Backend create(ProviderSetup setup) {
                throw new IllegalStateException("not made here");
              }
              %s
            }
            """
                .formatted(version, name, more));
  }

  /** A jar with a provider of this name that does nothing. */
  public static ProviderJar named(String name) {
    return of('"' + name + '"', "ProviderFactory.SPI_VERSION", "");
  }

  ProviderJar source(String className, String text) {
    sources.put(className, text);
    return this;
  }

  ProviderJar file(String path, String text) {
    files.put(path, text);
    return this;
  }

  /** Compiled with the others and then left out. */
  ProviderJar without(String className) {
    omitted.add(className);
    return this;
  }

  /** Writes the jar. Returns its path. */
  public Path write(Path jar) {
    try {
      Path classes = Files.createTempDirectory("provider-classes");
      compile(classes);
      for (String omit : omitted) {
        Files.delete(classes.resolve(omit.replace('.', '/') + ".class"));
      }
      Files.createDirectories(jar.toAbsolutePath().getParent());
      try (OutputStream out = Files.newOutputStream(jar);
          JarOutputStream zip = new JarOutputStream(out);
          Stream<Path> compiled = Files.walk(classes)) {
        for (Map.Entry<String, String> file : files.entrySet()) {
          zip.putNextEntry(new JarEntry(file.getKey()));
          zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
        }
        for (Path file : compiled.filter(Files::isRegularFile).toList()) {
          zip.putNextEntry(new JarEntry(classes.relativize(file).toString()));
          zip.write(Files.readAllBytes(file));
        }
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void compile(Path into) throws IOException {
    if (sources.isEmpty()) {
      return;
    }
    StringWriter said = new StringWriter();
    FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(into));
    boolean compiled =
        COMPILER
            .getTask(
                said,
                FILES,
                null,
                List.of("-proc:none"),
                null,
                sources.entrySet().stream().map(e -> text(e.getKey(), e.getValue())).toList())
            .call();
    if (!compiled) {
      throw new AssertionError(said.toString());
    }
  }

  /** One for all jars of a JVM: what it has read of the class path it need not read again. */
  private static StandardJavaFileManager files() {
    StandardJavaFileManager files = COMPILER.getStandardFileManager(null, null, null);
    String path =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    try {
      files.setLocationFromPaths(
          StandardLocation.CLASS_PATH,
          Stream.of(path.split(File.pathSeparator)).map(Path::of).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  private static JavaFileObject text(String className, String text) {
    URI place = URI.create("mem:///" + className.replace('.', '/') + ".java");
    return new SimpleJavaFileObject(place, JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return text;
      }
    };
  }
}
