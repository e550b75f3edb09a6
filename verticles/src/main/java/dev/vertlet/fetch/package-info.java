/** Reads URLs that are not the API server's: an adapter, for whoever needs one. */
@NullMarked
package dev.vertlet.fetch;

import org.jspecify.annotations.NullMarked;
