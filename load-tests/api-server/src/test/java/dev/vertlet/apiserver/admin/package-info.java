/** Tests of who may make admin calls. */
@NullMarked
package dev.vertlet.apiserver.admin;

import org.jspecify.annotations.NullMarked;
