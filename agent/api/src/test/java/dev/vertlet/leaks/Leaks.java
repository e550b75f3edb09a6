package dev.vertlet.leaks;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Makes Netty's leak detectors and remembers what they report: buffers that were collected before
 * anybody released them.
 */
final class Leaks extends ResourceLeakDetectorFactory {
  /** No collection takes as long; without an answer only a later one finds the leak. */
  private static final long PATIENCE_MILLIS = 5_000;

  /** Vert.x 5.0.12 copies what a GOAWAY frame says, and forgets the copy. */
  private static final String FORGOTTEN_BY_VERTX = "io.vertx.core.http.GoAway.<init>";

  private final Queue<String> reported = new ConcurrentLinkedQueue<>();

  @Override
  @Deprecated
  public <T> ResourceLeakDetector<T> newResourceLeakDetector(
      Class<T> resource, int samplingInterval, long maxActive) {
    return newResourceLeakDetector(resource, samplingInterval);
  }

  @Override
  public <T> ResourceLeakDetector<T> newResourceLeakDetector(
      Class<T> resource, int samplingInterval) {
    return new Detector<>(resource, samplingInterval);
  }

  /**
   * Collects garbage. What a detector then finds it reports with the next thing that it tracks.
   *
   * <p>References to garbage of one collection are enqueued in any order, and those of a second one
   * after all of the first.
   */
  static void collect() throws InterruptedException {
    collectOnce();
    collectOnce();
  }

  private static void collectOnce() throws InterruptedException {
    ReferenceQueue<Object> queue = new ReferenceQueue<>();
    WeakReference<Object> last = new WeakReference<>(new Object(), queue);
    System.gc();
    while (queue.remove(PATIENCE_MILLIS) == null && last.get() != null) {
      System.gc();
    }
  }

  /** What was reported and not taken yet. */
  List<String> take() {
    List<String> taken = new ArrayList<>();
    for (String leak = reported.poll(); leak != null; leak = reported.poll()) {
      taken.add(leak);
    }
    return taken;
  }

  private final class Detector<T> extends ResourceLeakDetector<T> {
    Detector(Class<T> resource, int samplingInterval) {
      super(resource, samplingInterval);
    }

    @Override
    protected boolean needReport() {
      return true;
    }

    @Override
    protected void reportTracedLeak(String type, String records) {
      if (!records.contains(FORGOTTEN_BY_VERTX)) {
        reported.add(type + records);
      }
    }

    @Override
    protected void reportUntracedLeak(String type) {
      reported.add(type);
    }
  }
}
