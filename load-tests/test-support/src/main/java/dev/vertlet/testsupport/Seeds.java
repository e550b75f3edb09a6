package dev.vertlet.testsupport;

import java.util.Random;
import java.util.stream.LongStream;

/**
 * Seeds of simulations and fuzz tests. A test names two counts: the one of {@code mvn verify} and
 * the one of {@code .ci/full}.
 *
 * <p>{@code -Dvertlet.test.seeds=100000} sets the count of every test, {@code
 * -Dvertlet.test.seed=N} replays one seed.
 */
public final class Seeds {
  private static final String COUNT = "vertlet.test.seeds";
  private static final String ONE = "vertlet.test.seed";

  private Seeds() {}

  /**
   * Number of seeds to try.
   *
   * @param daily in the daily ring
   * @param full in the full ring
   */
  public static int count(int daily, int full) {
    return Integer.getInteger(COUNT, Rings.isFull() ? full : daily);
  }

  /** The seeds themselves, from 0 on; the one to replay if there is one. */
  public static LongStream range(int daily, int full) {
    Long one = Long.getLong(ONE);
    return one == null ? LongStream.range(0, count(daily, full)) : LongStream.of(one);
  }

  /** A generator of a seed. Neighbours are spread, as {@link Random} begins alike for them. */
  public static Random random(long seed) {
    return new Random(seed * 0x9E3779B97F4A7C15L);
  }

  /** How to run one seed again, for the message of a failure. */
  public static String replay(long seed) {
    return "-D" + ONE + "=" + seed;
  }
}
