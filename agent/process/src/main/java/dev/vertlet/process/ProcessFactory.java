package dev.vertlet.process;

import dev.vertlet.host.provider.HostFactory;

/** Creates the runtime {@code process}: containers are processes of this host. */
public final class ProcessFactory extends HostFactory<ProcessOptions> {
  /** Value of {@code nodes[].provider}. */
  public static final String NAME = "process";

  public ProcessFactory() {
    super(NAME, ProcessOptions::of, ProcessRuntime::new);
  }
}
