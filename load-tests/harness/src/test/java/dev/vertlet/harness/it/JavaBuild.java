package dev.vertlet.harness.it;

import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Builds Java as somebody else's project does, against the classes of this one; offline, and
 * without Maven.
 */
public final class JavaBuild {
  private JavaBuild() {}

  /** What the classes of this build are found on. */
  public static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /**
   * Compiles all Java below a folder.
   *
   * @param more class path entries beside those of this build
   * @return {@code classes}
   */
  public static Path compile(Path sources, Path classes, Path... more) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    StringBuilder path = new StringBuilder(classPath());
    for (Path entry : more) {
      path.append(java.io.File.pathSeparator).append(entry);
    }
    List<String> options =
        List.of("-d", classes.toString(), "-cp", path.toString(), "-proc:none", "--release", "17");
    try (Stream<Path> files = Files.walk(sources);
        StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      List<Path> java = files.filter(file -> file.toString().endsWith(".java")).toList();
      boolean compiled =
          compiler
              .getTask(
                  said, manager, null, options, null, manager.getJavaFileObjectsFromPaths(java))
              .call();
      if (!compiled) {
        throw new AssertionError("does not compile: " + said);
      }
    }
    return classes;
  }

  /** Packs everything below these folders. Returns {@code jar}. */
  public static Path jar(Path jar, Path... folders) throws IOException {
    Files.createDirectories(jar.getParent());
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream zip = new JarOutputStream(out)) {
      for (Path folder : folders) {
        for (Path file : filesBelow(folder)) {
          zip.putNextEntry(new JarEntry(folder.relativize(file).toString()));
          zip.write(Files.readAllBytes(file));
        }
      }
    }
    return jar;
  }

  private static List<Path> filesBelow(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return new ArrayList<>(files.filter(Files::isRegularFile).toList());
    }
  }
}
