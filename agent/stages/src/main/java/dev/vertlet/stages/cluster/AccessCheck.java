package dev.vertlet.stages.cluster;

import dev.vertlet.kube.client.AccessReview;
import dev.vertlet.kube.client.ApiResource;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.stages.play.LifeCycle;
import dev.vertlet.stages.spec.Step;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Asks the API server whether this agent may do what the stages of a kind need. */
final class AccessCheck {
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
      String name = resource.plural() + (subresource.isEmpty() ? "" : "/" + subresource);
      answers.add(
          AccessReview.of(verb, resource.group(), resource.plural())
              .withSubresource(subresource)
              .ask(kube)
              .onSuccess(
                  allowed -> {
                    if (!allowed) {
                      denied.add(verb + " " + name);
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
}
