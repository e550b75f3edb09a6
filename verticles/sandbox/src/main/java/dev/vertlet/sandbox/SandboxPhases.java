package dev.vertlet.sandbox;

/** Values of the label {@link SandboxNames#phase()}, and of the phase in the state annotation. */
public final class SandboxPhases {
  public static final String IDLE = "idle";

  /** Label and state: the images of a claim are being swapped in. */
  public static final String STARTING = "starting";

  public static final String RUNNING = "running";

  /** Label and state: the idle images are being swapped in. */
  public static final String STOPPING = "stopping";

  public static final String FAILED = "failed";

  /** State only: no update is in progress. */
  public static final String COMPLETED = "completed";

  private SandboxPhases() {}
}
