package dev.vertlet.harness.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a class of tests against a real control plane; its methods may take a {@link TestCluster}.
 *
 * <p>With no control plane to be had the class is skipped, or fails where the environment says
 * {@code CI=true}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ClusterExtension.class)
public @interface ClusterTest {

  /**
   * A control plane for this class alone, that its tests may kill and restart. Skipped when the
   * only control plane is somebody else's. By default all classes of the JVM share one.
   */
  boolean own() default false;

  /**
   * The class needs kube-controller-manager and kube-scheduler. Skipped when the control plane has
   * none.
   */
  boolean controllers() default false;

  /** Whether the API server keeps an audit log; only for an own control plane. */
  boolean audited() default false;

  /** Added to the API server's command line; only for an own control plane. */
  String[] apiServerFlags() default {};

  /** Added to the controller manager's command line; only for an own control plane. */
  String[] controllerManagerFlags() default {};
}
