package dev.vertlet.page;

import java.util.Comparator;

/** Sorts names with their numbers by value: {@code node-2} precedes {@code node-10}. */
final class NaturalOrder implements Comparator<String> {
  static final NaturalOrder INSTANCE = new NaturalOrder();

  private NaturalOrder() {}

  @Override
  public int compare(String one, String other) {
    int i = 0;
    int j = 0;
    while (i < one.length() && j < other.length()) {
      char a = one.charAt(i);
      char b = other.charAt(j);
      if (isDigit(a) && isDigit(b)) {
        int endOne = end(one, i);
        int endOther = end(other, j);
        int numbers = numbers(one.substring(i, endOne), other.substring(j, endOther));
        if (numbers != 0) {
          return numbers;
        }
        i = endOne;
        j = endOther;
      } else if (a != b) {
        return Character.compare(a, b);
      } else {
        i++;
        j++;
      }
    }
    int rest = Integer.compare(one.length() - i, other.length() - j);
    return rest == 0 ? one.compareTo(other) : rest;
  }

  /** Compares digit strings of any length by value. */
  private static int numbers(String one, String other) {
    String a = one.replaceFirst("^0+(?=.)", "");
    String b = other.replaceFirst("^0+(?=.)", "");
    int lengths = Integer.compare(a.length(), b.length());
    return lengths == 0 ? a.compareTo(b) : lengths;
  }

  private static int end(String text, int from) {
    int at = from;
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
    return at;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
