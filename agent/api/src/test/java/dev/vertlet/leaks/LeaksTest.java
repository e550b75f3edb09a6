package dev.vertlet.leaks;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.AbstractByteBuf;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import io.netty.util.ResourceLeakTracker;
import org.junit.jupiter.api.Test;

@WatchesLeaks
class LeaksTest {
  private final Leaks leaks = new Leaks();
  private final ResourceLeakDetector<Object> detector =
      leaks.newResourceLeakDetector(Object.class, 1);

  @Test
  void whatWasNeverReleasedIsReported() throws Exception {
    leave();

    Leaks.collect();
    release();
    assertThat(leaks.take()).singleElement().asString().contains("Object");
    assertThat(leaks.take()).isEmpty();
  }

  @Test
  void whatWasReleasedIsNot() throws Exception {
    release();

    Leaks.collect();
    release();
    assertThat(leaks.take()).isEmpty();
  }

  /** Else nothing would ever be found. */
  @Test
  void nettysBuffersAreWatched() throws Exception {
    assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
    assertThat(ResourceLeakDetectorFactory.instance()).isInstanceOf(Leaks.class);
    var field = AbstractByteBuf.class.getDeclaredField("leakDetector");
    field.setAccessible(true);
    ResourceLeakDetector<?> ofBuffers = (ResourceLeakDetector<?>) field.get(null);
    assertThat(requireNonNull(ofBuffers).getClass().getEnclosingClass()).isEqualTo(Leaks.class);
  }

  private void leave() {
    assertThat(detector.track(new Object())).isNotNull();
  }

  private void release() {
    Object buffer = new Object();
    ResourceLeakTracker<Object> tracker = requireNonNull(detector.track(buffer));
    assertThat(tracker.close(buffer)).isTrue();
  }
}
