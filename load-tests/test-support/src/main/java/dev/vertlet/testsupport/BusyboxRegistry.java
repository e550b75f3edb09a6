package dev.vertlet.testsupport;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * A registry on loopback whose images have the machine's busybox, which has to be linked
 * statically. Each repository has the tags {@code 1} and {@code 2}, which differ in a label.
 * Repositories whose names begin with {@code private/} want the user {@code reader} with the
 * password {@code secret}; the tag {@code bad} has a layer that is not what its digest says.
 */
public final class BusyboxRegistry implements AutoCloseable {
  public static final String USER = "reader";
  public static final String PASSWORD = "secret";

  private static final Path BUSYBOX = Path.of("/bin/busybox");
  private static final List<String> PROGRAMS =
      List.of("sh", "cat", "echo", "sleep", "true", "false", "id", "ls", "nc", "head", "seq", "dd");
  private static final int BLOCK = 512;
  private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";

  private final HttpServer server;
  private final Map<String, Buffer> blobs = new HashMap<>();
  private final String manifest;
  private final String otherManifest;
  private final String badManifest;

  /** Starts it. */
  public BusyboxRegistry(Vertx vertx) throws IOException {
    Buffer layer = layer();
    String digest = add(layer);
    manifest = add(image("1", digest, layer.length()).toBuffer());
    otherManifest = add(image("2", digest, layer.length()).toBuffer());
    JsonObject config = config("bad", digest);
    String configDigest = add(config.toBuffer());
    String wrong = "sha256:" + "0".repeat(64);
    blobs.put(wrong, Buffer.buffer("not this"));
    badManifest = add(manifest(configDigest, config.toBuffer().length(), wrong, 8).toBuffer());
    server =
        Waits.get(vertx.createHttpServer().requestHandler(this::answer).listen(0, "127.0.0.1"));
  }

  /** Name of the image. */
  public String image() {
    return image("tck:1");
  }

  /** Name of an image of this registry. */
  public String image(String name) {
    return address() + "/" + name;
  }

  /** Host and port, to be reached over plain HTTP. */
  public String address() {
    return "127.0.0.1:" + server.actualPort();
  }

  private static JsonObject config(String label, String layer) {
    return new JsonObject()
        .put("architecture", "amd64")
        .put("os", "linux")
        .put(
            "config",
            new JsonObject()
                .put("Env", new JsonArray().add("PATH=/bin"))
                .put("Labels", new JsonObject().put("tag", label)))
        .put(
            "rootfs",
            new JsonObject().put("type", "layers").put("diff_ids", new JsonArray().add(layer)));
  }

  /** The manifest of an image with one layer, whose configuration is added. */
  private JsonObject image(String label, String layer, int size) {
    Buffer config = config(label, layer).toBuffer();
    return manifest(add(config), config.length(), layer, size);
  }

  private static JsonObject manifest(String config, int configSize, String layer, int layerSize) {
    return new JsonObject()
        .put("schemaVersion", 2)
        .put("mediaType", MANIFEST)
        .put("config", descriptor("application/vnd.oci.image.config.v1+json", config, configSize))
        .put(
            "layers",
            new JsonArray()
                .add(descriptor("application/vnd.oci.image.layer.v1.tar", layer, layerSize)));
  }

  private static JsonObject descriptor(String type, String digest, int size) {
    return new JsonObject().put("mediaType", type).put("digest", digest).put("size", size);
  }

  private String add(Buffer blob) {
    String digest = "sha256:" + sha256(blob);
    blobs.put(digest, blob);
    return digest;
  }

  private static String sha256(Buffer bytes) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.getBytes()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Buffer layer() throws IOException {
    ByteArrayOutputStream tar = new ByteArrayOutputStream();
    for (String directory : List.of("bin/", "etc/", "tmp/", "proc/", "sys/", "dev/")) {
      tar.write(header(directory, 0, '5', ""));
    }
    byte[] busybox = Files.readAllBytes(BUSYBOX);
    tar.write(header("bin/busybox", busybox.length, '0', ""));
    tar.write(busybox);
    tar.write(new byte[(BLOCK - busybox.length % BLOCK) % BLOCK]);
    for (String program : PROGRAMS) {
      tar.write(header("bin/" + program, 0, '2', "busybox"));
    }
    tar.write(new byte[2 * BLOCK]);
    return Buffer.buffer(tar.toByteArray());
  }

  private static byte[] header(String name, int size, char type, String link) {
    byte[] header = new byte[BLOCK];
    put(header, 0, name);
    put(header, 100, "0000755");
    put(header, 108, "0000000");
    put(header, 116, "0000000");
    put(header, 124, "%011o".formatted(size));
    put(header, 136, "00000000000");
    put(header, 148, "        ");
    header[156] = (byte) type;
    put(header, 157, link);
    put(header, 257, "ustar");
    put(header, 263, "00");
    int sum = 0;
    for (byte next : header) {
      sum += next & 0xff;
    }
    put(header, 148, "%06o".formatted(sum));
    header[154] = 0;
    return header;
  }

  private static void put(byte[] header, int at, String text) {
    byte[] bytes = text.getBytes(UTF_8);
    System.arraycopy(bytes, 0, header, at, bytes.length);
  }

  private void answer(HttpServerRequest request) {
    String path = request.path();
    if (path.startsWith("/v2/private/") && !allowed(request)) {
      request
          .response()
          .setStatusCode(401)
          .putHeader("WWW-Authenticate", "Basic realm=\"tests\"")
          .end();
      return;
    }
    int slash = path.lastIndexOf('/');
    String name = path.substring(slash + 1);
    boolean tags = path.substring(0, slash).endsWith("/manifests");
    String digest =
        !tags || name.startsWith("sha256:")
            ? name
            : switch (name) {
              case "1" -> manifest;
              case "2" -> otherManifest;
              case "bad" -> badManifest;
              default -> "none";
            };
    Buffer blob = blobs.get(digest);
    if (path.equals("/v2/")) {
      request.response().end();
    } else if (blob == null) {
      request.response().setStatusCode(404).end();
    } else {
      request
          .response()
          .putHeader("Content-Type", tags ? MANIFEST : "application/octet-stream")
          .putHeader("Docker-Content-Digest", digest);
      if (request.method().name().equals("HEAD")) {
        request.response().putHeader("Content-Length", Integer.toString(blob.length())).end();
      } else {
        request.response().end(blob);
      }
    }
  }

  private static boolean allowed(HttpServerRequest request) {
    String basic =
        "Basic " + Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(UTF_8));
    return basic.equals(request.getHeader("Authorization"));
  }

  @Override
  public void close() {
    Waits.get(server.close());
  }
}
