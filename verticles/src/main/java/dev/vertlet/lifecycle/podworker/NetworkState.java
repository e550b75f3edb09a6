package dev.vertlet.lifecycle.podworker;

/**
 * Whether pods can be given a network, as the runtime last said. They can until it says otherwise:
 * a runtime that was not asked yet holds up no pod. Belongs to the core's loop.
 */
public final class NetworkState {
  private String problem = "";

  boolean ready() {
    return problem.isEmpty();
  }

  /** Why they cannot, empty when they can. */
  public String problem() {
    return problem;
  }

  /**
   * @return whether that is news
   */
  public boolean become(String next) {
    boolean news = !next.equals(problem);
    problem = next;
    return news;
  }
}
