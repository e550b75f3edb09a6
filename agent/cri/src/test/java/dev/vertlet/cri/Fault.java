package dev.vertlet.cri;

import dev.vertlet.cri.wire.FakeGrpcServer.Call;
import dev.vertlet.cri.wire.GrpcStatus;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;

/** Ways in which a container runtime answers a call wrongly. */
enum Fault {
  LATE("deadline exceeded|timed out|container runtime is down"),

  /** The runtime does what it is asked for, and its caller hears nothing of it. */
  DONE_AND_LATE("deadline exceeded|timed out|container runtime is down"),
  REFUSED("no space left on device|container runtime is down"),
  MISSING("unknown method|does not speak CRI v1"),
  TWICE("sent a second answer|container runtime is down"),
  WITHOUT_ANSWER("sent no answer|container runtime is down"),
  NOT_PROTOBUF("malformed protobuf|container runtime is down"),
  WITHOUT_STATUS("sent no status|container runtime is down"),
  CUT("closed|closing|RST_STREAM|Broken pipe|container runtime is down");

  private final String words;

  /**
   * @param words regular expression of what a user then reads
   */
  Fault(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  /** Whether the caller has to give up by itself. */
  boolean silent() {
    return this == LATE || this == DONE_AND_LATE;
  }

  /**
   * Returns what a method answers instead.
   *
   * @param usual what it has answered before
   */
  Handler<Call> instead(Handler<Call> usual) {
    return call -> {
      switch (this) {
        case LATE -> {}
        case DONE_AND_LATE -> usual.handle(call.silenced());
        case REFUSED -> call.status("2", "no space left on device");
        case MISSING -> call.refuse(GrpcStatus.UNIMPLEMENTED, "unknown method");
        case TWICE -> end(call, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        case WITHOUT_ANSWER -> end(call);
        case NOT_PROTOBUF -> end(call, 0, 0, 0, 0, 2, 0x0a, 9);
        case WITHOUT_STATUS -> call.request().response().end();
        case CUT -> call.request().connection().close();
      }
    };
  }

  private static void end(Call call, int... bytes) {
    Buffer all = Buffer.buffer();
    for (int each : bytes) {
      all.appendByte((byte) each);
    }
    if (all.length() > 0) {
      call.raw(all);
    }
    call.status("0", null);
  }
}
