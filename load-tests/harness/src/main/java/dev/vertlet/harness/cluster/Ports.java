package dev.vertlet.harness.cluster;

import dev.vertlet.harness.loopback.LoopbackPorts;
import java.net.URI;

/** The ports of one control plane, all on 127.0.0.1 and kept over restarts. */
record Ports(int etcd, int etcdPeer, int apiServer, int controllerManager, int scheduler) {

  static Ports free() {
    return new Ports(
        LoopbackPorts.next(),
        LoopbackPorts.next(),
        LoopbackPorts.next(),
        LoopbackPorts.next(),
        LoopbackPorts.next());
  }

  static URI https(int port, String path) {
    return URI.create("https://127.0.0.1:" + port + path);
  }
}
