package dev.vertlet.leaks;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import io.netty.util.ResourceLeakDetectorFactory;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test class once a buffer was found that nobody has released. JUnit installs it for all
 * classes, before Netty makes its detectors. A leak of something that still ran when its class had
 * ended shows in a later one; the records tell whose it was.
 */
public final class LeakGuard implements BeforeAllCallback, AfterAllCallback {
  private static final Leaks LEAKS = new Leaks();

  static {
    // Vert.x switches the detection off where this is not set
    System.setProperty("io.netty.leakDetection.level", "simple");
    ResourceLeakDetector.setLevel(Level.SIMPLE);
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(LEAKS);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    if (watchesAll(context)) {
      ResourceLeakDetector.setLevel(Level.PARANOID);
    }
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    if (context.getRequiredTestClass().isMemberClass()) {
      return; // the class around it is not over
    }
    if (watchesAll(context)) {
      Leaks.collect();
      PooledByteBufAllocator.DEFAULT.directBuffer(1).release();
      ResourceLeakDetector.setLevel(Level.SIMPLE);
    }
    assertThat(LEAKS.take()).as("buffers that were never released").isEmpty();
  }

  private static boolean watchesAll(ExtensionContext context) {
    return context.getRequiredTestClass().isAnnotationPresent(WatchesLeaks.class);
  }
}
