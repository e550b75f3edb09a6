package dev.vertlet.content;

import dev.vertlet.model.definition.VolumeDefinition.Token;
import dev.vertlet.provider.pod.TokenRequest;
import java.util.function.Consumer;

/** Requests the tokens of pods that are due. Confined to the shard's loop. */
final class TokenRequests {
  private final ContentServices services;
  private final Consumer<PodVolumeState> answered;

  /**
   * @param answered called for a pod after each answer, unless it was forgotten meanwhile
   */
  TokenRequests(ContentServices services, Consumer<PodVolumeState> answered) {
    this.services = services;
    this.answered = answered;
  }

  /** Requests those tokens of a pod that have to be requested now. */
  void request(PodVolumeState pod) {
    for (Token token : pod.tokens.due(pod.wantedTokens(), services.instant())) {
      request(pod, token);
    }
  }

  private void request(PodVolumeState pod, Token token) {
    TokenRequest request =
        new TokenRequest(
            pod.view().spec().serviceAccountName(),
            pod.view().ref(),
            token.audience(),
            token.expirationSeconds());
    services
        .loop()
        .bring(services.context().requestToken(request))
        .onSuccess(
            issued -> pod.tokens.issued(token, issued, services.instant(), services.random()))
        .onFailure(
            failure ->
                pod.tokens.failed(
                    token,
                    String.valueOf(failure.getMessage()),
                    services.instant(),
                    services.random()))
        .onComplete(
            done -> {
              if (!pod.forgotten()) {
                answered.accept(pod);
              }
            });
  }
}
