package dev.vertlet.kube;

/** A certificate that nobody has the key of. */
public final class TestCertificates {
  public static final String CA =
      """
      -----BEGIN CERTIFICATE-----
      MIIBezCCASGgAwIBAgIUQg0miMSK3DqUtRpjg5YEGxkZMVgwCgYIKoZIzj0EAwIw
      EjEQMA4GA1UEAwwHdGVzdC1jYTAgFw0yNjExMjExMzQ2MTJaGA8yMTI2MTAyODEz
      NDYxMlowEjEQMA4GA1UEAwwHdGVzdC1jYTBZMBMGByqGSM49AgEGCCqGSM49AwEH
      A0IABI9JcnQYDqFqT4FBkqc6e7bDucUyGSr0hzVFgCfz8BYHiTMjToLvIt3xhV14
      dlX3bVc4+mxlJN2utYRSxgm2YyajUzBRMB0GA1UdDgQWBBQmb7D8QnWP+bYZNk+j
      DIACUUZs7DAfBgNVHSMEGDAWgBQmb7D8QnWP+bYZNk+jDIACUUZs7DAPBgNVHRMB
      Af8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUCIBw36RFKqNI13jtivMUHfnVBwXrV
      /8y1kWZN1JVAXQHFAiEA6dfx15cmMtYJ30g47W5SoDMi2jVF9Vn7P6QDpiAQBIY=
      -----END CERTIFICATE-----
      """;

  private TestCertificates() {}
}
