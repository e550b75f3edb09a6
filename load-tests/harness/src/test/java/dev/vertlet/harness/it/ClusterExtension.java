package dev.vertlet.harness.it;

import dev.vertlet.harness.cluster.ControlPlane;
import dev.vertlet.harness.cluster.ControlPlaneOptions;
import dev.vertlet.harness.cluster.ControlPlaneSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * Gives a {@link TestCluster} to each test of a {@link ClusterTest}. The shared control plane is
 * started by the first test that needs it and ends with the JVM.
 */
final class ClusterExtension implements ExecutionCondition, ParameterResolver, TestWatcher {
  private static final Namespace NAMESPACE = Namespace.create(ClusterExtension.class);

  /** So that each reason for skipping is one line, however many classes it hits. */
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  /** Guarded by the class. */
  private static @Nullable Plane shared;

  private final Map<String, String> environment;

  private final Consumer<String> teller;

  ClusterExtension() {
    this(System.getenv(), ClusterExtension::tellOnce);
  }

  ClusterExtension(Map<String, String> environment, Consumer<String> teller) {
    this.environment = environment;
    this.teller = teller;
  }

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return evaluate(annotation(context));
  }

  ConditionEvaluationResult evaluate(ClusterTest wanted) {
    Optional<ControlPlaneSource> source = ControlPlaneSource.find(environment);
    if (source.isEmpty()) {
      return missing(ControlPlaneSource.NONE);
    }
    if (wanted.own() && !source.get().ownsProcesses()) {
      return skipped("the control plane of VERTLET_IT_KUBECONFIG is not ours to kill");
    }
    if (wanted.controllers() && !source.get().hasControllers()) {
      return missing("KUBEBUILDER_ASSETS has no kube-controller-manager and kube-scheduler");
    }
    return ConditionEvaluationResult.enabled("a control plane is available");
  }

  /**
   * What a developer's machine may lack, CI must have: there a skipped test is a hole nobody sees.
   */
  private ConditionEvaluationResult missing(String reason) {
    if ("true".equalsIgnoreCase(environment.get("CI"))) {
      throw new IllegalStateException("CI=true, and " + reason);
    }
    return skipped(reason);
  }

  private ConditionEvaluationResult skipped(String reason) {
    teller.accept("Cluster tests skipped: " + reason);
    return ConditionEvaluationResult.disabled(reason);
  }

  private static void tellOnce(String line) {
    if (TOLD.add(line)) {
      System.out.println(line);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestCluster.class;
  }

  @Override
  public TestCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    ClusterTest wanted = annotation(context);
    ExtensionContext owner = classContext(context);
    Plane plane =
        wanted.own()
            ? owner
                .getStore(NAMESPACE)
                .getOrComputeIfAbsent(
                    Plane.class, key -> Plane.start(() -> startOwn(owner, wanted)), Plane.class)
            : shared(this::startShared);
    return context
        .getStore(NAMESPACE)
        .getOrComputeIfAbsent(
            TestCluster.class,
            key -> TestCluster.in(plane.controlPlane(), plane.access()),
            TestCluster.class);
  }

  /**
   * The control plane of all classes that need none of their own. It lives as long as the JVM: the
   * launcher of a forked JVM ends with each class.
   */
  private static synchronized Plane shared(Supplier<ControlPlane> start) {
    Plane plane = shared;
    if (plane == null) {
      plane = Plane.start(start);
      Runtime.getRuntime().addShutdownHook(new Thread(plane::close, "shared-control-plane"));
      shared = plane;
    }
    return plane;
  }

  private ControlPlane startShared() {
    ControlPlaneSource source = ControlPlaneSource.find(environment).orElseThrow();
    return ControlPlane.start(source, options(source, "shared"));
  }

  private ControlPlane startOwn(ExtensionContext owner, ClusterTest wanted) {
    ControlPlaneSource source = ControlPlaneSource.find(environment).orElseThrow();
    return ControlPlane.start(
        source,
        options(source, owner.getRequiredTestClass().getSimpleName())
            .withAudit(wanted.audited())
            .withApiServerFlags(wanted.apiServerFlags())
            .withControllerManagerFlags(wanted.controllerManagerFlags()));
  }

  /** Starts a control plane with controllers besides the tests' own; the caller closes it. */
  static ControlPlane another(String name) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.remove(ControlPlaneSource.KUBECONFIG_VARIABLE);
    ControlPlaneSource source = ControlPlaneSource.find(environment).orElseThrow();
    return ControlPlane.start(source, options(source, name));
  }

  private static ControlPlaneOptions options(ControlPlaneSource source, String name) {
    return ControlPlaneOptions.defaults()
        .withControllers(source.hasControllers())
        .withLogDir(logs(name))
        .withProgress(System.out::println);
  }

  private static Path logs(String name) {
    try {
      Path parent = Files.createDirectories(Path.of("target", "control-planes"));
      return Files.createTempDirectory(parent, name + "-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void testFailed(ExtensionContext context, Throwable cause) {
    System.out.println(
        "Logs of control planes: " + Path.of("target", "control-planes").toAbsolutePath());
  }

  private static ClusterTest annotation(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(
            context.getRequiredTestClass(), ClusterTest.class, context.getEnclosingTestClasses())
        .orElseThrow(
            () -> new IllegalStateException("ClusterExtension is registered by @ClusterTest"));
  }

  /** The context of the outermost class, so that nested ones share its control plane. */
  private static ExtensionContext classContext(ExtensionContext context) {
    ExtensionContext found = context;
    for (ExtensionContext at = context; at.getParent().isPresent(); at = at.getParent().get()) {
      if (at.getTestClass().isPresent()) {
        found = at;
      }
    }
    return found;
  }

  /** A control plane and the rights that agents have there. */
  private record Plane(ControlPlane controlPlane, AgentAccess access) implements AutoCloseable {
    static Plane start(Supplier<ControlPlane> start) {
      ControlPlane controlPlane = start.get();
      try {
        return new Plane(controlPlane, AgentAccess.grant(controlPlane));
      } catch (IOException | RuntimeException e) {
        controlPlane.close();
        throw new IllegalStateException("agents get no access", e);
      }
    }

    @Override
    public void close() {
      try (controlPlane) {
        access.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
