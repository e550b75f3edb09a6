package dev.vertlet.model;

import io.vertx.core.buffer.Buffer;

/**
 * Turns the bytes of one resource type into views, in every encoding it asks for.
 *
 * @param <T> the view
 */
public interface ObjectDecoder<T extends KubeObject> {
  /**
   * Value of the {@code Accept} header of a list.
   *
   * @param protobuf false when the user chose JSON alone
   */
  String acceptList(boolean protobuf);

  /** Value of the {@code Accept} header of a watch. */
  String acceptWatch(boolean protobuf);

  /**
   * Decodes a whole list response.
   *
   * @param contentType of the response
   * @throws DecodeException when the bytes are not such a list
   */
  ListPage<T> decodeList(String contentType, Buffer body);

  /**
   * Decodes one frame of a watch stream: a line of JSON, or a protobuf {@code WatchEvent} without
   * its length prefix.
   *
   * @param contentType of the response
   * @throws DecodeException when the bytes are not such an event
   */
  WatchEvent<T> decodeEvent(String contentType, Buffer frame);
}
