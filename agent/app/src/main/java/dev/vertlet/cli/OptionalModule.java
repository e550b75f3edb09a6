package dev.vertlet.cli;

/** Modules that may be missing on an agent's class path. */
public enum OptionalModule {
  CONFIG_SYNC("vertlet-configsync", "dev.vertlet.configsync.ConfigSyncVerticle"),
  SANDBOX("vertlet-sandbox", "dev.vertlet.sandbox.pool.Pool");

  private final String artifact;
  private final String member;

  OptionalModule(String artifact, String member) {
    this.artifact = artifact;
    this.member = member;
  }

  public boolean isPresent() {
    try {
      Class.forName(member, false, OptionalModule.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /**
   * Checks that the module is there.
   *
   * @param feature what needs it, as users name it
   * @throws FailedException without the module
   */
  public void require(String feature) {
    if (!isPresent()) {
      throw new FailedException(
          feature + " needs " + artifact + ", whose jar is not on the class path");
    }
  }
}
