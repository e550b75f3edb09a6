package dev.vertlet.api;

import dev.vertlet.auth.AccessControl;
import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.tls.ServingNames;
import dev.vertlet.auth.tls.ServingTls;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerOptions;
import java.util.List;

/** Access control and TLS of the kubelet API. Called on the server's event loop. */
public interface Security {
  /** Creates access control with these settings; fails with one line when they are invalid. */
  Future<AccessPolicy> accessPolicy(Authentication authentication, Authorization authorization);

  /**
   * Creates the TLS identity of listeners; fails with one line when that is impossible.
   *
   * @param listeners listeners that use it
   * @param all all names of this server, for a self-signed certificate
   */
  Future<TlsIdentity> tlsIdentity(
      ServingTls tls, List<ServingNames> listeners, List<ServingNames> all);

  /** Access control of listeners. */
  interface AccessPolicy extends AccessControl {
    /** Stops following its sources. */
    Future<Void> close();
  }

  /** TLS identity of listeners. */
  interface TlsIdentity {
    /**
     * Returns TLS options of a listener, without address and port.
     *
     * @param node node that identifies the listener
     */
    HttpServerOptions options(String node);

    /** Stops renewing; listeners may continue to use it. */
    Future<Void> close();
  }
}
