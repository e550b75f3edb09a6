package dev.vertlet.sources;

import dev.vertlet.manifest.ManifestException;
import dev.vertlet.manifest.Manifests;
import dev.vertlet.manifest.SourceContents;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.net.URI;

/** A Pod or a PodList at a URL. An empty answer contains no pods. */
public final class HttpSource implements ManifestSource {
  private final Vertx vertx;
  private final URI url;
  private final Fetch fetch;
  private final Manifests manifests;
  private Parsed last = new Parsed("", SourceContents.EMPTY);

  /** Result of parsing an answer. */
  private record Parsed(String hash, SourceContents reading) {}

  public HttpSource(Vertx vertx, URI url, String node, Fetch fetch) {
    this.vertx = vertx;
    this.url = url;
    this.fetch = fetch;
    this.manifests = new Manifests(node, Manifests.HTTP);
  }

  @Override
  public String name() {
    return Manifests.HTTP;
  }

  /** Returns the URL without user info and query, which may be secret. */
  @Override
  public String place() {
    String authority = url.getAuthority();
    String host = authority == null ? "" : authority.substring(authority.lastIndexOf('@') + 1);
    return url.getScheme() + "://" + host + url.getPath();
  }

  @Override
  public Future<SourceContents> read() {
    return fetch.get(url, Manifests.MAX_BYTES).compose(this::parse);
  }

  private Future<SourceContents> parse(Buffer body) {
    if (body.length() == 0) {
      last = new Parsed("", SourceContents.EMPTY);
      return Future.succeededFuture(last.reading());
    }
    Parsed before = last;
    return vertx
        .executeBlocking(() -> parseNow(body.getBytes(), before), false)
        .onSuccess(now -> last = now)
        .map(Parsed::reading);
  }

  private Parsed parseNow(byte[] body, Parsed before) throws ManifestException {
    String hash = TextHash.of(body);
    return hash.equals(before.hash()) ? before : new Parsed(hash, manifests.pods(body, place()));
  }
}
