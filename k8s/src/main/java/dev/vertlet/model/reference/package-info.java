/** Views of the objects that pods refer to: ConfigMaps, Secrets, claims, volumes and Services. */
@NullMarked
package dev.vertlet.model.reference;

import org.jspecify.annotations.NullMarked;
