package dev.vertlet.model;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A complete reference to a container image: Docker Hub's shorthand is expanded, so that {@code
 * ubuntu} and {@code docker.io/library/ubuntu:latest} are equal.
 *
 * @param registry host, with a port if there is one
 * @param repository path within the registry
 * @param tag empty for a reference by digest alone
 * @param digest {@code sha256:<hex>}; empty for a reference by tag alone
 * @see <a href="https://github.com/distribution/reference">the grammar of references</a>
 */
public record ImageReference(String registry, String repository, String tag, String digest) {
  /** Registry of references without one. */
  public static final String DOCKER_HUB = "docker.io";

  /** The grammar's limit for the name; also bounds the cost of the patterns. */
  private static final int MAX_NAME = 255;

  private static final int MAX_LENGTH = 512;

  private static final Pattern HOST =
      Pattern.compile(
          "(?:[a-zA-Z0-9](?:[-a-zA-Z0-9]*+(?<!-))?(?:\\.[a-zA-Z0-9](?:[-a-zA-Z0-9]*+(?<!-))?)*+"
              + "|\\[[0-9a-fA-F:]+])(?::[0-9]{1,5})?");
  private static final Pattern COMPONENT =
      Pattern.compile("[a-z0-9]++(?:(?:\\.|_|__|-++)[a-z0-9]++)*+");
  private static final Pattern TAG = Pattern.compile("\\w[\\w.-]{0,127}");
  private static final Pattern DIGEST =
      Pattern.compile("[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,128}");

  /**
   * Parses a reference in a pod's spec.
   *
   * @throws IllegalArgumentException naming the text and the problem
   */
  public static ImageReference parse(String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH) {
      throw invalid(text, "must have 1 to " + MAX_LENGTH + " characters");
    }
    int at = text.indexOf('@');
    String digest = at < 0 ? "" : text.substring(at + 1);
    String named = at < 0 ? text : text.substring(0, at);
    if (at >= 0 && !DIGEST.matcher(digest).matches()) {
      throw invalid(text, "the digest after @ must look like sha256:<64 hexadecimal digits>");
    }
    int colon = named.lastIndexOf(':');
    boolean tagged = colon > named.lastIndexOf('/');
    String tag = tagged ? named.substring(colon + 1) : "";
    String name = tagged ? named.substring(0, colon) : named;
    if (tagged && !TAG.matcher(tag).matches()) {
      throw invalid(text, "the tag must be 1 to 128 letters, digits, _, . and -");
    }
    return named(text, name, tag.isEmpty() && digest.isEmpty() ? "latest" : tag, digest);
  }

  private static ImageReference named(String text, String name, String tag, String digest) {
    int slash = name.indexOf('/');
    String first = slash < 0 ? "" : name.substring(0, slash);
    boolean host =
        first.contains(".")
            || first.contains(":")
            || first.equals("localhost")
            || !first.toLowerCase(Locale.ROOT).equals(first);
    String registry = host ? first : DOCKER_HUB;
    String repository = host ? name.substring(slash + 1) : name;
    if (host && !HOST.matcher(registry).matches()) {
      throw invalid(text, "\"" + registry + "\" is no host of a registry");
    }
    if (registry.equals("index." + DOCKER_HUB)) {
      registry = DOCKER_HUB;
    }
    if (registry.equals(DOCKER_HUB) && repository.indexOf('/') < 0) {
      repository = "library/" + repository;
    }
    if (registry.length() + 1 + repository.length() > MAX_NAME) {
      throw invalid(text, "the name must have at most " + MAX_NAME + " characters");
    }
    for (String component : repository.split("/", -1)) {
      if (!COMPONENT.matcher(component).matches()) {
        throw invalid(text, "the repository must be lower case letters, digits and . _ - between");
      }
    }
    return new ImageReference(registry, repository, tag, digest);
  }

  /** Whether both name the same image; invalid references are the same if their texts are equal. */
  public static boolean same(String one, String other) {
    if (one.equals(other)) {
      return true;
    }
    try {
      return parse(one).equals(parse(other));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Returns the digest within an image ID as runtimes report it: {@code repo@sha256:…}, {@code
   * docker-pullable://repo@sha256:…} or {@code sha256:…}.
   *
   * @return {@code sha256:<hex>}; empty without one
   */
  public static Optional<String> digestOf(String imageId) {
    int at = imageId.lastIndexOf('@');
    String digest = imageId.substring(at + 1);
    return imageId.length() <= MAX_LENGTH
            && digest.startsWith("sha256:")
            && DIGEST.matcher(digest).matches()
        ? Optional.of(digest)
        : Optional.empty();
  }

  /** Name of the image in its registry: the digest if there is one, else the tag. */
  public String selector() {
    return digest.isEmpty() ? tag : digest;
  }

  /** Complete reference: registry, repository, and tag or digest or both. */
  @Override
  public String toString() {
    return registry
        + "/"
        + repository
        + (tag.isEmpty() ? "" : ":" + tag)
        + (digest.isEmpty() ? "" : "@" + digest);
  }

  private static IllegalArgumentException invalid(String text, String why) {
    String shown = text.length() > MAX_LENGTH ? text.substring(0, 64) + "…" : text;
    return new IllegalArgumentException("\"" + shown + "\" is no reference of an image: " + why);
  }
}
