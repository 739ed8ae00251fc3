package io.bloomkit.spark;

import java.util.List;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Converts Java lists to Scala sequences, which Spark's expressions take. */
final class Scala {

  private Scala() {}

  static <T> Seq<T> seq(List<? extends T> elements) {
    return CollectionConverters.<T>asScala(List.<T>copyOf(elements)).toSeq();
  }

  /**
   * Throws an exception that Spark created. Some of these are checked exceptions, which Scala does
   * not declare.
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Throwable> E sneak(Throwable error) throws E {
    throw (E) error;
  }
}
