package dev.vertlet.model.container;

/**
 * Name of the volume that the API server adds for a pod's service account token: {@code
 * kube-api-access-} and five random characters. The characters are kept apart as a number, so that
 * everything else is equal for all pods of one template. Each instance reads one pod.
 */
public final class TokenVolume {
  /** Placeholder of the volume's name in mounts; it is not a valid volume name. */
  static final String PREFIX = "kube-api-access-";

  private static final int DRAWN = 5;
  private static final int RADIX = 36;

  private int token;
  private boolean several;

  /** Returns the name to keep: {@link #PREFIX} for the pod's token volume. */
  public String kept(String volume) {
    int number = number(volume);
    if (number == 0) {
      return volume;
    }
    if (token == 0) {
      token = number;
    }
    several |= token != number;
    return token == number ? PREFIX : volume;
  }

  /** Returns the number of the pod's token volume; 0 for none. */
  public int token() {
    return several ? 0 : token;
  }

  /** Restores complete names if the pod has several such volumes: no placeholder is used then. */
  public MountsView settled(MountsView mounts) {
    return several ? mounts.named(token) : mounts;
  }

  public boolean isSeveral() {
    return several;
  }

  /** Returns the complete name of a volume. */
  public static String name(String kept, int token) {
    if (!kept.equals(PREFIX)) {
      return kept;
    }
    // the number begins with an extra digit 1, which preserves leading zeros
    return PREFIX + Integer.toString(token, RADIX).substring(1);
  }

  /** Returns 0 for a volume with another name. */
  private static int number(String volume) {
    if (volume.length() != PREFIX.length() + DRAWN || !volume.startsWith(PREFIX)) {
      return 0;
    }
    int number = 1;
    for (int i = PREFIX.length(); i < volume.length(); i++) {
      char drawn = volume.charAt(i);
      boolean known = drawn >= '0' && drawn <= '9' || drawn >= 'a' && drawn <= 'z';
      if (!known) {
        return 0;
      }
      number = number * RADIX + Character.digit(drawn, RADIX);
    }
    return number;
  }
}
