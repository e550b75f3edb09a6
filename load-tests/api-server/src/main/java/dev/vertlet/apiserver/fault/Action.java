package dev.vertlet.apiserver.fault;

import dev.vertlet.apiserver.api.ApiException;
import java.time.Duration;

/** What a fault does. */
public sealed interface Action {
  /** Happens to a whole request, before it is served. */
  sealed interface OnRequest extends Action {}

  /** Happens to one event of a running watch. */
  sealed interface OnEvent extends Action {}

  /** Serves the request after a pause. */
  record Delay(Duration pause) implements OnRequest {}

  /** Answers with a Status instead of serving. */
  record Answer(ApiException failure) implements OnRequest {}

  /**
   * Serves the request, then closes the connection instead of answering: the client cannot know.
   */
  record LoseAnswer() implements OnRequest {}

  /** Closes the connection without serving. */
  record Cut() implements OnRequest {}

  /** Resets the HTTP/2 stream, or closes the HTTP/1.1 connection, without serving. */
  record Reset() implements OnRequest {}

  /** Never answers and keeps the connection open. */
  record Hang() implements OnRequest {}

  /** Answers a list as of the revision that was current when the fault was scripted. */
  record StaleList() implements OnRequest {}

  /** Sends half of the event, then closes the connection. */
  record CutMidEvent() implements OnEvent {}

  /** Sends a line that is not JSON in place of the event. */
  record Malformed() implements OnEvent {}

  /** Sends the event padded with an annotation to at least this many bytes. */
  record Oversized(int bytes) implements OnEvent {}

  /** Does not send the event: the watch has a hole. */
  record Swallow() implements OnEvent {}

  /**
   * Sends nothing any more, neither events nor bookmarks, and keeps the stream open: a half-open
   * connection.
   */
  record Silence() implements OnEvent {}

  /** Sends an ERROR event with this Status in place of the event, then ends the watch. */
  record ErrorEvent(ApiException failure) implements OnEvent {}
}
