package dev.vertlet.apiserver.api;

/**
 * Yes or no in a query, as {@code Convert_Slice_string_To_bool} of k8s.io/apimachinery reads it.
 */
public final class QueryFlag {
  private QueryFlag() {}

  /**
   * Whether a value means yes: all do but {@code 0} and {@code false} in any case, also an empty
   * one.
   */
  public static boolean isTrue(String value) {
    return !value.equals("0") && !value.equalsIgnoreCase("false");
  }
}
