package io.bloomkit.internal;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a class that uses what Android API level 33 lacks. The build does not check the class
 * against that level, so its code must not run there.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.TYPE)
public @interface NotOnAndroid {

  /** The reason: what runs on Android instead. */
  String value();
}
