/** Tests of how patches change trees. */
@NullMarked
package dev.vertlet.apiserver.patch;

import org.jspecify.annotations.NullMarked;
