package io.bloomkit.testkit;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** The checks of a contract that are to catch a fault; {@link BrokenFiltersTest} runs them. */
@Retention(RetentionPolicy.RUNTIME)
@interface CaughtBy {
  String[] value();
}
