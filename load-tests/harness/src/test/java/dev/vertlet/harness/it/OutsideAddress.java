package dev.vertlet.harness.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Where others than this machine's own programs reach a node. */
final class OutsideAddress {
  /** For {@code kubectl get node -o}. */
  static final String JSON_PATH = "jsonpath={.status.addresses[?(@.type==\"InternalIP\")].address}";

  private OutsideAddress() {}

  /**
   * Returns a node's address if API servers pass requests on to it: they refuse loopback. An agent
   * gives its nodes the machine's first other address; where the machine has none the test is
   * skipped, and {@code .ci/run} makes one.
   *
   * @param address what {@link #JSON_PATH} finds
   */
  static String of(String address) {
    assumeTrue(
        address.matches("[0-9.]+") && !address.startsWith("127."),
        "this machine has no IPv4 address but loopback");
    return address;
  }
}
