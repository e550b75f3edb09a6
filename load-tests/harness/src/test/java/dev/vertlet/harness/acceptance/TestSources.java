package dev.vertlet.harness.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The tests of all modules, read from their sources: those of other modules are not compiled here.
 */
final class TestSources {
  /** Folders that hold none, and are large. */
  private static final Set<String> SKIPPED = Set.of("target", ".git", "node_modules");

  /** The test kit is a test, though for others it is a library. */
  private static final List<String> ROOTS =
      List.of("src/test/java", "load-tests/provider-tck/src/main/java");

  private TestSources() {}

  /** All tests below a folder, by name. */
  static List<TestCase> read(Path folder) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    if (compiler == null) {
      throw new IOException("tests are read with a JDK's compiler, and this is no JDK");
    }
    List<TestCase> tests = new ArrayList<>();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, Locale.ROOT, UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjectsFromPaths(sources(folder)));
      DocTrees docs = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        tests.addAll(TestReader.read(unit, docs));
      }
    }
    tests.sort(Comparator.comparing(TestCase::name));
    return tests;
  }

  private static List<Path> sources(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            return SKIPPED.contains(String.valueOf(dir.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            String path = file.toString().replace('\\', '/');
            if (path.endsWith(".java") && ROOTS.stream().anyMatch(path::contains)) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
