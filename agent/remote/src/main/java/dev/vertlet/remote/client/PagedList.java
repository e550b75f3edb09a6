package dev.vertlet.remote.client;

import dev.vertlet.problem.Pointers;
import dev.vertlet.problem.Problem;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a list of the back end once, page by page. */
final class PagedList {
  /** Times the limit of an answer: room for 100,000 states of 2.5 KB by default. */
  private static final int MOST_ANSWERS = 16;

  /** A list that is longer only has empty pages. */
  private static final int MOST_PAGES = 10_000;

  private static final int NOT_MODIFIED = 304;

  /**
   * A list.
   *
   * @param cursor of the first page: the list is as old as that
   * @param etag of the first page; empty for none
   * @param entries each with a UID
   */
  record Listed(String cursor, String etag, List<JsonObject> entries) {}

  private final BackendClient client;
  private final String key;
  private final String etag;
  private final Promise<Optional<Listed>> result = Promise.promise();
  private final List<JsonObject> entries = new ArrayList<>();
  private String firstCursor = "";
  private String firstEtag = "";
  private long bytes;
  private int pages;

  private PagedList(BackendClient client, String key, String etag) {
    this.client = client;
    this.key = key;
    this.etag = etag;
  }

  /**
   * Reads the list.
   *
   * @param key path of the list, and key of its entries
   * @param etag of the list that is known; empty to read it in any case
   * @return empty if that one still counts
   */
  static Future<Optional<Listed>> read(BackendClient client, String key, String etag) {
    PagedList list = new PagedList(client, key, etag);
    list.page("");
    return list.result.future();
  }

  private void page(String token) {
    Paths query = Paths.of("v1", key).query("limit", String.valueOf(client.settings().pageSize()));
    Call call =
        Call.get("list", (token.isEmpty() ? query : query.query("continue", token)).toString())
            .with("If-None-Match", token.isEmpty() ? etag : "");
    client.answer(call).onSuccess(answer -> take(call, token, answer)).onFailure(result::fail);
  }

  private void take(Call call, String token, Answer answer) {
    boolean known = token.isEmpty() && !etag.isEmpty();
    if (known && (answer.status() == NOT_MODIFIED || etag.equals(answer.headers().get("ETag")))) {
      result.complete(Optional.empty());
      return;
    }
    if (!answer.ok()) {
      result.fail(Failures.of(call, answer.status(), answer.body()));
      return;
    }
    String more;
    try {
      more = read(token, answer);
    } catch (ContractException e) {
      result.fail(Failures.invalid(call.display(), e));
      return;
    }
    if (more.isEmpty()) {
      result.complete(Optional.of(new Listed(firstCursor, firstEtag, entries)));
    } else {
      page(more);
    }
  }

  /** Takes a page, and returns the token of the next one; empty for none. */
  private String read(String token, Answer answer) {
    limit(answer);
    JsonObject body = Fields.document(answer.body());
    JsonArray page = Fields.array(body, key);
    if (token.isEmpty()) {
      String tag = answer.headers().get("ETag");
      firstCursor = Fields.text(body, "cursor", "");
      firstEtag = tag == null ? "" : tag;
    }
    for (int i = 0; i < page.size(); i++) {
      entries.add(entry(page, i));
    }
    String more = Fields.text(body, "continue", "");
    if (!more.isEmpty() && more.equals(token)) {
      throw Fields.refused(body, "continue", "must be another page than the last");
    }
    return more;
  }

  /** Without its UID, an entry could be any pod, and no pod could be said to be lost. */
  private JsonObject entry(JsonArray page, int index) {
    String pointer = Pointers.of(key);
    JsonObject entry = Fields.object(page, pointer, index);
    try {
      var unused = Fields.text(entry, "uid");
      return entry;
    } catch (ContractException e) {
      throw e.under(pointer + "/" + index);
    }
  }

  private void limit(Answer answer) {
    bytes += answer.body().length();
    pages++;
    long most = (long) MOST_ANSWERS * client.settings().maxAnswerBytes();
    if (bytes > most) {
      throw new ContractException(
          Problem.about("", "the pages of the list are larger than " + most + " bytes together"));
    }
    if (pages > MOST_PAGES) {
      throw new ContractException(
          Problem.about("", "the list has more than " + MOST_PAGES + " pages"));
    }
  }
}
