package dev.vertlet.apiserver.registry;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.store.ObjectStore;
import dev.vertlet.apiserver.store.StoredObject;
import dev.vertlet.apiserver.validation.Causes;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;

/** Lists: snapshots, pages and the meaning of {@code resourceVersion}. */
final class Lister {
  private static final String TOKEN_VERSION = "meta.k8s.io/v1";

  /** In a token: go on with whatever is there now. */
  private static final long LATEST = -1;

  private static final String INCONSISTENT_CONTINUE =
      "The provided continue parameter is too old to display a consistent list result. You can"
          + " start a new list without the continue parameter, or use the continue token in this"
          + " response to retrieve the remainder of the results. Continuing with the provided token"
          + " results in an inconsistent list - objects that were created, modified, or deleted"
          + " between the time the first chunk was returned and now may show up in the list.";

  private record Position(long revision, String start) {}

  private final ObjectStore store;

  Lister(ObjectStore store) {
    this.store = store;
  }

  Page list(ListQuery query) {
    if (!query.continueToken().isEmpty()) {
      if (!query.resourceVersion().isEmpty() && !query.resourceVersion().equals("0")) {
        throw ApiException.badRequest(
            "specifying resource version is not allowed when using continue");
      }
      return further(query, decode(query.continueToken()));
    }
    checkMatch(query);
    long wanted = query.revision();
    if (wanted > store.revision()) {
      throw ApiException.tooLargeResourceVersion(wanted, store.revision());
    }
    // a limit with a resourceVersion and no match means "exactly this one", for old clients
    boolean exact =
        wanted > 0
            && (query.match().equals("Exact") || (query.limit() > 0 && query.match().isEmpty()));
    return exact ? at(query, wanted) : at(query, store.revision());
  }

  private Page further(ListQuery query, Position position) {
    long revision = position.revision() == LATEST ? store.revision() : position.revision();
    try {
      return page(query, snapshot(query, revision), revision, position.start());
    } catch (ApiException expired) {
      throw ApiException.expired(INCONSISTENT_CONTINUE)
          .withContinue(encode(LATEST, position.start()));
    }
  }

  /** The list as it was at a revision. */
  Page at(ListQuery query, long revision) {
    return page(query, snapshot(query, revision), revision, "");
  }

  private Collection<StoredObject> snapshot(ListQuery query, long revision) {
    String type = query.resource().storage();
    return revision == store.revision()
        ? store.list(type, query.namespace())
        : store.listAt(type, query.namespace(), revision);
  }

  private static void checkMatch(ListQuery query) {
    if (query.match().isEmpty()) {
      return;
    }
    Causes causes = new Causes();
    String field = "resourceVersionMatch";
    if (query.resourceVersion().isEmpty()) {
      causes.forbidden(
          field, "resourceVersionMatch is forbidden unless resourceVersion is provided");
    } else if (!query.match().equals("Exact") && !query.match().equals("NotOlderThan")) {
      causes.unsupported(field, query.match(), "Exact", "NotOlderThan", "");
    } else if (query.match().equals("Exact") && query.resourceVersion().equals("0")) {
      causes.forbidden(
          field, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
    }
    causes.throwIfAny("meta.k8s.io", "ListOptions", "");
  }

  private static Page page(
      ListQuery query, Collection<StoredObject> all, long revision, String start) {
    List<StoredObject> items = new ArrayList<>();
    int seen = 0;
    String last = "";
    for (StoredObject object : all) {
      seen++;
      if (!start.isEmpty() && object.key().compareTo(start) < 0) {
        continue;
      }
      if (query.limit() > 0 && items.size() == query.limit()) {
        int remaining = query.selectsAll() ? all.size() - seen + 1 : 0;
        return new Page(items, revision, encode(revision, last + "\0"), remaining);
      }
      if (query.matches(object)) {
        items.add(object);
      }
      last = object.key();
    }
    return new Page(items, revision, "", 0);
  }

  /** The next page starts right after the last key: the smallest key above it ends in NUL. */
  private static String encode(long revision, String start) {
    byte[] json =
        Json.bytes(Json.object().put("v", TOKEN_VERSION).put("rv", revision).put("start", start));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(json);
  }

  private static Position decode(String token) {
    try {
      JsonNode json = Json.read(Base64.getUrlDecoder().decode(token.getBytes(UTF_8)));
      if (json.path("v").asText().equals(TOKEN_VERSION)
          && (json.path("rv").asLong() > 0 || json.path("rv").asLong() == LATEST)) {
        return new Position(json.path("rv").asLong(), json.path("start").asText());
      }
    } catch (IllegalArgumentException | JsonProcessingException e) {
      // falls through: a token is opaque, so there is nothing more helpful to say
    }
    throw ApiException.badRequest("invalid continue token: continue key is not valid: " + token);
  }
}
