package io.bloomkit.spark;

import java.util.List;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Turns Java's lists into those that Spark's expressions take. */
final class Scala {

  private Scala() {}

  static <T> Seq<T> seq(List<? extends T> elements) {
    return CollectionConverters.<T>asScala(List.<T>copyOf(elements)).toSeq();
  }

  /** Throws what Spark made to be thrown: its exceptions are not all known to Java's compiler. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  static <E extends Throwable> E sneak(Throwable error) throws E {
    throw (E) error;
  }
}
