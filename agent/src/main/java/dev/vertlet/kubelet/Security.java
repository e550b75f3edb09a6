package dev.vertlet.kubelet;

import dev.vertlet.auth.AccessControl;
import dev.vertlet.auth.ServingNames;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerOptions;
import java.util.List;

/** What keeps strangers out. Called on the server's event loop. */
public interface Security {
  /** Ready to be asked; fails with one line when its configuration cannot be used. */
  Future<AccessControl> open();

  /**
   * TLS for listeners, after {@link #open}.
   *
   * @param names one for each listener
   * @return options in the same order, without address and port
   */
  Future<List<HttpServerOptions>> listeners(List<ServingNames> names);

  /** Ends following whatever it follows. */
  Future<Void> close();
}
