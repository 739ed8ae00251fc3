package io.bloomkit.testkit.hash;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import io.bloomkit.testkit.Deep;

/** A strategy over elements of a type of one's own, which says how its bits are flipped. */
@Deep
class CompositeHashContractTest implements HashStrategyContract<CompositeHashContractTest.Order> {

  record Order(String customer, long number) {}

  @Override
  public HashStrategy<Order> strategy() {
    return HashStrategies.<Order>composite()
        .field("customer", Order::customer, HashStrategies.utf8())
        .longField("number", Order::number)
        .build();
  }

  @Override
  public Order element(long index) {
    return new Order("customer " + index % 1000, index / 1000);
  }

  @Override
  public HashStrategyExamination<Order> examination() {
    KeyBits<Order> bitsOfNumber =
        new KeyBits<>() {
          @Override
          public int count(Order order) {
            return Long.SIZE;
          }

          @Override
          public Order flip(Order order, int bit) {
            return new Order(order.customer(), order.number() ^ 1L << bit);
          }
        };
    return HashStrategyContract.super.examination().flippingBits(bitsOfNumber);
  }
}
