package dev.vertlet.cri.wire;

/** Status codes of gRPC, by their numbers. */
public enum GrpcStatus {
  OK("OK"),
  CANCELLED("Canceled"),
  UNKNOWN("Unknown"),
  INVALID_ARGUMENT("InvalidArgument"),
  DEADLINE_EXCEEDED("DeadlineExceeded"),
  NOT_FOUND("NotFound"),
  ALREADY_EXISTS("AlreadyExists"),
  PERMISSION_DENIED("PermissionDenied"),
  RESOURCE_EXHAUSTED("ResourceExhausted"),
  FAILED_PRECONDITION("FailedPrecondition"),
  ABORTED("Aborted"),
  OUT_OF_RANGE("OutOfRange"),
  UNIMPLEMENTED("Unimplemented"),
  INTERNAL("Internal"),
  UNAVAILABLE("Unavailable"),
  DATA_LOSS("DataLoss"),
  UNAUTHENTICATED("Unauthenticated");

  private final String word;

  GrpcStatus(String word) {
    this.word = word;
  }

  /** The code as messages of Kubernetes' components write it. */
  public String word() {
    return word;
  }

  /** Returns the status of a header's value; {@link #UNKNOWN} for one that is none. */
  static GrpcStatus of(String header) {
    try {
      int number = Integer.parseInt(header.trim());
      return number >= 0 && number < values().length ? values()[number] : UNKNOWN;
    } catch (NumberFormatException e) {
      return UNKNOWN;
    }
  }
}
