package dev.vertlet.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How near to a cluster a test runs: a column of docs/acceptance.md. */
enum TestLevel {
  /** Nothing but the code itself: no event loop, no server. */
  CORE,
  /** An event loop, in most tests with the embedded API server. */
  SERVER,
  /** Processes of their own, with an API server. */
  CLUSTER;

  /** What only a class that uses Vert.x itself names in its bytecode. */
  private static final List<String> VERTX = List.of("io/vertx/core/Vertx", "io/vertx/junit5/");

  private static final ClassValue<TestLevel> LEVELS =
      new ClassValue<>() {
        @Override
        protected TestLevel computeValue(Class<?> tests) {
          return read(tests);
        }
      };

  /**
   * The level of a class of tests: by its name, and by the bytecode of its file and superclasses.
   */
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
