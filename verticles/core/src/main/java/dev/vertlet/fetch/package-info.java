/** Reads URLs that are not the API server's. */
@NullMarked
package dev.vertlet.fetch;

import org.jspecify.annotations.NullMarked;
