/**
 * The Kubernetes types behind the JSON trees: which fields a type has, of what type, and under
 * which protobuf number.
 *
 * <p>One description serves three purposes: checking and pruning what clients send ({@link
 * dev.vertlet.apiserver.schema.FieldCheck}), writing protobuf ({@link
 * dev.vertlet.apiserver.schema.ProtobufWriter}) and telling clients about the types ({@link
 * dev.vertlet.apiserver.schema.OpenApi}). It comes from the generated protobuf messages of the
 * official Java client. Immutable, no messages, any thread. It knows no documentation texts, no
 * default values and no list merge keys.
 */
@NullMarked
package dev.vertlet.apiserver.schema;

import org.jspecify.annotations.NullMarked;
