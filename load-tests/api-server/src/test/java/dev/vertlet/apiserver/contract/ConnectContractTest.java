package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.vertlet.apiserver.contract.Api.Answer;
import dev.vertlet.apiserver.contract.FakeKubelet.Request;
import dev.vertlet.testsupport.Waits;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.net.NetSocket;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.SocketException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is passed on to kubelets and pods, and what is refused before. */
@ExtendWith(EndpointExtension.class)
public class ConnectContractTest {
  private static final String LOOPBACK = "127.0.0.1";
  private static final String[] WEBSOCKET = {
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "Sec-WebSocket-Protocol: v4.channel.k8s.io"
  };
  private static final String[] SPDY = {
    "Connection: Upgrade",
    "Upgrade: SPDY/3.1",
    "X-Stream-Protocol-Version: v4.channel.k8s.io",
    "Content-Length: 0"
  };

  /** Room for what sockets on the way buffer. */
  private static final long MUCH = 64L * 1024 * 1024;

  private Optional<FakeKubelet> kubelet = Optional.empty();

  @AfterEach
  void stop() {
    kubelet.ifPresent(FakeKubelet::close);
  }

  private FakeKubelet kubelet(Api api, BiConsumer<NetSocket, Request> script) {
    return kubelet(api, LOOPBACK, script);
  }

  private FakeKubelet kubelet(Api api, String host, BiConsumer<NetSocket, Request> script) {
    FakeKubelet started = FakeKubelet.start(api.vertx(), host, script);
    kubelet = Optional.of(started);
    return started;
  }

  /** A node whose kubelet listens there. */
  private static String node(Api api, String address, int port) {
    String name = node(api);
    api.strategic(
            Api.NODES + "/" + name + "/status",
            "{'status':{'addresses':[{'type':'InternalIP','address':'%s'}],'daemonEndpoints':{'kubeletEndpoint':{'Port':%d}},'declaredFeatures':['ExtendWebSocketsToKubelet']}}"
                .formatted(address, port))
        .is(200);
    return name;
  }

  private static String node(Api api) {
    String name = Api.unique("kubelet");
    api.post(Api.NODES, "{'metadata':{'name':'%s'}}".formatted(name)).is(201);
    return name;
  }

  /** A pod of this kubelet's node. Returns its path. */
  private static String pod(Api api, FakeKubelet kubelet) {
    return pod(api, Api.bound("p", node(api, LOOPBACK, kubelet.port())));
  }

  private static String pod(Api api, String manifest) {
    String path = Api.pods(api.namespace());
    api.post(path, manifest).is(201);
    return path + "/p";
  }

  private static String namespace(String podPath) {
    return podPath.split("/")[4];
  }

  /**
   * Holds a port that refuses connections. One whose server was closed may still accept them: the
   * JDK gives up a listening socket only when its selector comes round.
   */
  private static Socket unheard(String host) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(host, 0));
    return socket;
  }

  private static Answer refused(Api api, String path, int code, String reason, String message) {
    Answer answer = api.get(path).is(code);
    assertThat(answer.text("/message")).isEqualTo(message);
    assertThat(answer.reason()).isEqualTo(reason);
    assertThat(answer.text("/kind")).isEqualTo("Status");
    return answer;
  }

  @Test
  void aLogIsReadFromTheKubelet(Api api) {
    FakeKubelet far = kubelet(api, FakeKubelet.answer("200 OK", "one\ntwo\n", "X-Secret: s"));
    String pod = pod(api, far);

    Answer log =
        api.get(
                pod
                    + "/log?tailLines=5&limitBytes=100&previous=true&timestamps=1&sinceSeconds=60&follow=false&container=c&insecureSkipTLSVerifyBackend=true")
            .is(200);

    assertThat(log.bytes()).hasToString("one\ntwo\n");
    assertThat(log.contentType()).isEqualTo("text/plain");
    assertThat(log.headers().contains("x-secret")).isFalse();
    Request request = far.request();
    assertThat(request.line())
        .isEqualTo(
            "GET /containerLogs/%s/p/c?limitBytes=100&previous=true&sinceSeconds=60&tailLines=5&timestamps=true HTTP/1.1"
                .formatted(namespace(pod)));
    assertThat(request.identity()).contains("CN=");
    assertThat(request.names("authorization")).isFalse();
    far.untilLeft();
    api.get(pod + "/log?sinceTime=2026-01-02T03:04:05.678%2B01:00").is(200);
    assertThat(far.request().line())
        .endsWith(
            "/containerLogs/%s/p/c?sinceTime=%s HTTP/1.1"
                .formatted(namespace(pod), "2026-01-02T02%3A04%3A05Z"));
  }

  @Test
  void aLogIsReadOverAWebSocket(Api api) {
    FakeKubelet far =
        kubelet(
            api,
            (socket, request) ->
                socket.write(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\none\n\r\n"));
    String pod = pod(api, far);
    String[] upgrade = {
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
      "Origin: https://example.org",
      "Sec-WebSocket-Protocol: base64.binary.k8s.io"
    };

    try (RawConnection reader = api.connect()) {
      reader.request("GET " + pod + "/log?follow=true", upgrade);
      // an empty message, the log in base64, a closing frame
      assertThat(reader.until("\u0081\bb25lCg=="))
          .startsWith("HTTP/1.1 101 ")
          .contains("\r\n\r\n\u0081\u0000");
      Waits.get(far.connection().write("4\r\ntwo\n\r\n"));
      reader.until("\u0081\bdHdvCg==");
      Waits.get(far.connection().write("0\r\n\r\n"));
      reader.until("\u0088\u0002\u0003\u00e8");
    }
  }

  @Test
  void aFollowedLogArrivesLineByLineAndEndsWithItsReader(Api api) {
    FakeKubelet far =
        kubelet(
            api,
            (socket, request) ->
                socket.write(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\none\n\r\n"));
    String pod = pod(api, far);

    try (RawConnection reader = api.connect()) {
      reader.request("GET " + pod + "/log?follow=true");
      reader.until("one\n");
      Waits.get(far.connection().write("4\r\ntwo\n\r\n"));
      reader.until("two\n");
    }

    far.untilLeft();
    assertThat(far.request().line()).contains("?follow=true ");
  }

  @Test
  void aLogEndsWithItsKubelet(Api api) {
    FakeKubelet far =
        kubelet(
            api,
            (socket, request) ->
                socket.write(
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\none\n\r\n"));
    String pod = pod(api, far);

    try (RawConnection reader = api.connect()) {
      reader.request("GET " + pod + "/log?follow=true");
      reader.until("one\n");
      Waits.get(far.connection().close());
      String all = reader.untilClosedOr("0\r\n\r\n");
      assertThat(all).contains("one\n");
    }
  }

  /** Writes on and on, each time when what was written before has left. */
  private static void pour(NetSocket socket, Buffer block, AtomicLong sent) {
    if (sent.get() < 4 * MUCH) {
      socket
          .write(block)
          .onSuccess(
              written -> {
                sent.addAndGet(block.length());
                pour(socket, block, sent);
              });
    }
  }

  @Test
  void aSlowReaderHoldsUpTheKubelet(Api api) {
    AtomicLong sent = new AtomicLong();
    FakeKubelet far =
        kubelet(
            api,
            (socket, request) -> {
              socket.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n");
              pour(socket, Buffer.buffer("0123456789abcde\n".repeat(4096)), sent);
            });
    String pod = pod(api, far);

    try (RawConnection reader = api.connect()) {
      reader.stopReading();
      reader.request("GET " + pod + "/log?follow=true");
      await().until(() -> sent.get() > 0);
      long before;
      do {
        before = sent.get();
        // the server serves others, and so has had all occasion to take more
        for (int i = 0; i < 20; i++) {
          api.get(Api.NODES + "?limit=1").is(200);
        }
      } while (before < sent.get());

      assertThat(sent.get()).isLessThan(MUCH);
    }
    far.untilLeft();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tailLines=-1|tailLines: Invalid value: -1: must be greater than or equal to 0",
        "limitBytes=0|limitBytes: Invalid value: 0: must be greater than 0",
        "sinceSeconds=0|sinceSeconds: Invalid value: 0: must be greater than 0",
        "sinceSeconds=1&sinceTime=2026-01-02T03:04:05Z|[]: Forbidden: at most one of `sinceTime` or"
            + " `sinceSeconds` may be specified",
        "stream=Stdout|stream: Forbidden: may not be specified",
        "tailLines=-1&limitBytes=-2|[tailLines: Invalid value: -1: must be greater than or equal to"
            + " 0, limitBytes: Invalid value: -2: must be greater than 0]"
      })
  void optionsOfLogsAreChecked(String query, String what, Api api) {
    refused(
        api,
        Api.pods("default") + "/none/log?" + query,
        422,
        "Invalid",
        "PodLogOptions \"none\" is invalid: " + what);
  }

  @Test
  void optionsThatCannotBeReadAreRefused(Api api) {
    String log = Api.pods("default") + "/none/log?";
    refused(
        api,
        log + "tailLines=x",
        400,
        "BadRequest",
        "strconv.ParseInt: parsing \"x\": invalid syntax");
    assertThat(api.get(log + "sinceTime=today").is(400).text("/message"))
        .startsWith("parsing time \"today\" as \"2006-01-02T15:04:05Z07:00\": cannot parse ");
    refused(api, log, 404, "NotFound", "pods \"none\" not found");
    api.post(Api.pods("default") + "/none/log", "").is(405);
  }

  @ParameterizedTest
  @ValueSource(strings = {"log", "exec", "attach"})
  void theContainerHasToBeThere(String subresource, Api api) {
    FakeKubelet far = kubelet(api, FakeKubelet.answer("200 OK", "log"));
    String node = node(api, LOOPBACK, far.port());
    String pod =
        pod(
            api,
            "{'metadata':{'name':'p'},'spec':{'nodeName':'%s','initContainers':[{'name':'i','image':'i:1'}],'containers':[{'name':'a','image':'i:1'},{'name':'b','image':'i:1'}]}}"
                .formatted(node));
    String path = pod + "/" + subresource;

    refused(
        api,
        path,
        400,
        "BadRequest",
        "a container name must be specified for pod p, choose one of: [i a b]");
    refused(api, path + "?container=z", 400, "BadRequest", "container z is not valid for pod p");
    if (subresource.equals("log")) {
      api.get(path + "?container=i").is(200);
      assertThat(far.request().line()).contains("/p/i ");
    } else {
      refused(api, path + "?container=i", 400, "BadRequest", "Upgrade request required");
      refused(api, path + "?container=i&dryRun=All", 400, "BadRequest", "dryRun is not supported");
      api.put(path, "{}").is(405);
    }
  }

  @Test
  void aPodWithoutANodeHasNoStreams(Api api) {
    String pod = pod(api, Api.unbound("p"));

    assertThat(api.get(pod + "/log").is(204).bytes().length()).isZero();
    for (String stream : new String[] {"exec", "attach", "portforward"}) {
      refused(api, pod + "/" + stream, 400, "BadRequest", "pod p does not have a host assigned");
    }
  }

  @Test
  void aNodeHasToBeFound(Api api) {
    String absent = Api.unique("absent");
    String pod = pod(api, Api.bound("p", absent));
    String message = "pods \"" + absent + "\" not found"; // the node's name, nevertheless
    refused(api, pod + "/log", 404, "NotFound", message);
    refused(api, pod + "/exec", 404, "NotFound", message);
    refused(
        api,
        Api.NODES + "/" + absent + "/proxy/x",
        404,
        "NotFound",
        "nodes \"" + absent + "\" not found");

    String homeless = pod(api, Api.bound("p", node(api)));
    message = "no preferred addresses found; known addresses: []";
    refused(api, homeless + "/log", 500, "", message);
    refused(api, homeless + "/exec", 500, "", message);
  }

  @Test
  void aKubeletThatIsDownIsNamed(Api api) throws IOException {
    try (Socket unheard = unheard(LOOPBACK);
        RawConnection client = api.connect()) {
      String at = LOOPBACK + ":" + unheard.getLocalPort();
      String pod = pod(api, Api.bound("p", node(api, LOOPBACK, unheard.getLocalPort())));
      refused(
          api,
          pod + "/log?tailLines=1",
          500,
          "",
          "Get \"https://%s/containerLogs/%s/p/c?tailLines=1\": dial tcp %s: connect: connection refused"
              .formatted(at, namespace(pod), at));
      client.request("POST " + pod + "/exec?command=x", SPDY);
      assertThat(client.until("\"code\":500"))
          .contains("error dialing backend: dial tcp " + at + ": connect: connection refused");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "400 Bad Request|400|BadRequest|container \"c\" in pod \"p\" is waiting",
        "403 Forbidden|403|Forbidden|container \"c\" in pod \"p\" is waiting ( pods/log p)",
        "404 Not Found|404|NotFound|the server could not find the requested resource ( pods/log p)",
        "500 Internal Server Error|500|InternalError|Internal error occurred: container \"c\" in"
            + " pod \"p\" is waiting",
        "501 Not Implemented|501|InternalError|an error on the server (\"container \\\"c\\\" in pod"
            + " \\\"p\\\" is waiting\") has prevented the request from succeeding ( pods/log p)",
        "503 Service Unavailable|503|ServiceUnavailable|the server is currently unable to handle"
            + " the request ( pods/log p)"
      })
  void aKubeletsRefusalOfALogBecomesAStatus(
      String status, int code, String reason, String message, Api api) {
    FakeKubelet far =
        kubelet(api, FakeKubelet.answer(status, "container \"c\" in pod \"p\" is waiting"));

    Answer answer = refused(api, pod(api, far) + "/log", code, reason, message);

    if (code == 403 || code == 404) {
      assertThat(answer.text("/details/kind")).isEqualTo("pods/log");
      assertThat(answer.text("/details/name")).isEqualTo("p");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "exec, c, 'command=a&command=b+c&stdin=true&stdout=1&stderr=true&tty=true',"
        + " 'command=a&command=b+c&error=1&input=1&output=1&tty=1'",
    "attach, c, 'stdin=true&stdout=true&container=c', 'input=1&output=1'",
    "portforward, '', 'ports=80&ports=81', 'port=80%2C81'"
  })
  void anUpgradeBecomesATunnelToTheKubelet(
      String subresource, String container, String query, String passedOn, Api api) {
    for (boolean spdy : new boolean[] {false, true}) {
      FakeKubelet far = kubelet(api, FakeKubelet.echo(spdy ? "SPDY/3.1" : "websocket"));
      String pod = pod(api, far);
      String line = (spdy ? "POST " : "GET ") + pod + "/" + subresource + "?" + query;
      try (RawConnection client = api.connect()) {
        client.request(line, spdy ? SPDY : WEBSOCKET);
        assertThat(client.until("hello;"))
            .startsWith("HTTP/1.1 101 Switching Protocols\r\n")
            .contains("X-Own: 1\r\n");
        client.send("what is this").until("WHAT IS THIS");
        client.send("bye");
        assertThat(client.untilClosed()).endsWith("farewell");
      }
      Request request = far.request();
      assertThat(request.line())
          .isEqualTo(
              "%s /%s/%s/p%s?%s HTTP/1.1"
                  .formatted(
                      spdy ? "POST" : "GET",
                      subresource.equals("portforward") ? "portForward" : subresource,
                      namespace(pod),
                      container.isEmpty() ? "" : "/" + container,
                      passedOn));
      assertThat(request.identity()).contains("CN=");
      assertThat(request.names("authorization")).isFalse();
      assertThat(request.has(spdy ? "upgrade: SPDY/3.1" : "upgrade: websocket")).isTrue();
      far.untilLeft();
      stop();
      kubelet = Optional.empty();
    }
  }

  @Test
  void aTunnelEndsWithItsClient(Api api) {
    FakeKubelet far = kubelet(api, FakeKubelet.echo("SPDY/3.1"));
    try (RawConnection client = api.connect()) {
      client.request("POST " + pod(api, far) + "/attach", SPDY);
      client.until("hello;");
    }

    far.untilLeft();
  }

  @Test
  void aKubeletsRefusalOfAnUpgradeIsPassedBack(Api api) {
    FakeKubelet far = kubelet(api, FakeKubelet.answer("403 Forbidden", "not you"));
    try (RawConnection client = api.connect()) {
      client.request("POST " + pod(api, far) + "/exec?command=x", SPDY);
      assertThat(client.untilClosed()).startsWith("HTTP/1.1 403 ").endsWith("not you");
    }
    far.close();
    far = kubelet(api, FakeKubelet.answer("200 OK", "no upgrade"));
    try (RawConnection client = api.connect()) {
      client.request("GET " + pod(api, far) + "/exec?command=x", WEBSOCKET);
      assertThat(client.until("\"code\":500"))
          .contains("invalid upgrade response: status code 200");
    }
  }

  @Test
  void proxiesReachNothingOnTheServersOwnMachine(Api api) {
    FakeKubelet far = kubelet(api, FakeKubelet.answer("200 OK", "secret"));
    String node = node(api, LOOPBACK, far.port());
    String pod = pod(api, Api.bound("p", node));
    api.strategic(pod + "/status", "{'status':{'podIP':'127.0.0.1'}}").is(200);

    refused(api, Api.NODES + "/" + node + "/proxy/pods", 400, "BadRequest", "address not allowed");
    refused(
        api, Api.NODES + "/" + node + ":80/proxy/pods", 400, "BadRequest", "address not allowed");
    refused(api, pod + "/proxy/", 400, "BadRequest", "address not allowed");
    refused(
        api,
        Api.NODES + "/ftp:" + node + ":80/proxy/pods",
        400,
        "BadRequest",
        "invalid node request \"ftp:" + node + ":80\"");
  }

  /** An address of this machine that others could reach, too. */
  private static String outside() throws SocketException {
    Optional<String> found =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> address.getAddress().length == 4)
            .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
            .map(InetAddress::getHostAddress)
            .findFirst();
    assumeTrue(found.isPresent(), "this machine has no IPv4 address but loopback");
    return found.orElseThrow();
  }

  @Test
  void aNodesProxyReachesItsKubelet(Api api) throws Exception {
    String host = outside();
    FakeKubelet far =
        kubelet(
            api,
            host,
            FakeKubelet.answer(
                "418 Teapot", "{'a':1}", "Content-Type: application/json", "X-Own: 1"));
    String node = node(api, host, far.port());
    String base = Api.NODES + "/" + node + "/proxy";

    Answer answer =
        api.get(
                base + "/stats/summary?only_cpu=true",
                "impersonate-user",
                "me",
                "impersonate-group",
                "system:masters",
                "x-remote-user",
                "me")
            .is(418);

    assertThat(answer.bytes()).hasToString("{'a':1}");
    assertThat(answer.contentType()).isEqualTo("application/json");
    assertThat(answer.headers().get("x-own")).isEqualTo("1");
    Request request = far.request();
    assertThat(request.line()).isEqualTo("GET /stats/summary?only_cpu=true HTTP/1.1");
    assertThat(request.identity()).contains("CN=");
    for (String header :
        new String[] {"authorization", "impersonate-user", "impersonate-group", "x-remote-user"}) {
      assertThat(request.names(header)).as(header).isFalse();
    }
    assertThat(request.has("x-forwarded-uri: " + base + "/stats/summary")).isTrue();
    far.untilLeft();

    api.call(HttpMethod.POST, base + "/run/", "body", "content-type", "text/plain").is(418);
    assertThat(far.request().line()).isEqualTo("POST /run/ HTTP/1.1");
    far.untilLeft();
    api.get(Api.NODES + "/" + node + ":" + far.port() + "/proxy/pods").is(418);
    assertThat(far.request().line()).isEqualTo("GET /pods HTTP/1.1");
    far.untilLeft();
    Answer moved = api.get(base + "?x=1").is(301);
    assertThat(moved.headers().get("location")).isEqualTo(base + "/?x=1");
  }

  @Test
  void aProxyReachesAPodAndAnotherPortOfANodeWithoutCredentials(Api api) throws Exception {
    String host = outside();
    FakeKubelet far = FakeKubelet.plain(api.vertx(), host, FakeKubelet.answer("200 OK", "page"));
    kubelet = Optional.of(far);
    String node = node(api, host, 1);
    String pod = pod(api, Api.bound("p", node));
    api.strategic(pod + "/status", "{'status':{'podIP':'%s'}}".formatted(host)).is(200);

    assertThat(api.get(Api.NODES + "/" + node + ":" + far.port() + "/proxy/a/b").is(200).bytes())
        .hasToString("page");
    assertThat(far.request().line()).isEqualTo("GET /a/b HTTP/1.1");
    far.untilLeft();
    assertThat(api.get(pod + ":" + far.port() + "/proxy/").is(200).bytes()).hasToString("page");
    Request request = far.request();
    assertThat(request.line()).isEqualTo("GET / HTTP/1.1");
    assertThat(request.identity()).isEmpty();
    try (Socket unheard = unheard(host)) {
      refused(
          api,
          pod + ":" + unheard.getLocalPort() + "/proxy/",
          503,
          "ServiceUnavailable",
          "error trying to reach service: dial tcp %s:%d: connect: connection refused"
              .formatted(host, unheard.getLocalPort()));
    }
  }

  @Test
  void kubeletsCanKnowWhoCalls(Api api) {
    Answer authority =
        api.get("/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication")
            .is(200);
    assertThat(authority.body().at("/data/client-ca-file").asText())
        .startsWith("-----BEGIN CERTIFICATE-----");

    String tokens = "/apis/authentication.k8s.io/v1/tokenreviews";
    Answer nobody = api.post(tokens, "{'spec':{'token':'made-up'}}").is(201);
    assertThat(nobody.body().at("/status/authenticated").asBoolean()).isFalse();
    assertThat(nobody.text("/status/error")).contains("invalid bearer token");
    assertThat(api.post(tokens, "{'spec':{}}").is(400).text("/message"))
        .isEqualTo("token is required for TokenReview in authentication");

    String access = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    String question =
        "{'spec':{'user':'x','groups':['%s'],'resourceAttributes':{'verb':'get','resource':'nodes','subresource':'proxy','name':'n'}}}";
    assertThat(
            api.post(access, question.formatted("system:masters"))
                .is(201)
                .body()
                .at("/status/allowed")
                .asBoolean())
        .isTrue();
    assertThat(
            api.post(access, question.formatted("strangers"))
                .is(201)
                .body()
                .at("/status/allowed")
                .asBoolean(true))
        .isFalse();
  }

  @Test
  void discoveryNamesWhatCanBeConnected(Api api) {
    Answer core = api.get("/api/v1").is(200);
    for (String line :
        new String[] {
          "pods/attach PodAttachOptions [\"create\",\"get\"]",
          "pods/exec PodExecOptions [\"create\",\"get\"]",
          "pods/log Pod [\"get\"]",
          "pods/portforward PodPortForwardOptions [\"create\",\"get\"]",
          "pods/proxy PodProxyOptions [\"create\",\"delete\",\"get\",\"patch\",\"update\"]",
          "nodes/proxy NodeProxyOptions [\"create\",\"delete\",\"get\",\"patch\",\"update\"]"
        }) {
      assertThat(core.body().path("resources"))
          .anyMatch(
              entry ->
                  line.equals(
                      entry.path("name").asText()
                          + " "
                          + entry.path("kind").asText()
                          + " "
                          + entry.path("verbs")));
    }
  }

  @Test
  void aNodeKeepsTheFeaturesItDeclares(Api api) {
    String node = node(api, LOOPBACK, 1);

    assertThat(api.get(Api.NODES + "/" + node).is(200).text("/status/declaredFeatures/0"))
        .isEqualTo("ExtendWebSocketsToKubelet");
  }
}
