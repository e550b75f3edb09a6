package dev.vertlet.registry;

import dev.vertlet.kube.KubeException;
import dev.vertlet.kube.KubePath;
import dev.vertlet.kube.KubeRequest;
import dev.vertlet.kube.Lane;
import dev.vertlet.kube.client.KubeClient;
import dev.vertlet.sandbox.DigestResolver.Credentials;
import io.vertx.core.Future;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads {@link PullSecrets} from the API server, without a cache: resolved digests are cached
 * instead.
 */
final class KubePullSecrets implements PullSecrets {
  private static final Logger LOG = LoggerFactory.getLogger(KubePullSecrets.class);

  private final KubeClient kube;

  KubePullSecrets(KubeClient kube) {
    this.kube = kube;
  }

  @Override
  public Future<Keyring> read(Credentials credentials) {
    Future<Keyring> keyring = Future.succeededFuture(new Keyring());
    for (String name : credentials.pullSecrets()) {
      keyring = keyring.compose(keys -> content(credentials.namespace(), name).map(keys::add));
    }
    return keyring;
  }

  private Future<String> content(String namespace, String name) {
    KubePath path = new KubePath(KubePath.secrets(namespace).path() + "/" + name, "secrets", "");
    return kube.send(KubeRequest.get(Lane.REST, path))
        .map(answer -> decode(new JsonObject(answer.body())))
        .recover(
            failure -> {
              if (!KubeException.is(failure, KubeException.Kind.NOT_FOUND)) {
                LOG.atDebug()
                    .addKeyValue("namespace", namespace)
                    .addKeyValue("error", failure.getMessage())
                    .log("image pull secret cannot be read");
              }
              return Future.succeededFuture("{}");
            });
  }

  private static String decode(JsonObject secret) {
    JsonObject data = secret.getJsonObject("data", new JsonObject());
    for (String key : List.of(".dockerconfigjson", ".dockercfg")) {
      if (data.getValue(key) instanceof String text) {
        try {
          return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
          throw new DecodeException("a secret's data is not base64");
        }
      }
    }
    return "{}";
  }
}
