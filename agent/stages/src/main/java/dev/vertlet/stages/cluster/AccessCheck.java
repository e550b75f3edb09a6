package dev.vertlet.stages.cluster;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.stages.play.LifeCycle;
import dev.vertlet.stages.spec.Step;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Asks the API server whether this agent may do what the stages of a kind need. */
final class AccessCheck {
  private static final KubePath REVIEWS =
      new KubePath(
          "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
          "selfsubjectaccessreviews",
          "authorization.k8s.io");

  private AccessCheck() {}

  /**
   * Asks for each permission.
   *
   * @return those that are denied, for example {@code patch pods/status}; fails with a {@code
   *     KubeException} when the server does not answer
   */
  static Future<List<String>> denied(KubeClient kube, ApiResource resource, LifeCycle stages) {
    List<Future<?>> answers = new ArrayList<>();
    List<String> denied = new ArrayList<>();
    for (String need : needs(stages)) {
      String verb = need.substring(0, need.indexOf(' '));
      String subresource = need.substring(need.indexOf(' ') + 1);
      answers.add(
          kube.send(KubeRequest.create(Lane.REST, REVIEWS, review(resource, verb, subresource)))
              .onSuccess(
                  answer -> {
                    if (!ApiCatalog.tree(answer).path("status").path("allowed").asBoolean()) {
                      String name = resource.plural();
                      denied.add(
                          verb + " " + (subresource.isEmpty() ? name : name + "/" + subresource));
                    }
                  }));
    }
    return Future.all(answers).map(all -> denied.stream().sorted().toList());
  }

  /** Verbs with their subresources. */
  private static Set<String> needs(LifeCycle lifeCycle) {
    Set<String> needs = new TreeSet<>(List.of("list ", "watch "));
    lifeCycle.stages().stream()
        .flatMap(stage -> stage.stage().steps().stream())
        .forEach(
            step -> {
              if (step instanceof Step.Delete) {
                needs.add("delete ");
              } else if (step instanceof Step.Finalizers) {
                needs.add("patch ");
              } else if (step instanceof Step.Patch patch && patch.user().isEmpty()) {
                needs.add("patch " + patch.subresource());
              }
            });
    return needs;
  }

  private static Buffer review(ApiResource resource, String verb, String subresource) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SelfSubjectAccessReview");
    ObjectNode attributes = json.putObject("spec").putObject("resourceAttributes");
    attributes.put("group", resource.group()).put("resource", resource.plural()).put("verb", verb);
    if (!subresource.isEmpty()) {
      attributes.put("subresource", subresource);
    }
    return Buffer.buffer(json.toString());
  }
}
