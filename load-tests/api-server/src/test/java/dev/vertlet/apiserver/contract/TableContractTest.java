package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(EndpointExtension.class)
public class TableContractTest {
  private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";

  /** Cells that tell a time span; how long depends on how fast the test runs. */
  private static final String AGE = "\\d+[smhdy](\\d+[smhdy])?";

  private static JsonNode table(Api api, String path) {
    var answer = api.get(path, "accept", TABLE + ",application/json").is(200);
    assertThat(answer.contentType()).isEqualTo("application/json");
    assertThat(answer.text("/kind")).isEqualTo("Table");
    assertThat(answer.text("/apiVersion")).isEqualTo("meta.k8s.io/v1");
    return answer.body();
  }

  private static List<String> cells(JsonNode table) {
    List<String> cells = new ArrayList<>();
    table
        .at("/rows/0/cells")
        .forEach(cell -> cells.add(cell.asText().replaceAll("^" + AGE + "$", "AGE")));
    return cells;
  }

  private static List<String> columns(JsonNode table) {
    List<String> columns = new ArrayList<>();
    table
        .path("columnDefinitions")
        .forEach(
            column ->
                columns.add(
                    "%s %s/%s %d"
                        .formatted(
                            column.path("name").asText(),
                            column.path("type").asText(),
                            column.path("format").asText(),
                            column.path("priority").asInt())));
    return columns;
  }

  private static String boundPod(Api api, String spec) {
    String pods = Api.pods(api.namespace());
    api.post(
            pods,
            "{'metadata':{'name':'p'},'spec':{'nodeName':'%s',%s'containers':[{'name':'a','image':'i:1'},{'name':'b','image':'i:1'}]}}"
                .formatted(Api.unique("absent"), spec))
        .is(201);
    return pods + "/p";
  }

  @Test
  void podsHaveTheirColumns(Api api) {
    String pod = boundPod(api, "");
    String node = api.get(pod).text("/spec/nodeName");

    JsonNode table = table(api, pod);

    assertThat(columns(table))
        .containsExactly(
            "Name string/name 0",
            "Ready string/ 0",
            "Status string/ 0",
            "Restarts string/ 0",
            "Age string/ 0",
            "IP string/ 1",
            "Node string/ 1",
            "Nominated Node string/ 1",
            "Readiness Gates string/ 1");
    assertThat(cells(table))
        .containsExactly("p", "0/2", "Pending", "0", "AGE", "<none>", node, "<none>", "<none>");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'phase':'Running','containerStatuses':[A+RUN,B+RUN],'podIPs':[{'ip':'1.2.3.4'}]} | 2/2 Running 0",
        "{'phase':'Running','containerStatuses':[A+RUN,B+WAIT]} | 1/2 CrashLoopBackOff 0",
        "{'phase':'Running','containerStatuses':[A+RUN,B+AGAIN]} | 2/2 Running 3 (AGE ago)",
        "{'phase':'Succeeded','containerStatuses':[A+DONE,B+DONE]} | 0/2 Completed 0",
        "{'phase':'Failed','containerStatuses':[A+DONE,B+SIGNAL]} | 0/2 Signal:9 0",
        "{'phase':'Failed','containerStatuses':[A+SIGNAL,B+DONE]} | 0/2 Signal:9 0",
        "{'phase':'Failed','reason':'Evicted'} | 0/2 Evicted 0",
        "{'phase':'Running','conditions':[{'type':'Ready','status':'True'}],'containerStatuses':[A+DONE,B+RUN]} | 1/2 Running 0",
        "{'phase':'Running','containerStatuses':[A+DONE,B+RUN]} | 1/2 NotReady 0"
      })
  void podStatusTellsWhatMattersMost(String status, String expected, Api api) {
    String pod = boundPod(api, "");
    api.strategic(pod + "/status", "{'status':" + expand(status) + "}").is(200);

    List<String> cells = cells(table(api, pod));

    assertThat(String.join(" ", cells.subList(1, 4)).replaceAll("\\(" + AGE, "(AGE"))
        .isEqualTo(expected);
  }

  /** Writes out the short forms of container statuses. */
  private static String expand(String status) {
    String common = "'image':'i','imageID':'','restartCount':";
    return status
        .replaceAll(
            "([AB])\\+RUN", "{'name':'$1'," + common + "0,'ready':true,'state':{'running':{}}}")
        .replaceAll(
            "([AB])\\+AGAIN",
            "{'name':'$1',"
                + common
                + "3,'ready':true,'state':{'running':{}},'lastState':{'terminated':{'exitCode':1,'finishedAt':'2026-01-01T00:00:00Z'}}}")
        .replaceAll(
            "([AB])\\+WAIT",
            "{'name':'$1',"
                + common
                + "0,'ready':false,'state':{'waiting':{'reason':'CrashLoopBackOff'}}}")
        .replaceAll(
            "([AB])\\+DONE",
            "{'name':'$1',"
                + common
                + "0,'ready':false,'state':{'terminated':{'exitCode':0,'reason':'Completed'}}}")
        .replaceAll(
            "([AB])\\+SIGNAL",
            "{'name':'$1',"
                + common
                + "0,'ready':false,'state':{'terminated':{'exitCode':1,'signal':9}}}")
        .replace("'A'", "'a'")
        .replace("'B'", "'b'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'waiting':{'reason':'PodInitializing'} | false | 0/3 Init:0/2",
        "'waiting':{'reason':'ImagePullBackOff'} | false | 0/3 Init:ImagePullBackOff",
        "'terminated':{'exitCode':3} | false | 0/3 Init:ExitCode:3",
        "'terminated':{'exitCode':1,'reason':'Error'} | false | 0/3 Init:Error",
        "'terminated':{'exitCode':0} | false | 0/3 Init:1/2",
        "'terminated':{'exitCode':0} | true | 1/3 Pending"
      })
  void initContainersComeFirst(String state, boolean sidecarRuns, String expected, Api api) {
    String pod =
        boundPod(
            api,
            "'initContainers':[{'name':'i','image':'i:1'},{'name':'s','image':'i:1','restartPolicy':'Always'}],");
    api.strategic(
            pod + "/status",
            ("{'status':{'phase':'Pending','initContainerStatuses':["
                    + "{'name':'i','image':'i','imageID':'','ready':false,'restartCount':0,'state':{%s}},"
                    + "{'name':'s','image':'i','imageID':'','ready':%s,'started':%s,'restartCount':0,'state':{}}]}}")
                .formatted(state, sidecarRuns, sidecarRuns))
        .is(200);

    List<String> cells = cells(table(api, pod));

    assertThat(cells.get(1) + " " + cells.get(2)).isEqualTo(expected);
  }

  @Test
  void aPodThatIsToGoIsTerminating(Api api) {
    String pod = boundPod(api, "");
    api.delete(pod, "{}").is(200);

    assertThat(cells(table(api, pod)).get(2)).isEqualTo("Terminating");
  }

  @Test
  void rowsOfFinishedPodsSaySo(Api api) {
    String pod = boundPod(api, "");
    api.strategic(pod + "/status", "{'status':{'phase':'Succeeded'}}").is(200);

    assertThat(table(api, pod).at("/rows/0/conditions/0").toString())
        .isEqualTo(
            "{\"type\":\"Completed\",\"status\":\"True\",\"reason\":\"Succeeded\","
                + "\"message\":\"The pod has completed successfully.\"}");
  }

  @Test
  void nodes(Api api) {
    String name = Api.unique("node");
    String node = Api.NODES + "/" + name;
    api.post(
            Api.NODES,
            ("{'metadata':{'name':'%s','labels':{'kubernetes.io/role':'b','node-role.kubernetes.io/a':''}},"
                    + "'spec':{'unschedulable':true},'status':{'conditions':[{'type':'Ready','status':'True'}],"
                    + "'addresses':[{'type':'InternalIP','address':'1.2.3.4'}],"
                    + "'nodeInfo':{'kubeletVersion':'v1','osImage':'os','kernelVersion':'k','containerRuntimeVersion':'c',"
                    + "'machineID':'','systemUUID':'','bootID':'','kubeProxyVersion':'','operatingSystem':'','architecture':'amd64'}}}")
                .formatted(name))
        .is(201);

    JsonNode table = table(api, node);

    assertThat(columns(table))
        .containsExactly(
            "Name string/name 0",
            "Status string/ 0",
            "Roles string/ 0",
            "Age string/ 0",
            "Version string/ 0",
            "Internal-IP string/ 1",
            "External-IP string/ 1",
            "OS-Image string/ 1",
            "Kernel-Version string/ 1",
            "Container-Runtime string/ 1");
    assertThat(cells(table))
        .containsExactly(
            name,
            "Ready,SchedulingDisabled",
            "a,b",
            "AGE",
            "v1",
            "1.2.3.4",
            "<none>",
            "os",
            "k (amd64)",
            "c");
    api.delete(node, "").is(200);
  }

  @Test
  void events(Api api) {
    String ns = api.namespace();
    String name = "e";
    api.post(
            "/api/v1/namespaces/" + ns + "/events",
            ("{'metadata':{'name':'%s'},'involvedObject':{'kind':'Pod','name':'p','namespace':'%s','fieldPath':'spec.x'},"
                    + "'type':'Normal','reason':'R','message':' m ','count':4,'source':{'component':'c','host':'h'},"
                    + "'firstTimestamp':'2026-01-01T00:00:00Z','lastTimestamp':'2026-01-01T00:00:00Z'}")
                .formatted(name, ns))
        .is(201);

    JsonNode table = table(api, "/api/v1/namespaces/" + ns + "/events/e");

    assertThat(columns(table))
        .containsExactly(
            "Last Seen string/ 0",
            "Type string/ 0",
            "Reason string/ 0",
            "Object string/ 0",
            "Subobject string/ 1",
            "Source string/ 1",
            "Message string/ 0",
            "First Seen string/ 1",
            "Count string/ 1",
            "Name string/name 1");
    assertThat(cells(table))
        .containsExactly("AGE", "Normal", "R", "pod/p", "spec.x", "c, h", "m", "AGE", "4", "e");
    assertThat(cells(table(api, "/apis/events.k8s.io/v1/namespaces/" + ns + "/events/e")))
        .isEqualTo(cells(table));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "configmaps | v1 | {'metadata':{'name':'x'},'data':{'a':'1'},'binaryData':{'b':'AA=='}} | Name,Data,Age | x,2,AGE",
        "secrets | v1 | {'metadata':{'name':'x'},'stringData':{'a':'1'}} | Name,Type,Data,Age | x,Opaque,1,AGE",
        "serviceaccounts | v1 | {'metadata':{'name':'x'}} | Name,Age | x,AGE",
        "leases | coordination.k8s.io/v1 | {'metadata':{'name':'x'},'spec':{'holderIdentity':'h'}} | Name,Holder,Age | x,h,AGE",
        "poddisruptionbudgets | policy/v1 | {'metadata':{'name':'x'},'spec':{'maxUnavailable':'10%','selector':{}}}"
            + " | Name,Min Available,Max Unavailable,Allowed Disruptions,Age | x,N/A,10%,0,AGE",
        "services | v1 | {'metadata':{'name':'x'},'spec':{'clusterIP':'None','ports':[{'name':'p','port':80}],'selector':{'b':'2','a':'1'}}}"
            + " | Name,Type,Cluster-IP,External-IP,Port(s),Age,Selector | x,ClusterIP,None,<none>,80/TCP,AGE,a=1;b=2",
        "services | v1 | {'metadata':{'name':'x'},'spec':{'type':'ExternalName','externalName':'a.b'}}"
            + " | Name,Type,Cluster-IP,External-IP,Port(s),Age,Selector | x,ExternalName,<none>,a.b,<none>,AGE,<none>"
      })
  void otherResources(
      String plural, String version, String body, String names, String expected, Api api) {
    String collection =
        (version.equals("v1") ? "/api/" : "/apis/")
            + version
            + "/namespaces/"
            + api.namespace()
            + "/"
            + plural;
    api.post(collection, body).is(201);

    JsonNode table = table(api, collection + "/x");

    assertThat(columns(table))
        .extracting(column -> column.replaceAll(" [a-z]+/.*", ""))
        .containsExactly(names.split(","));
    assertThat(cells(table))
        .extracting(cell -> cell.replace(',', ';'))
        .containsExactly(expected.split(","));
  }

  @Test
  void namespaces(Api api) {
    String ns = api.namespace();

    assertThat(cells(table(api, "/api/v1/namespaces/" + ns))).containsExactly(ns, "Active", "AGE");
  }

  @Test
  void rowsCarryAsMuchOfTheObjectAsAskedFor(Api api) {
    String pod = boundPod(api, "");

    JsonNode metadata = table(api, pod).at("/rows/0/object");
    assertThat(metadata.path("kind").asText()).isEqualTo("PartialObjectMetadata");
    assertThat(metadata.at("/metadata/name").asText()).isEqualTo("p");
    assertThat(metadata.has("spec")).isFalse();
    assertThat(table(api, pod + "?includeObject=None").at("/rows/0/object").isNull()).isTrue();
    JsonNode whole = table(api, pod + "?includeObject=Object").at("/rows/0/object");
    assertThat(whole.path("kind").asText()).isEqualTo("Pod");
    assertThat(whole.at("/spec/containers/1/name").asText()).isEqualTo("b");
    var refused = api.get(pod + "?includeObject=Foo", "accept", TABLE).is(400);
    assertThat(refused.text("/message"))
        .isEqualTo(
            "Unable to convert to Table as requested: includeObject: Invalid value: \"Foo\": must be 'Metadata', 'Object', 'None', or empty");
  }

  @Test
  void aListIsOneTable(Api api) {
    String ns = api.namespace();
    api.post(Api.pods(ns), Api.bound("a")).is(201);
    api.post(Api.pods(ns), Api.bound("b")).is(201);

    JsonNode first = table(api, Api.pods(ns) + "?limit=1");
    assertThat(first.path("rows")).hasSize(1);
    assertThat(first.at("/metadata/remainingItemCount").asInt()).isEqualTo(1);
    JsonNode all = table(api, Api.pods(ns));
    assertThat(all.path("rows")).hasSize(2);
    assertThat(all.at("/rows/1/cells/0").asText()).isEqualTo("b");
  }

  @Test
  void aWatchNamesItsColumnsOnce(Api api) {
    String maps = "/api/v1/namespaces/" + api.namespace() + "/configmaps";
    api.post(maps, "{'metadata':{'name':'a'}}").is(201);
    var watch = api.watch(maps + "?watch=true&fieldSelector=metadata.name%3Da", "accept", TABLE);

    JsonNode added = watch.next();
    api.merge(maps + "/a", "{'data':{'x':'y'}}").is(200);
    JsonNode modified = watch.next();

    assertThat(added.path("type").asText()).isEqualTo("ADDED");
    assertThat(columns(added.path("object"))).hasSize(3);
    assertThat(cells(added.path("object"))).containsExactly("a", "0", "AGE");
    assertThat(modified.path("type").asText()).isEqualTo("MODIFIED");
    assertThat(modified.at("/object/columnDefinitions").isNull()).isTrue();
    assertThat(cells(modified.path("object"))).containsExactly("a", "1", "AGE");
    watch.close();
  }
}
