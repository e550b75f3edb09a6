package dev.vertlet.testsupport;

import java.util.Random;
import java.util.stream.LongStream;

/**
 * Seeds of simulations and fuzz tests. A test gives two counts: one for {@code mvn verify}, one for
 * {@code .ci/full}.
 *
 * <p>{@code -Dvertlet.test.seeds=100000} sets the count of every test; {@code
 * -Dvertlet.test.seed=N} replays one seed.
 */
public final class Seeds {
  private static final String COUNT = "vertlet.test.seeds";
  private static final String ONE = "vertlet.test.seed";

  private Seeds() {}

  /**
   * Number of seeds to try.
   *
   * @param daily count in the daily ring
   * @param full count in the full ring
   */
  public static int count(int daily, int full) {
    return Integer.getInteger(COUNT, Rings.isFull() ? full : daily);
  }

  /** Seeds from 0 on, or only the seed to replay. */
  public static LongStream range(int daily, int full) {
    Long one = Long.getLong(ONE);
    return one == null ? LongStream.range(0, count(daily, full)) : LongStream.of(one);
  }

  /** Creates the generator of a seed; spreads seeds: {@link Random} starts alike for neighbours. */
  public static Random random(long seed) {
    return new Random(seed * 0x9E3779B97F4A7C15L);
  }

  /** System property that replays one seed, for failure messages. */
  public static String replay(long seed) {
    return "-D" + ONE + "=" + seed;
  }
}
