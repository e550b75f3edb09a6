package dev.vertlet.kubelet.podworker;

/**
 * Whether pods can get a network, as the runtime last reported. True before the first report, so
 * that a runtime that has not answered yet delays no pod. Belongs to the core's loop.
 */
public final class NetworkState {
  private String problem = "";

  boolean ready() {
    return problem.isEmpty();
  }

  /** Why pods cannot get a network; empty when they can. */
  public String problem() {
    return problem;
  }

  /**
   * @return whether the state changed
   */
  public boolean become(String next) {
    boolean news = !next.equals(problem);
    problem = next;
    return news;
  }
}
