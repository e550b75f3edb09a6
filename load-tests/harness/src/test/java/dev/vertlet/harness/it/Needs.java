package dev.vertlet.harness.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks a class of tests that need a tool that not every machine has. Without the tool, the class
 * is skipped with one line, or fails where the environment says {@code CI=true}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsExtension.class)
@interface Needs {
  Tool value();
}
