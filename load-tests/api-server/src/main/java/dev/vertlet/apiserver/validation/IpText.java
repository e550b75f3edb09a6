package dev.vertlet.apiserver.validation;

import io.netty.util.NetUtil;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Addresses and ranges of addresses as texts. Nothing is looked up. */
final class IpText {
  private static final String NO_ADDRESS =
      "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)";
  private static final String NO_RANGE =
      "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";

  private IpText() {}

  static List<String> addressProblems(String text) {
    String plain = withoutLeadingZeros(text);
    if (bytes(plain) == null) {
      return List.of(NO_ADDRESS);
    } else if (!plain.equals(text)) {
      return List.of("must not have leading 0s");
    } else if (isMapped(text)) {
      return List.of("must not be an IPv4-mapped IPv6 address");
    }
    return List.of();
  }

  static List<String> rangeProblems(String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    String plain = withoutLeadingZeros(address);
    byte[] bytes = bytes(plain);
    int length = slash < 0 ? -1 : length(text.substring(slash + 1));
    if (bytes == null || length < 0 || length > bytes.length * 8) {
      return List.of(NO_RANGE);
    } else if (!plain.equals(address) || text.substring(slash + 1).matches("0[0-9]+")) {
      return List.of("must not have leading 0s in IP or prefix length");
    } else if (isMapped(address)) {
      return List.of("must not have an IPv4-mapped IPv6 address");
    }
    return isMasked(bytes, length)
        ? List.of()
        : List.of("must not have bits set beyond the prefix length");
  }

  /** Whether a text is an address of version 6, or a range of them. */
  static boolean isV6(String text) {
    return text.indexOf(':') >= 0;
  }

  /** What keeps an address from being that of an endpoint. */
  static List<String> endpointProblems(String text) {
    byte[] bytes = bytes(text);
    if (bytes == null) {
      return List.of();
    }
    boolean v4 = bytes.length == 4;
    if (isAll(bytes, 0, bytes.length)) {
      return List.of("may not be unspecified (%s)".formatted(text));
    } else if (v4 ? bytes[0] == 127 : isAll(bytes, 0, 15) && bytes[15] == 1) {
      return List.of("may not be in the loopback range (127.0.0.0/8, ::1/128)");
    } else if (v4
        ? unsigned(bytes, 0) == 169 && unsigned(bytes, 1) == 254
        : unsigned(bytes, 0) == 0xFE && (unsigned(bytes, 1) & 0xC0) == 0x80) {
      return List.of("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    } else if (v4
        ? unsigned(bytes, 0) == 224 && isAll(bytes, 1, 3)
        : unsigned(bytes, 0) == 0xFF && (unsigned(bytes, 1) & 0x0F) == 2) {
      return List.of("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
    }
    return List.of();
  }

  private static int unsigned(byte[] bytes, int at) {
    return bytes[at] & 0xFF;
  }

  private static boolean isAll(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static byte @Nullable [] bytes(String text) {
    boolean plain = text.indexOf('%') < 0 && text.indexOf('[') < 0;
    return plain ? NetUtil.createByteArrayFromIpAddressString(text) : null;
  }

  private static boolean isMapped(String text) {
    byte[] bytes = bytes(text);
    return isV6(text)
        && bytes != null
        && bytes.length == 16
        && isAll(bytes, 0, 10)
        && bytes[10] == -1
        && bytes[11] == -1;
  }

  /** Old fields took such addresses, so the real server knows them and refuses them by name. */
  private static String withoutLeadingZeros(String text) {
    if (isV6(text)) {
      return text;
    }
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      boolean first = i == 0 || text.charAt(i - 1) == '.';
      boolean more = i + 1 < text.length() && Character.isDigit(text.charAt(i + 1));
      boolean leads = text.charAt(i) == '0' && more && (first || isAllZeros(plain));
      if (!leads) {
        plain.append(text.charAt(i));
      }
    }
    return plain.toString();
  }

  /** Whether everything since the last dot has been left out so far. */
  private static boolean isAllZeros(StringBuilder plain) {
    return plain.isEmpty() || plain.charAt(plain.length() - 1) == '.';
  }

  private static int length(String text) {
    boolean digits =
        !text.isEmpty() && text.length() <= 4 && text.chars().allMatch(Character::isDigit);
    return digits ? Integer.parseInt(text) : -1;
  }

  private static boolean isMasked(byte[] bytes, int length) {
    for (int bit = length; bit < bytes.length * 8; bit++) {
      if ((bytes[bit / 8] >> (7 - bit % 8) & 1) != 0) {
        return false;
      }
    }
    return true;
  }
}
