package io.stockproof.verification.environment;

final class ServerControlTest extends ServerControlContract {
  @Override
  EnvironmentOptions options() {
    return EnvironmentOptions.fromSettings().withChoice(EnvironmentOptions.Choice.EMBEDDED);
  }
}
