package dev.vertlet.harness.cluster;

import dev.vertlet.apiserver.LoopbackPorts;
import java.net.URI;

/** Ports of one control plane, all on 127.0.0.1 and kept over restarts. */
record Ports(int etcd, int etcdPeer, int apiServer, int controllerManager, int scheduler) {

  static Ports free() {
    return of(LoopbackPorts.next());
  }

  /**
   * Chooses free ports. The API server keeps the port of an earlier start if it is free, because
   * kubeconfigs and agents refer to it.
   */
  static Ports freeLike(int apiServer) {
    return LoopbackPorts.again(apiServer) ? of(apiServer) : free();
  }

  private static Ports of(int apiServer) {
    return new Ports(
        LoopbackPorts.next(),
        LoopbackPorts.next(),
        apiServer,
        LoopbackPorts.next(),
        LoopbackPorts.next());
  }

  static URI https(int port, String path) {
    return URI.create("https://127.0.0.1:" + port + path);
  }
}
