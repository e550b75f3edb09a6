package dev.vertlet.kubelet;

import dev.vertlet.auth.AccessControl;
import dev.vertlet.auth.Authentication;
import dev.vertlet.auth.Authorization;
import dev.vertlet.auth.ServingNames;
import dev.vertlet.auth.ServingTls;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerOptions;
import java.util.List;

/** What keeps strangers out. Called on the server's event loop. */
public interface Security {
  /** Who is let in by these settings; fails with one line when they cannot be used. */
  Future<Gate> gate(Authentication authentication, Authorization authorization);

  /**
   * What listeners show of themselves; fails with one line when it cannot be had.
   *
   * @param listeners those that show it
   * @param all that this server is called: a certificate that it makes itself names them all
   */
  Future<Papers> papers(ServingTls tls, List<ServingNames> listeners, List<ServingNames> all);

  /** Lets in whom it knows. */
  interface Gate extends AccessControl {
    /** Ends following whatever it follows. */
    Future<Void> close();
  }

  /** Certificates and what goes with them. */
  interface Papers {
    /**
     * TLS for a listener, without address and port.
     *
     * @param node by which the listener is known
     */
    HttpServerOptions options(String node);

    /** Ends renewing; who shows them may do so on. */
    Future<Void> close();
  }
}
