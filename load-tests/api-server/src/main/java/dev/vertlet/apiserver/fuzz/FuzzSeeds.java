package dev.vertlet.apiserver.fuzz;

import java.util.Random;
import java.util.stream.LongStream;

/** How many seeds the fuzz tests try: {@code -Dvertlet.fuzz.seeds=100000} for a long night. */
public final class FuzzSeeds {
  private static final String PROPERTY = "vertlet.fuzz.seeds";

  private FuzzSeeds() {}

  /**
   * @param usual how many where nobody asks for another number
   */
  public static int count(int usual) {
    return Integer.getInteger(PROPERTY, usual);
  }

  /** The seeds themselves, from 0 on. */
  public static LongStream seeds(int usual) {
    return LongStream.range(0, count(usual));
  }

  /** What hangs on a seed: neighbours are spread, as {@link Random} begins alike for them. */
  public static Random random(long seed) {
    return new Random(seed * 0x9E3779B97F4A7C15L);
  }
}
