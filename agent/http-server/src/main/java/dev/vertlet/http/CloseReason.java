package dev.vertlet.http;

import java.util.Locale;

/** Why a server closed a connection, or reset a stream, of an unadmitted client. */
public enum CloseReason {
  /** Too many connections were open in total, or of one client. */
  MAX_CONNECTIONS,
  /** Unadmitted connections and requests held too many bytes. */
  UNADMITTED_BYTES,
  /** The header of a request did not arrive in time. */
  HEAD_TIMEOUT,
  /** A request was not admitted in time, or the client did not read its rejection in time. */
  ADMISSION_TIMEOUT;

  /** Returns the value of the metric's label: {@code head_timeout}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
