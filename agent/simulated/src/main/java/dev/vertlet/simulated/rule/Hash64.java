package dev.vertlet.simulated.rule;

/**
 * Hashes text into 64 well mixed bits, the same in every process and on every JVM. It replaces a
 * random generator wherever a restart of the agent must draw the same value again.
 */
public final class Hash64 {
  private static final long FNV_PRIME = 0x100000001b3L;
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private Hash64() {}

  public static long of(long seed, String text) {
    long hash = mix(seed + GOLDEN_GAMMA);
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FNV_PRIME;
    }
    return mix(hash + text.length());
  }

  public static long of(long seed, String text, String more) {
    return of(of(seed, text), more);
  }

  public static long of(long seed, long number) {
    return mix(mix(seed + GOLDEN_GAMMA) ^ number);
  }

  /** Converts the bits to a number from 0 (inclusive) to 1 (exclusive). */
  public static double unit(long bits) {
    return (bits >>> 11) * 0x1.0p-53;
  }

  /** Applies the finalizer of SplitMix64: every input bit affects every output bit. */
  private static long mix(long bits) {
    long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
