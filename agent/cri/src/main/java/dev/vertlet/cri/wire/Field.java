package dev.vertlet.cri.wire;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares the protobuf field of a record's component. Its type follows from the component's:
 * {@code int} is an {@code int32}, {@code long} an {@code int64}, {@code Buffer} {@code bytes}, a
 * list a repeated field, a record a message.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Field {
  /** The field's number. */
  int value();

  /** The field's name in the protocol; empty for the component's in snake case. */
  String name() default "";

  /** The field's type where the component's stands for several; else empty. */
  String type() default "";
}
