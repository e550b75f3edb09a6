package dev.vertlet.harness.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Command lines of the programs of one control plane. */
final class CommandLines {
  /** Quota for the pods and nodes of a load test; they exceed etcd's default of 2 GB. */
  private static final long ETCD_QUOTA_BYTES = 8L << 30;

  private final Programs programs;
  private final DataDir dir;
  private final Ports ports;

  CommandLines(Programs programs, DataDir dir, Ports ports) {
    this.programs = programs;
    this.dir = dir;
    this.ports = ports;
  }

  /** Runs etcd without fsync: the data is worthless after a crash of the machine. */
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
   * Turns off priority and fairness and the limits on requests in flight: tests measure the client,
   * and a test of throttling uses the fault proxy. Pods need no service account, because nothing
   * issues tokens. Aggregated APIs, such as the metrics API, are reached at their endpoints,
   * because nothing implements cluster IPs.
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

  /** Writes each event before the response is sent and never rotates: no test writes a gigabyte. */
  static List<String> audit(Path policy, Path log) {
    return List.of(
        "--audit-policy-file=" + policy,
        "--audit-log-path=" + log,
        "--audit-log-mode=blocking",
        "--audit-log-maxsize=1024");
  }

  /** Turns off the controllers for pod ranges and routes: virtual nodes have their own. */
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

  /** Lets the API server decide about the callers of its own port, so that metrics can be read. */
  List<String> scheduler() {
    return command(
        Programs.SCHEDULER,
        List.of(),
        "--kubeconfig=" + dir.file("kubeconfig"),
        "--authentication-kubeconfig=" + dir.file("kubeconfig"),
        "--authorization-kubeconfig=" + dir.file("kubeconfig"),
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
