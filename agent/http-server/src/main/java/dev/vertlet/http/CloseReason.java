package dev.vertlet.http;

import java.util.Locale;

/** Why a server has closed a connection, or reset a stream, of a client that was not admitted. */
public enum CloseReason {
  /** As many connections as there may be were open, or as many of one client. */
  MAX_CONNECTIONS,
  /** Connections and requests that were not admitted held as much as they may. */
  UNADMITTED_BYTES,
  /** No head of a request came in time. */
  HEAD_TIMEOUT,
  /** A request was not admitted in time, or its refusal not read. */
  ADMISSION_TIMEOUT;

  /** As the value of a label: {@code head_timeout}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
