package dev.vertlet.harness.acceptance;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the tests of one file. */
final class TestReader extends TreePathScanner<@Nullable Void, @Nullable Void> {
  private static final Set<String> TEST =
      Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate");
  private static final String ROWS = "MethodSource";

  private final DocTrees docs;
  private final Ring ring;
  private final List<TestCase> tests = new ArrayList<>();
  private final Deque<String> types = new ArrayDeque<>();

  /** Texts of methods that are no tests, by name: some make the rows of parameterised ones. */
  private final Map<String, String> helpers = new HashMap<>();

  private TestReader(DocTrees docs, Ring ring) {
    this.docs = docs;
    this.ring = ring;
  }

  static List<TestCase> read(CompilationUnitTree unit, DocTrees docs) {
    TestReader reader = new TestReader(docs, ring(unit));
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
        reader.helpers.merge(method.getName().toString(), literals(method), String::concat);
        return null;
      }
    }.scan(unit, null);
    reader.scan(unit, null);
    return reader.tests;
  }

  private static Ring ring(CompilationUnitTree unit) {
    if (unit.getSourceFile().getName().endsWith("IT.java")) {
      return Ring.CLUSTER;
    }
    boolean loops =
        unit.getImports().stream()
            .map(Tree::toString)
            .anyMatch(
                line -> line.contains("io.vertx.core.Vertx;") || line.contains("io.vertx.junit5"));
    return loops ? Ring.VERTICLE : Ring.CORE;
  }

  @Override
  public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
    types.addLast(type.getSimpleName().toString());
    add(String.join(".", types), false, head(type.getModifiers()));
    super.visitClass(type, nothing);
    types.removeLast();
    return null;
  }

  @Override
  public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
    if (annotated(method.getModifiers(), TEST)) {
      String name = method.getName().toString();
      add(
          String.join(".", types) + "." + name,
          true,
          name + "\n" + head(method.getModifiers()) + rows(method));
    }
    return null; // what is inside is none of a test's name
  }

  private void add(String name, boolean method, String text) {
    tests.add(new TestCase(types.getFirst(), name, method, ring, text));
  }

  /** Javadoc and annotations of what is being visited. */
  private String head(ModifiersTree modifiers) {
    String doc = docs.getDocComment(getCurrentPath());
    return (doc == null ? "" : doc) + "\n" + literals(modifiers);
  }

  /** What the methods say that make a parameterised test's rows. */
  private String rows(MethodTree method) {
    StringBuilder rows = new StringBuilder();
    for (AnnotationTree annotation : method.getModifiers().getAnnotations()) {
      if (simpleName(annotation).equals(ROWS)) {
        String names = literals(annotation);
        for (String name :
            names.isEmpty() ? new String[] {method.getName().toString()} : names.split("\n")) {
          rows.append(helpers.getOrDefault(name, ""));
        }
      }
    }
    return rows.toString();
  }

  private static boolean annotated(ModifiersTree modifiers, Set<String> wanted) {
    return modifiers.getAnnotations().stream()
        .anyMatch(annotation -> wanted.contains(simpleName(annotation)));
  }

  private static String simpleName(AnnotationTree annotation) {
    String name = annotation.getAnnotationType().toString();
    return name.substring(name.lastIndexOf('.') + 1);
  }

  /** The texts in it, a line for each. */
  private static String literals(Tree tree) {
    StringBuilder texts = new StringBuilder();
    new TreeScanner<@Nullable Void, @Nullable Void>() {
      @Override
      public @Nullable Void visitLiteral(LiteralTree literal, @Nullable Void nothing) {
        if (literal.getValue() instanceof String text) {
          texts.append(text).append('\n');
        }
        return null;
      }
    }.scan(tree, null);
    return texts.toString();
  }
}
