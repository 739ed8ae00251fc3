package io.bloomkit.spark;

import io.bloomkit.hash.HashStrategies;
import io.bloomkit.hash.HashStrategy;
import java.io.Serializable;

/** An element with several fields: a bean, as Spark's encoders want it. */
public final class Click implements Serializable {

  private static final long serialVersionUID = 1;

  private String user = "";
  private long second;

  public Click() {}

  Click(String user, long second) {
    this.user = user;
    this.second = second;
  }

  static HashStrategy<Click> strategy() {
    return HashStrategies.<Click>composite()
        .field("user", Click::getUser, HashStrategies.utf8())
        .longField("second", Click::getSecond)
        .build();
  }

  public String getUser() {
    return user;
  }

  public void setUser(String user) {
    this.user = user;
  }

  public long getSecond() {
    return second;
  }

  public void setSecond(long second) {
    this.second = second;
  }
}
