package dev.vertlet.harness.acceptance;

/** How near to a real cluster a test is. */
enum Ring {
  /** Nothing but the code itself: no event loop, no server. */
  CORE("pure core"),
  /** Verticles on an event loop, most of them with the embedded API server. */
  VERTICLE("embedded server"),
  /** The agent as a process, with a real API server or the whole embedded one. */
  CLUSTER("cluster");

  private final String title;

  Ring(String title) {
    this.title = title;
  }

  /** Heading of its column. */
  String title() {
    return title;
  }
}
