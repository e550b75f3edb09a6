package dev.vertlet.sandbox;

/** Values of the label {@link SandboxNames#phase()}, and of the state's own phase. */
public final class SandboxPhases {
  public static final String IDLE = "idle";

  /** Of both: the images of a claim are being swapped in. */
  public static final String STARTING = "starting";

  public static final String RUNNING = "running";

  /** Of both: the idle images are being swapped in. */
  public static final String STOPPING = "stopping";

  public static final String FAILED = "failed";

  /** Of the state alone: nothing is under way. */
  public static final String COMPLETED = "completed";

  private SandboxPhases() {}
}
