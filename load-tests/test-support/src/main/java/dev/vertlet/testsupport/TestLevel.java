package dev.vertlet.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Scope of a test, from code to cluster; a column of docs/acceptance.md. */
enum TestLevel {
  /** Plain code: no event loop, no server. */
  CORE,
  /** An event loop, in most tests with the embedded API server. */
  SERVER,
  /** Separate processes and an API server. */
  CLUSTER;

  /** Names in the bytecode of every class that uses Vert.x itself. */
  private static final List<String> VERTX = List.of("io/vertx/core/Vertx", "io/vertx/junit5/");

  private static final ClassValue<TestLevel> LEVELS =
      new ClassValue<>() {
        @Override
        protected TestLevel computeValue(Class<?> tests) {
          return read(tests);
        }
      };

  /** Level of a test class, from its name and from the bytecode of it and its superclasses. */
  static TestLevel of(Class<?> tests) {
    return LEVELS.get(tests);
  }

  private static TestLevel read(Class<?> tests) {
    String outermost = tests.getNestHost().getSimpleName();
    if (outermost.endsWith("IT")) {
      return CLUSTER;
    }
    return usesVertx(tests) ? SERVER : CORE;
  }

  private static boolean usesVertx(@Nullable Class<?> type) {
    return type != null
        && type.getClassLoader() != null
        && (Arrays.stream(type.getNestHost().getNestMembers()).anyMatch(TestLevel::namesVertx)
            || usesVertx(type.getSuperclass()));
  }

  private static boolean namesVertx(Class<?> type) {
    String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
    try (InputStream in = type.getResourceAsStream(file)) {
      String code = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
      return VERTX.stream().anyMatch(code::contains);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
