/** Tests of the package's parts without a server. */
@NullMarked
package dev.vertlet.apiserver.table;

import org.jspecify.annotations.NullMarked;
