/**
 * Decodes pods from JSON and protobuf, field by field, without a tree in between. {@link
 * dev.vertlet.model.wire.PodDecoder} is the entry; the readers, one for each part of a pod, read
 * both formats through {@code ObjectReader}.
 */
@NullMarked
package dev.vertlet.model.wire;

import org.jspecify.annotations.NullMarked;
