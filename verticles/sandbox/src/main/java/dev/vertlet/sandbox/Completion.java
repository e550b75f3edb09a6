package dev.vertlet.sandbox;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.model.ImageReference;
import dev.vertlet.sandbox.DigestResolver.Credentials;
import dev.vertlet.sandbox.InplaceState.LastStatus;
import io.vertx.core.Future;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether the containers of a pod run the images of its update. Compares digests: kubelets
 * may publish image, container, restart count and readiness one after the other, and tags move.
 */
final class Completion {
  private static final Future<Boolean> YES = Future.succeededFuture(true);
  private static final Future<Boolean> NO = Future.succeededFuture(false);

  private final SandboxNames names;

  Completion(SandboxNames names) {
    this.names = names;
  }

  /**
   * Whether the update is complete.
   *
   * @return fails with {@link SandboxException.Reason#UNREADABLE_STATE} only
   */
  Future<Boolean> isCompleted(JsonNode pod, @Nullable DigestResolver resolver) {
    if (resolver == null) {
      return NO;
    }
    Optional<InplaceState> read;
    try {
      read = InplaceState.of(pod, names);
    } catch (SandboxException unreadable) {
      return Future.failedFuture(unreadable);
    }
    if (read.isEmpty() || !read.get().inFlight()) {
      return YES;
    }
    InplaceState state = read.get();
    boolean overtaken =
        state.targetImages().entrySet().stream()
            .anyMatch(target -> !PodTree.image(pod, target.getKey()).equals(target.getValue()));
    return overtaken ? NO : all(pod, state, state.updating(), 0, resolver);
  }

  private static Future<Boolean> all(
      JsonNode pod,
      InplaceState state,
      List<String> containers,
      int next,
      DigestResolver resolver) {
    if (next == containers.size()) {
      return YES;
    }
    String container = containers.get(next);
    LastStatus last = state.lastContainerStatuses().get(container);
    return one(pod, container, last == null ? new LastStatus("", "") : last, resolver)
        .compose(done -> done ? all(pod, state, containers, next + 1, resolver) : NO);
  }

  private static Future<Boolean> one(
      JsonNode pod, String container, LastStatus last, DigestResolver resolver) {
    JsonNode status = PodTree.status(pod, container);
    String imageId = status.path("imageID").asText("");
    Optional<String> runs = ImageReference.digestOf(imageId);
    if (runs.isEmpty()) {
      return NO;
    }
    String image = PodTree.image(pod, container);
    Credentials credentials = Credentials.of(pod);
    boolean replaced = replaced(status.path("containerID").asText(""), last.containerId());
    return target(image, credentials, resolver)
        .compose(
            wanted -> {
              if (wanted.isEmpty()) {
                return NO;
              }
              if (wanted.get().equals(runs.get())) {
                boolean sameBefore =
                    ImageReference.digestOf(last.imageId()).equals(Optional.of(runs.get()));
                return Future.succeededFuture(!sameBefore || replaced);
              }
              return sameContent(imageId, image, credentials, resolver)
                  .map(same -> same && replaced);
            });
  }

  private static Future<Optional<String>> target(
      String image, Credentials credentials, DigestResolver resolver) {
    Optional<String> pinned =
        image.contains("@") ? ImageReference.digestOf(image) : Optional.empty();
    return pinned.isPresent()
        ? Future.succeededFuture(pinned)
        : resolver.digest(image, credentials).otherwise(Optional.empty());
  }

  /**
   * Whether the container was replaced: one without an id does not run yet; one whose predecessor
   * had no id counts as new.
   */
  private static boolean replaced(String current, String before) {
    return before.isEmpty() || !current.isEmpty() && !current.equals(before);
  }

  private static Future<Boolean> sameContent(
      String imageId, String image, Credentials credentials, DigestResolver resolver) {
    Future<Set<String>> runs = resolver.configDigests(imageId, credentials).otherwise(Set.of());
    Future<Set<String>> wanted = resolver.configDigests(image, credentials).otherwise(Set.of());
    return Future.all(runs, wanted)
        .map(both -> !Collections.disjoint(runs.result(), wanted.result()));
  }
}
