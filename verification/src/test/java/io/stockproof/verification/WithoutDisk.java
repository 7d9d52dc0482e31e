package io.stockproof.verification;

import io.stockproof.verification.environment.Environments;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The shared servers need not wait for a disk while a test class searches or stresses. */
public final class WithoutDisk implements BeforeAllCallback, AfterAllCallback {

  @Override
  public void beforeAll(ExtensionContext context) {
    Environments.shared().durable(false);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Environments.shared().durable(true);
  }
}
