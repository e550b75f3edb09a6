package dev.vertlet.model;

import io.vertx.core.buffer.Buffer;

/**
 * Decodes the bytes of one resource type into views, in every encoding that it accepts.
 *
 * @param <T> the view
 */
public interface ObjectDecoder<T extends KubeObject> {
  /**
   * Value of the {@code Accept} header of a list.
   *
   * @param protobuf false if the configuration allows JSON only
   */
  String acceptList(boolean protobuf);

  /** Value of the {@code Accept} header of a watch. */
  String acceptWatch(boolean protobuf);

  /**
   * Decodes a whole list response.
   *
   * @param contentType of the response
   * @throws DecodeException if the bytes are not a list of this type
   */
  ListPage<T> decodeList(String contentType, Buffer body);

  /**
   * Decodes one frame of a watch stream: a line of JSON, or a protobuf {@code WatchEvent} without
   * its length prefix.
   *
   * @param contentType of the response
   * @throws DecodeException if the bytes are not a watch event of this type
   */
  WatchEvent<T> decodeEvent(String contentType, Buffer frame);
}
