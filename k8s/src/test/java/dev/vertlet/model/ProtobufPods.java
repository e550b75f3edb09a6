package dev.vertlet.model;

import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import io.vertx.core.buffer.Buffer;

/**
 * Lists of one pod in protobuf, by another implementation, framed as the API server frames them.
 */
final class ProtobufPods {
  private static final byte[] MAGIC = {'k', '8', 's', 0};

  private ProtobufPods() {}

  /** A list with the pod {@code ns/p}. */
  static byte[] list(V1.PodSpec spec) {
    return list(
        V1.Pod.newBuilder()
            .setMetadata(
                Meta.ObjectMeta.newBuilder()
                    .setName("p")
                    .setNamespace("ns")
                    .setUid("u")
                    .setResourceVersion("7"))
            .setSpec(spec)
            .build());
  }

  static byte[] list(V1.Pod pod) {
    V1.PodList list =
        V1.PodList.newBuilder()
            .setMetadata(Meta.ListMeta.newBuilder().setResourceVersion("9"))
            .addItems(pod)
            .build();
    Runtime.Unknown envelope =
        Runtime.Unknown.newBuilder()
            .setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion("v1").setKind("PodList"))
            .setRaw(list.toByteString())
            .build();
    return Buffer.buffer(MAGIC).appendBytes(envelope.toByteArray()).getBytes();
  }
}
