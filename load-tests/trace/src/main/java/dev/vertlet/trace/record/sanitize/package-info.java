/**
 * What of an object may enter a trace: allow-lists of fields, and keyed hashes in place of names.
 * No Vert.x and no clock.
 */
@NullMarked
package dev.vertlet.trace.record.sanitize;

import org.jspecify.annotations.NullMarked;
