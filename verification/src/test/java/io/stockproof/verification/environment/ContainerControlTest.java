package io.stockproof.verification.environment;

/** Runs where an engine has the images; says so where not. */
final class ContainerControlTest extends ServerControlContract {
  @Override
  EnvironmentOptions options() {
    return LocalDocker.assumeImages().withChoice(EnvironmentOptions.Choice.CONTAINERS);
  }
}
