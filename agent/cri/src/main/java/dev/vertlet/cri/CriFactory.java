package dev.vertlet.cri;

import dev.vertlet.host.provider.HostFactory;

/** Creates the runtime {@code cri}: containers run on a runtime that speaks CRI v1. */
public final class CriFactory extends HostFactory<CriOptions> {
  /** Value of {@code nodes[].provider}. */
  public static final String NAME = "cri";

  public CriFactory() {
    super(NAME, CriOptions::of, CriRuntime::new);
  }
}
