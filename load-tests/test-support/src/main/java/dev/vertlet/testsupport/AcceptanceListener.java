package dev.vertlet.testsupport;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Tags;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Writes the outcome of each test and the acceptance rows in the test's tags. Each test or
 * invocation has one line: outcome, {@link TestLevel}, test, then for each row its id and the
 * tagged method or class. {@code .ci/acceptance} reads the files.
 */
public final class AcceptanceListener implements TestExecutionListener {
  /** Pattern of row ids: unlike other tags, such as {@code full}, they have a digit or capital. */
  private static final Pattern ID = Pattern.compile(".*[A-Z0-9].*");

  private static final AtomicInteger PLANS = new AtomicInteger();

  private final @Nullable AcceptanceFile file;

  /** Plans running in this JVM. Tests that a test runs are its input and are not written. */
  private final AtomicInteger plans;

  private final Set<String> ended = ConcurrentHashMap.newKeySet();
  private volatile @Nullable TestPlan plan;

  /** Called by the service loader. */
  public AcceptanceListener() {
    this(AcceptanceFile.ofThisJvm(), PLANS);
  }

  AcceptanceListener(@Nullable AcceptanceFile file, AtomicInteger plans) {
    this.file = file;
    this.plans = plans;
  }

  @Override
  public void testPlanExecutionStarted(TestPlan started) {
    if (plans.getAndIncrement() == 0) {
      plan = started;
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan finished) {
    plans.decrementAndGet();
    plan = null;
    ended.clear();
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    writeRest(test, "skipped");
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    Status status = result.getStatus();
    if (test.isTest()) {
      write(test, outcome(status));
    } else if (status != Status.SUCCESSFUL && !writeRest(test, outcome(status))) {
      // all tests of the class ran; their teardown failed
      write(test, outcome(status));
    }
  }

  private static String outcome(Status status) {
    return switch (status) {
      case SUCCESSFUL -> "passed";
      case ABORTED -> "skipped";
      case FAILED -> "failed";
    };
  }

  /** Writes the tests of a class that did not run. Returns whether there are any. */
  private boolean writeRest(TestIdentifier container, String outcome) {
    TestPlan all = plan;
    if (all == null) {
      return true;
    }
    List<TestIdentifier> rest =
        Stream.concat(Stream.of(container), all.getDescendants(container).stream())
            .filter(test -> all.getChildren(test).isEmpty())
            .filter(test -> !ended.contains(test.getUniqueId()))
            .toList();
    rest.forEach(test -> write(test, outcome));
    return !rest.isEmpty();
  }

  private void write(TestIdentifier test, String outcome) {
    TestPlan all = plan;
    if (all == null || file == null) {
      return;
    }
    ended.add(test.getUniqueId());
    List<TestIdentifier> line =
        Stream.iterate(
                Optional.of(test), Optional::isPresent, child -> child.flatMap(all::getParent))
            .flatMap(Optional::stream)
            .toList();
    Optional<TestSource> source =
        line.stream()
            .flatMap(each -> each.getSource().stream())
            .filter(each -> each instanceof ClassSource || each instanceof MethodSource)
            .findFirst();
    if (source.isEmpty()) {
      return; // an engine, not a test
    }
    Map<String, String> rows = new LinkedHashMap<>(); // the outermost element comes last
    for (TestIdentifier each : line) {
      for (TestTag tag : each.getTags()) {
        if (ID.matcher(tag.getName()).matches()) {
          each.getSource().ifPresent(tagged -> rows.put(tag.getName(), name(tagged, tag)));
        }
      }
    }
    StringBuilder text = new StringBuilder(outcome);
    text.append('\t').append(level(source.get())).append('\t').append(name(source.get(), null));
    rows.forEach((id, name) -> text.append('\t').append(id).append(' ').append(name));
    file.append(text.append('\n').toString());
  }

  private static String level(TestSource source) {
    Class<?> tests =
        source instanceof MethodSource method
            ? method.getJavaClass()
            : ((ClassSource) source).getJavaClass();
    return TestLevel.of(tests).name().toLowerCase(Locale.ROOT);
  }

  /** Name of the method or the class that declares the test or its tag. */
  private static String name(TestSource source, @Nullable TestTag tag) {
    if (source instanceof MethodSource method) {
      return name(method.getJavaMethod().getDeclaringClass()) + "." + method.getMethodName();
    }
    if (!(source instanceof ClassSource declared)) {
      return source.toString().replaceAll("\\s", "");
    }
    Class<?> type = declared.getJavaClass();
    Class<?> tagged = type;
    while (tag != null && !declares(tagged, tag) && tagged.getSuperclass() != null) {
      tagged = tagged.getSuperclass();
    }
    return name(tag == null || tagged == Object.class ? type : tagged);
  }

  private static boolean declares(Class<?> type, TestTag tag) {
    return Arrays.stream(type.getDeclaredAnnotations())
        .flatMap(
            each ->
                each instanceof Tag one
                    ? Stream.of(one)
                    : each instanceof Tags many ? Arrays.stream(many.value()) : Stream.of())
        .anyMatch(each -> each.value().strip().equals(tag.getName()));
  }

  private static String name(Class<?> type) {
    return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
  }
}
