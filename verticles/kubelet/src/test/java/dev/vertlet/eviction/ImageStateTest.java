package dev.vertlet.eviction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vertlet.provider.container.ImageRecord;
import dev.vertlet.provider.node.NodeUsage.Supply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spec §9, images. */
class ImageStateTest {
  private static final Instant START = Instant.parse("2026-11-22T10:00:00Z");
  private static final ImageRecord OLD = image("old");
  private static final ImageRecord NEW = image("new");

  private final ImageState state = new ImageState(ImageGcOptions.DEFAULTS, START);

  private static ImageRecord image(String id) {
    return new ImageRecord(id, List.of(id), 10);
  }

  private static Instant at(int minutes) {
    return START.plus(Duration.ofMinutes(minutes));
  }

  @Test
  void whatWasUsedLeastRecentlyGoesFirstAndWhatIsUsedStays() {
    ImageRecord used = image("used");
    ImageRecord never = image("never");
    state.observe(List.of(NEW, OLD, used, never), Set.of("old", "used"), at(0));
    state.observe(List.of(NEW, OLD, used, never), Set.of("new", "used"), at(5));

    state.observe(List.of(NEW, OLD, used, never), Set.of("used"), at(10));
    assertThat(state.unused(at(10))).containsExactly(never, OLD, NEW);
  }

  @Test
  void anImageThatWasJustPulledStaysForTwoMinutes() {
    state.observe(List.of(OLD), Set.of(), at(0));

    state.observe(List.of(OLD, NEW), Set.of(), at(5));
    assertThat(state.unused(at(5))).containsExactly(OLD);
    assertThat(state.unused(at(7).minusMillis(1))).containsExactly(OLD);
    assertThat(state.unused(at(7))).containsExactly(OLD, NEW);
  }

  @Test
  void pinnedImagesStay() {
    state.observe(List.of(new ImageRecord("pause", List.of(), 1, true)), Set.of(), at(0));
    assertThat(state.unused(at(60))).isEmpty();
  }

  @Test
  void anImageThatWentAndCameAgainIsNew() {
    state.observe(List.of(OLD), Set.of(), at(0));
    state.observe(List.of(), Set.of(), at(5));

    state.observe(List.of(OLD), Set.of(), at(10));
    assertThat(state.unused(at(11))).isEmpty();
  }

  @Test
  void imagesThatNothingUsedForTooLongAreOutdatedOnceThatIsKnown() {
    ImageGcOptions options =
        new ImageGcOptions(100, 80, Duration.ofMinutes(2), Duration.ofMinutes(30));
    ImageState watched = new ImageState(options, START);
    watched.observe(List.of(OLD, NEW), Set.of("new"), at(20));
    watched.observe(List.of(OLD, NEW), Set.of(), at(25));
    assertThat(watched.outdated(at(30))).isEmpty();
    assertThat(watched.outdated(at(31))).containsExactly(OLD);
    assertThat(watched.outdated(at(51))).containsExactly(OLD, NEW);
    assertThat(state.outdated(at(60))).isEmpty();
    assertThat(options.enabled()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "1000, 151, 49", // 84.9 % in use count as 85
    "1000, 160, 0",
    "1000, 150, 50",
    "1000, 100, 100",
    "1000, 0, 200",
    "1000, 5000, 0",
    "4000000000000000, 0, 800000000000000"
  })
  void overTheHighThresholdEnoughIsFreedForTheLow(long capacity, long available, long excess) {
    assertThat(state.excess(new Supply(available, capacity))).isEqualTo(excess);
  }

  @Test
  void ofAHundredPercentNothingIsFreed() {
    ImageGcOptions options = new ImageGcOptions(100, 80, Duration.ZERO, Duration.ZERO);
    assertThat(options.enabled()).isFalse();
    assertThat(new ImageState(options, START).excess(new Supply(0, 100))).isZero();
  }

  @ParameterizedTest
  @CsvSource({"512, 512 B", "2048, 2.0 KiB", "1610612736, 1.5 GiB", "5497558138880000, 5000.0 TiB"})
  void tellsThatImagesDoNotSuffice(long capacity, String size) {
    assertThat(state.tooLittle(new Supply(0, capacity), 7))
        .isEqualTo(
            "Insufficient free disk space on the node's image filesystem (100% of "
                + size
                + " used). Failed to free sufficient space by deleting unused images (freed 7"
                + " bytes). Investigate disk usage, as it could be used by active images, logs,"
                + " volumes, or other data.");
  }

  @ParameterizedTest
  @CsvSource({
    "101, 80, 2, 0, 'imageGCHighThresholdPercent must be from 0 to 100, got 101'",
    "85, -1, 2, 0, 'imageGCLowThresholdPercent must be from 0 to 100, got -1'",
    "70, 80, 2, 0, 'imageGCLowThresholdPercent 80 must not be above imageGCHighThresholdPercent 70'",
    "85, 80, -2, 0, 'ages of images must not be negative'",
    "85, 80, 2, 2, 'imageMaximumGCAge must be longer than imageMinimumGCAge'"
  })
  void refusesWhatMakesNoSense(int high, int low, int min, int max, String message) {
    assertThatThrownBy(
            () -> new ImageGcOptions(high, low, Duration.ofMinutes(min), Duration.ofMinutes(max)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
