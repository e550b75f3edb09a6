package dev.vertlet.clients;

import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.okhttp.OkHttpClientFactory;
import io.fabric8.kubernetes.client.vertx.VertxHttpClientFactory;

/** {@code Main CLIENT KUBECONFIG NAMESPACE POD CONTAINER CONFIGMAP}. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) throws Exception {
    String kubeconfig = arguments[1];
    Session session = new Session(arguments[2], arguments[3], arguments[4], arguments[5]);
    switch (arguments[0]) {
      case "fabric8-vertx" -> Fabric8.run(new VertxHttpClientFactory(), kubeconfig, session);
      case "fabric8-okhttp" -> Fabric8.run(new OkHttpClientFactory(), kubeconfig, session);
      case "fabric8-jdk" -> Fabric8.run(new JdkHttpClientFactory(), kubeconfig, session);
      case "official" -> Official.run(kubeconfig, session);
      default -> throw new IllegalArgumentException("there is no client " + arguments[0]);
    }
    System.exit(0); // a client may keep threads
  }
}
