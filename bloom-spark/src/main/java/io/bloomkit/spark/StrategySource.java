package io.bloomkit.spark;

import io.bloomkit.hash.HashStrategy;
import java.io.Serializable;
import java.util.function.Supplier;

/**
 * A serializable supplier of a hash strategy, such as {@code HashStrategies::utf8}. Strategies
 * themselves are not serializable.
 *
 * <p>The supplier is called more than once, on the driver and on every executor, and must always
 * return a strategy with the same hashes. If the supplier is a lambda, Spark sends the variables
 * that the lambda captures to the executors. A captured secret key is therefore part of the
 * serialized task. To prevent this, read the key inside the lambda, for example from a file on the
 * driver and on every executor.
 *
 * @param <T> the type of the elements
 */
@FunctionalInterface
public interface StrategySource<T> extends Supplier<HashStrategy<? super T>>, Serializable {}
