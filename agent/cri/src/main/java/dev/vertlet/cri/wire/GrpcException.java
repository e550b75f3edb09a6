package dev.vertlet.cri.wire;

import io.vertx.core.VertxException;

/** A call did not succeed. Its message is the one that a kubelet writes. */
public final class GrpcException extends VertxException {
  private final GrpcStatus status;
  private final String description;

  public GrpcException(GrpcStatus status, String description) {
    super("rpc error: code = " + status.word() + " desc = " + description, true);
    this.status = status;
    this.description = description;
  }

  public GrpcStatus status() {
    return status;
  }

  /** What the runtime says, without the code. */
  public String description() {
    return description;
  }

  /** Whether a failure is of this status. */
  public static boolean is(Throwable failure, GrpcStatus status) {
    return failure instanceof GrpcException grpc && grpc.status == status;
  }

  /** Whether the runtime has no such call. */
  public static boolean isUnimplemented(Throwable failure) {
    // containerd 2.2 answers some calls that it does not have as Unknown
    return is(failure, GrpcStatus.UNIMPLEMENTED)
        || failure instanceof GrpcException grpc
            && grpc.status == GrpcStatus.UNKNOWN
            && grpc.description.contains("not implemented");
  }

  /** The description of a runtime's failure, else the failure's message. */
  public static String description(Throwable failure) {
    return failure instanceof GrpcException grpc
        ? grpc.description
        : String.valueOf(failure.getMessage());
  }
}
