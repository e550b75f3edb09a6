package dev.vertlet.model;

/**
 * The name of the volume that the API server adds for a pod's service account token: {@code
 * kube-api-access-} and five characters drawn for the pod. Kept apart as a number, so that all else
 * is the same for all pods of one template. Collects what one pod says of it.
 */
final class TokenVolume {
  /** What mounts call the volume; no volume can be called so. */
  static final String PREFIX = "kube-api-access-";

  private static final int DRAWN = 5;
  private static final int RADIX = 36;

  private int token;
  private boolean several;

  /** The name as it is kept: {@link #PREFIX} for the pod's token. */
  String kept(String volume) {
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

  /** The pod's token; 0 for none. */
  int token() {
    return several ? 0 : token;
  }

  /** The name that was kept, of a pod that has several such volumes: then none is kept apart. */
  MountsView settled(MountsView mounts) {
    return several ? mounts.named(token) : mounts;
  }

  boolean isSeveral() {
    return several;
  }

  /** The whole name of a volume. */
  static String name(String kept, int token) {
    if (!kept.equals(PREFIX)) {
      return kept;
    }
    // begins with a one, so that no leading zero is lost
    return PREFIX + Integer.toString(token, RADIX).substring(1);
  }

  /** 0 for a volume that is called otherwise. */
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
