package dev.vertlet.env;

import dev.vertlet.model.reference.ReferredKey;
import dev.vertlet.model.reference.ReferredView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Divides one {@link ReferenceSource} among several users: a key is watched once while any of them
 * needs it. Confined to the context of its shard.
 */
public final class SharedReferences {
  private final ReferenceSource source;
  private final List<User> users = new ArrayList<>();
  private final Map<ReferredKey, List<ReferredView>> known = new HashMap<>();
  private int running;

  /**
   * Creates a division.
   *
   * @param source used by this object alone
   */
  public SharedReferences(ReferenceSource source) {
    this.source = source;
  }

  /** Returns the source of a further user. */
  public ReferenceSource user() {
    User user = new User();
    users.add(user);
    return user;
  }

  private void changed(ReferredKey key, List<ReferredView> objects) {
    if (users.stream().noneMatch(user -> user.keys.contains(key))) {
      return;
    }
    known.put(key, objects);
    for (User user : users) {
      user.tell(key, objects);
    }
  }

  private final class User implements ReferenceSource {
    private final Set<ReferredKey> keys = new HashSet<>();
    private @Nullable BiConsumer<ReferredKey, List<ReferredView>> listener;

    private void tell(ReferredKey key, List<ReferredView> objects) {
      BiConsumer<ReferredKey, List<ReferredView>> receiver = listener;
      if (receiver != null && keys.contains(key)) {
        receiver.accept(key, objects);
      }
    }

    @Override
    public void start(BiConsumer<ReferredKey, List<ReferredView>> wanted) {
      listener = wanted;
      if (running++ == 0) {
        source.start(SharedReferences.this::changed);
      }
    }

    @Override
    public void follow(ReferredKey key) {
      boolean first = users.stream().noneMatch(user -> user.keys.contains(key));
      keys.add(key);
      if (first) {
        source.follow(key);
      } else if (known.containsKey(key)) {
        tell(key, known.get(key));
      }
    }

    @Override
    public void leave(ReferredKey key) {
      boolean left = keys.remove(key);
      if (left && users.stream().noneMatch(user -> user.keys.contains(key))) {
        known.remove(key);
        source.leave(key);
      }
    }

    @Override
    public void stop() {
      if (listener != null) {
        listener = null;
        if (--running == 0) {
          source.stop();
        }
      }
    }
  }
}
