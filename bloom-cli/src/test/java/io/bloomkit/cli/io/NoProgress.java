package io.bloomkit.cli.io;

public final class NoProgress implements Progress {

  @Override
  public void phase(String name, long steps) {}

  @Override
  public void advance(long steps) {}

  @Override
  public void close() {}
}
