package dev.vertlet.apiserver.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(EndpointExtension.class)
public class ListContractTest {
  private static List<String> names(Api.Answer list) {
    List<String> names = new ArrayList<>();
    for (JsonNode item : list.is(200).body().path("items")) {
      names.add(item.at("/metadata/name").asText());
    }
    return names;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  private static String threePods(Api api) {
    String pods = Api.pods(api.namespace());
    api.post(pods, Api.unbound("b")).is(201);
    api.post(pods, Api.unbound("a")).is(201);
    api.post(pods, Api.bound("c")).is(201);
    return pods;
  }

  @Test
  void listsInOrderWithItemsThatDoNotRepeatTheirType(Api api) {
    String pods = threePods(api);

    var list = api.get(pods);

    assertThat(names(list)).containsExactly("a", "b", "c");
    assertThat(list.text("/kind")).isEqualTo("PodList");
    assertThat(list.text("/apiVersion")).isEqualTo("v1");
    assertThat(list.body().at("/items/0").has("kind")).isFalse();
    assertThat(Long.parseLong(list.version())).isPositive();
  }

  @Test
  void selectsByLabels(Api api) {
    String pods = threePods(api);
    api.merge(pods + "/a", "{'metadata':{'labels':{'tier':'1'}}}").is(200);

    assertThat(names(api.get(pods + "?labelSelector=" + encoded("app in (a, b),tier"))))
        .containsExactly("a");
    assertThat(names(api.get(pods + "?labelSelector=" + encoded("app notin (a),!tier"))))
        .containsExactly("b", "c");
    assertThat(names(api.get(pods + "?labelSelector=" + encoded("app!=a,app==b"))))
        .containsExactly("b");
    assertThat(names(api.get(pods + "?labelSelector=" + encoded("tier>0")))).containsExactly("a");
    api.get(pods + "?labelSelector=" + encoded("a in (")).is(400);
  }

  @Test
  void selectsByFields(Api api) {
    String pods = threePods(api);
    String node = api.get(pods + "/c").text("/spec/nodeName");

    assertThat(names(api.get(pods + "?fieldSelector=" + encoded("spec.nodeName=" + node))))
        .containsExactly("c");
    assertThat(names(api.get(pods + "?fieldSelector=" + encoded("spec.nodeName="))))
        .containsExactly("a", "b");
    assertThat(
            names(
                api.get(
                    pods
                        + "?fieldSelector="
                        + encoded("metadata.name!=a,status.phase==Pending,metadata.namespace!=x"))))
        .containsExactly("b", "c");
    assertThat(api.get(pods + "?fieldSelector=spec.foo%3D1").is(400).text("/message"))
        .isEqualTo("field label not supported: spec.foo");
    assertThat(
            api.get(Api.leases("default") + "?fieldSelector=spec.foo%3D1").is(400).text("/message"))
        .isEqualTo(
            "\"spec.foo\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"");
  }

  @Test
  void pagesThroughOneSnapshot(Api api) {
    String pods = threePods(api);

    var first = api.get(pods + "?limit=2").is(200);
    api.post(pods, Api.unbound("d")).is(201);
    api.delete(pods + "/c", "{'gracePeriodSeconds':0}").is(200);
    var second = api.get(pods + "?limit=2&continue=" + encoded(first.text("/metadata/continue")));

    assertThat(names(first)).containsExactly("a", "b");
    assertThat(first.text("/metadata/remainingItemCount")).isEqualTo("1");
    assertThat(names(second)).containsExactly("c");
    assertThat(second.body().at("/metadata").has("continue")).isFalse();
    assertThat(second.version()).isEqualTo(first.version());
    assertThat(names(api.get(pods))).containsExactly("a", "b", "d");
  }

  @Test
  void readsThePastExactly(Api api) {
    String pods = threePods(api);
    String version = api.get(pods).version();
    api.delete(pods + "/a", "{'gracePeriodSeconds':0}").is(200);

    var past = api.get(pods + "?resourceVersionMatch=Exact&resourceVersion=" + version);

    assertThat(names(past)).containsExactly("a", "b", "c");
    assertThat(past.version()).isEqualTo(version);
    assertThat(
            names(api.get(pods + "?resourceVersionMatch=NotOlderThan&resourceVersion=" + version)))
        .containsExactly("b", "c");
  }

  @Test
  void refusesVersionsItCannotServe(Api api) {
    var future = api.get(Api.NODES + "?resourceVersion=999999999").is(504);
    assertThat(future.text("/details/causes/0/reason")).isEqualTo("ResourceVersionTooLarge");
    assertThat(future.text("/details/retryAfterSeconds")).isEqualTo("1");
    api.get(Api.NODES + "?resourceVersion=abc").is(400);
    api.get(Api.NODES + "?limit=1&continue=abc").is(400);
    assertThat(api.get(Api.NODES + "?resourceVersionMatch=Exact").is(422).text("/message"))
        .isEqualTo(
            "ListOptions.meta.k8s.io \"\" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided");
    api.get(Api.NODES + "?resourceVersion=0&resourceVersionMatch=Exact").is(422);
    api.get(Api.NODES + "?resourceVersion=1&resourceVersionMatch=Foo").is(422);
  }

  @Test
  void sendsMetadataAloneWhenAskedTo(Api api) {
    String pods = threePods(api);
    String list = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io";
    String one = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io,application/json";

    var partial = api.get(pods, "accept", list);

    assertThat(names(partial)).containsExactly("a", "b", "c");
    assertThat(partial.text("/kind")).isEqualTo("PartialObjectMetadataList");
    assertThat(partial.text("/items/0/kind")).isEqualTo("PartialObjectMetadata");
    assertThat(partial.body().at("/items/0").has("spec")).isFalse();
    var object = api.get(pods + "/a", "accept", one).is(200);
    assertThat(object.text("/apiVersion")).isEqualTo("meta.k8s.io/v1");
    assertThat(object.text("/metadata/name")).isEqualTo("a");
    assertThat(object.body().has("status")).isFalse();
    api.get(pods, "accept", one).is(406);
    api.get(pods, "accept", "application/foo").is(406);
  }

  @Test
  void listsAllNamespacesAtOnce(Api api) {
    String app = Api.unique("everywhere");
    String first = api.namespace();
    String second = api.namespace();
    api.post(Api.pods(second), Api.unbound(app)).is(201);
    api.post(Api.pods(first), Api.unbound(app)).is(201);

    var found = api.get("/api/v1/pods?labelSelector=app%3D" + app).is(200);

    assertThat(found.body().path("items").findValuesAsText("namespace"))
        .containsExactlyInAnyOrder(first, second);
    assertThat(names(api.get("/api/v1/pods?fieldSelector=metadata.namespace%3D" + first)))
        .containsExactly(app);
  }
}
