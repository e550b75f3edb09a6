package dev.vertlet.config.document;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Suggests the word that a mistyped word probably stands for. */
public final class Suggestions {
  private Suggestions() {}

  /** Returns "did you mean …" for a similar known word, else the list of all known words. */
  public static String suggest(String word, Collection<String> known) {
    return of(word, known)
        .map(near -> "did you mean \"" + near + "\"?")
        .orElse("known are " + String.join(", ", known));
  }

  /** Returns the most similar known word when at most a third of its letters differ. */
  public static Optional<String> of(String word, Collection<String> known) {
    String best = "";
    int least = Integer.MAX_VALUE;
    for (String candidate : known) {
      int distance = distance(word.toLowerCase(Locale.ROOT), candidate.toLowerCase(Locale.ROOT));
      if (distance < least) {
        least = distance;
        best = candidate;
      }
    }
    return least <= Math.max(1, best.length() / 3) ? Optional.of(best) : Optional.empty();
  }

  /** Counts the letters that differ; two swapped letters count once. */
  private static int distance(String a, String b) {
    int[] before = new int[0];
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          current[j] = Math.min(current[j], before[j - 2] + 1);
        }
      }
      before = previous;
      previous = current;
    }
    return previous[b.length()];
  }
}
