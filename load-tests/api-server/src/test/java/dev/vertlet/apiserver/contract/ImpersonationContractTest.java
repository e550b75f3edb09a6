package dev.vertlet.apiserver.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests in the name of others, and headers that name users otherwise. */
@ExtendWith(EndpointExtension.class)
public class ImpersonationContractTest {
  private static final String WHO_AM_I = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  private static final String ACCOUNTS = "/api/v1/namespaces/%s/serviceaccounts";

  private static Api.Answer whoAmI(Api api, String... headers) {
    String[] all =
        Stream.concat(Stream.of("content-type", "application/json"), Stream.of(headers))
            .toArray(String[]::new);
    return api.call(HttpMethod.POST, WHO_AM_I, "{}", all);
  }

  private static List<String> groups(Api.Answer answer) {
    List<String> groups = new ArrayList<>();
    answer.body().at("/status/userInfo/groups").forEach(group -> groups.add(group.asText()));
    return groups;
  }

  private static Api stranger(Api api) {
    String accounts = ACCOUNTS.formatted(api.namespace());
    api.post(accounts, "{'metadata':{'name':'stranger'}}").is(201);
    return api.as(
        api.post(accounts + "/stranger/token", "{'spec':{}}").is(201).text("/status/token"));
  }

  @Test
  void rightsAreThoseOfTheImpersonatedUser(Api api) {
    var refused = api.get(Api.NODES, "impersonate-user", "nobody").is(403);

    assertThat(refused.text("/message"))
        .isEqualTo(
            "nodes is forbidden: User \"nobody\" cannot list resource \"nodes\" in API group \"\""
                + " at the cluster scope");
    api.get("/api/v1", "impersonate-user", "nobody").is(200);
    assertThat(api.get("/metrics", "impersonate-user", "nobody").is(403).text("/message"))
        .isEqualTo("forbidden: User \"nobody\" cannot get path \"/metrics\"");
    api.get(Api.NODES, "impersonate-user", "me", "impersonate-group", "system:masters").is(200);
  }

  @Test
  void nothingIsWrittenInTheNameOfAUserWithoutRights(Api api) {
    String ns = api.namespace();
    String maps = "/api/v1/namespaces/" + ns + "/configmaps";
    String[] headers = {"content-type", "application/json", "impersonate-user", "nobody"};

    api.call(HttpMethod.POST, maps, "{'metadata':{'name':'m'}}", headers).is(403);
    api.call(HttpMethod.DELETE, "/api/v1/namespaces/" + ns, "", headers).is(403);

    api.get(maps + "/m").is(404);
    api.get("/api/v1/namespaces/" + ns).is(200);
  }

  @Test
  void allOfAUserIsTakenOver(Api api) {
    var me =
        whoAmI(
                api,
                "impersonate-user",
                "me",
                "impersonate-uid",
                "u1",
                "impersonate-group",
                "a",
                "impersonate-extra-example.com%2fteam",
                "blue")
            .is(201);

    assertThat(me.text("/status/userInfo/username")).isEqualTo("me");
    assertThat(me.text("/status/userInfo/uid")).isEqualTo("u1");
    assertThat(groups(me)).containsExactly("a", "system:authenticated");
    assertThat(me.text("/status/userInfo/extra/example.com~1team/0")).isEqualTo("blue");
  }

  @Test
  void groupsFollowFromTheName(Api api) {
    assertThat(groups(whoAmI(api, "impersonate-user", "me").is(201)))
        .containsExactly("system:authenticated");
    assertThat(groups(whoAmI(api, "impersonate-user", "system:serviceaccount:ns:x").is(201)))
        .containsExactly(
            "system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated");
    whoAmI(api, "impersonate-user", "system:anonymous").is(403);
    whoAmI(api, "impersonate-user", "me", "impersonate-group", "system:unauthenticated").is(403);
  }

  @Test
  void aNameIsNeededForTheRest(Api api) {
    assertThat(api.get(Api.NODES, "impersonate-group", "g").is(400).text("/message"))
        .isEqualTo(
            "requested &user.DefaultInfo{Name:\"\", UID:\"\", Groups:[]string{\"g\"},"
                + " Extra:map[string][]string(nil)} without impersonating a user name");
    assertThat(
            api.get(Api.NODES, "impersonate-uid", "u", "impersonate-extra-a", "b")
                .is(400)
                .text("/message"))
        .isEqualTo(
            "requested &user.DefaultInfo{Name:\"\", UID:\"u\", Groups:[]string(nil),"
                + " Extra:map[string][]string{\"a\":[]string{\"b\"}}} without impersonating a user"
                + " name");
    api.get("/healthz", "impersonate-group", "g").is(400);
  }

  @ParameterizedTest
  @CsvSource({
    "nobody, user-info",
    "system:anonymous, user-info",
    "system:serviceaccount:ns:x, serviceaccount",
    "system:node:n, arbitrary-node"
  })
  void usersWithoutTheRightImpersonateNobody(String name, String mode, Api api) {
    Api stranger = stranger(api);
    String me = whoAmI(stranger).is(201).text("/status/userInfo/username");

    assertThat(stranger.get(Api.NODES, "impersonate-user", name).is(403).text("/message"))
        .isEqualTo(
            "nodes is forbidden: User \"%s\" cannot impersonate-on:%s:list resource \"nodes\" in API group \"\" at the cluster scope"
                .formatted(me, mode));
    assertThat(stranger.get("/api", "impersonate-user", name).is(403).text("/message"))
        .isEqualTo(
            "forbidden: User \"%s\" cannot impersonate-on:%s:get path \"/api\""
                .formatted(me, mode));
  }

  @Test
  void headersOfAProxyCountForNothing(Api api) {
    String me = whoAmI(api).is(201).text("/status/userInfo/username");

    assertThat(
            whoAmI(api, "x-remote-user", "nobody", "x-remote-group", "g")
                .is(201)
                .text("/status/userInfo/username"))
        .isEqualTo(me);
    Api stranger = stranger(api);
    stranger.get(Api.NODES, "x-remote-user", "admin", "x-remote-group", "system:masters").is(403);
  }

  @Test
  void aSigningRequestTellsTheImpersonatedUser(Api api) {
    String body =
        "{'metadata':{'generateName':'csr-'},'spec':{'signerName':'example.com/me','request':'%s','usages':['client auth'],'username':'other','groups':['other']}}"
            .formatted(SigningRequestContractTest.REQUEST);

    var request =
        api.call(
                HttpMethod.POST,
                "/apis/certificates.k8s.io/v1/certificatesigningrequests",
                body,
                "content-type",
                "application/json",
                "impersonate-user",
                "me",
                "impersonate-uid",
                "u1",
                "impersonate-group",
                "system:masters")
            .is(201);

    assertThat(request.text("/spec/username")).isEqualTo("me");
    assertThat(request.text("/spec/uid")).isEqualTo("u1");
    assertThat(request.text("/spec/groups/0")).isEqualTo("system:masters");
    assertThat(request.body().at("/spec/groups")).hasSize(2);
  }
}
