package dev.vertlet.harness.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The arguments of the programs of one control plane. */
final class CommandLines {
  /** What the simulated pods and nodes of a load test need; etcd's own 2 GB fill up. */
  private static final long ETCD_QUOTA_BYTES = 8L << 30;

  private final Programs programs;
  private final DataDir dir;
  private final Ports ports;

  CommandLines(Programs programs, DataDir dir, Ports ports) {
    this.programs = programs;
    this.dir = dir;
    this.ports = ports;
  }

  /** Without fsync: a machine's crash may cost the data, which is worth nothing then. */
  List<String> etcd() {
    String client = "http://127.0.0.1:" + ports.etcd();
    String peer = "http://127.0.0.1:" + ports.etcdPeer();
    return command(
        Programs.ETCD,
        List.of(),
        "--data-dir=" + dir.file("etcd"),
        "--listen-client-urls=" + client,
        "--advertise-client-urls=" + client,
        "--listen-peer-urls=" + peer,
        "--initial-advertise-peer-urls=" + peer,
        "--initial-cluster=default=" + peer,
        "--unsafe-no-fsync",
        "--quota-backend-bytes=" + ETCD_QUOTA_BYTES,
        "--log-level=warn");
  }

  /**
   * Priority and fairness and the limits of requests in flight are off: what is measured and tested
   * is the client, and a test that wants throttling asks the fault proxy for it. Pods need no
   * service account: nothing makes its token. APIs of others, such as the metrics API, are reached
   * at their endpoints, since nothing here makes cluster IPs work.
   */
  List<String> apiServer(List<String> more) {
    return command(
        Programs.API_SERVER,
        more,
        "--etcd-servers=http://127.0.0.1:" + ports.etcd(),
        "--secure-port=" + ports.apiServer(),
        "--bind-address=127.0.0.1",
        "--advertise-address=127.0.0.1",
        "--tls-cert-file=" + dir.pki("server.crt"),
        "--tls-private-key-file=" + dir.pki("server.key"),
        "--client-ca-file=" + dir.pki("ca.crt"),
        "--token-auth-file=" + dir.pki("tokens.csv"),
        "--authorization-mode=Node,RBAC",
        "--kubelet-client-certificate=" + dir.pki("kubelet-client.crt"),
        "--kubelet-client-key=" + dir.pki("kubelet-client.key"),
        "--requestheader-client-ca-file=" + dir.pki("front-proxy-ca.crt"),
        "--requestheader-allowed-names=" + DataDir.FRONT_PROXY,
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        "--proxy-client-cert-file=" + dir.pki(DataDir.FRONT_PROXY + ".crt"),
        "--proxy-client-key-file=" + dir.pki(DataDir.FRONT_PROXY + ".key"),
        "--enable-aggregator-routing",
        "--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname",
        "--service-account-key-file=" + dir.pki("service-account.crt"),
        "--service-account-signing-key-file=" + dir.pki("service-account.key"),
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-cluster-ip-range=10.0.0.0/16",
        "--disable-admission-plugins=ServiceAccount",
        "--allow-privileged",
        "--enable-priority-and-fairness=false",
        "--max-requests-inflight=0",
        "--max-mutating-requests-inflight=0");
  }

  /** Written before the answer is sent, and never rotated: a test has no gigabyte of it. */
  static List<String> audit(Path policy, Path log) {
    return List.of(
        "--audit-policy-file=" + policy,
        "--audit-log-path=" + log,
        "--audit-log-mode=blocking",
        "--audit-log-maxsize=1024");
  }

  /** Without the controllers that hand out pod ranges and routes: virtual nodes bring their own. */
  List<String> controllerManager(List<String> more) {
    return command(
        Programs.CONTROLLER_MANAGER,
        more,
        "--kubeconfig=" + dir.file("kubeconfig"),
        "--service-account-private-key-file=" + dir.pki("service-account.key"),
        "--root-ca-file=" + dir.pki("ca.crt"),
        "--controllers=*,-nodeipam,-route",
        "--leader-elect=false",
        "--kube-api-qps=500",
        "--kube-api-burst=1000",
        "--bind-address=127.0.0.1",
        "--secure-port=" + ports.controllerManager(),
        "--tls-cert-file=" + dir.pki("server.crt"),
        "--tls-private-key-file=" + dir.pki("server.key"));
  }

  List<String> scheduler() {
    return command(
        Programs.SCHEDULER,
        List.of(),
        "--kubeconfig=" + dir.file("kubeconfig"),
        "--leader-elect=false",
        "--kube-api-qps=2000",
        "--kube-api-burst=4000",
        "--bind-address=127.0.0.1",
        "--secure-port=" + ports.scheduler(),
        "--tls-cert-file=" + dir.pki("server.crt"),
        "--tls-private-key-file=" + dir.pki("server.key"));
  }

  private List<String> command(String program, List<String> more, String... flags) {
    List<String> command = new ArrayList<>(List.of(programs.path(program)));
    command.addAll(Arrays.asList(flags));
    command.addAll(more);
    return command;
  }
}
