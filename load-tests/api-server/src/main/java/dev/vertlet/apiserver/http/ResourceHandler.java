package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.patch.Patch;
import dev.vertlet.apiserver.registry.DeleteOptions;
import dev.vertlet.apiserver.registry.Deletion;
import dev.vertlet.apiserver.registry.DryRun;
import dev.vertlet.apiserver.registry.ListQuery;
import dev.vertlet.apiserver.registry.PodSubresources;
import dev.vertlet.apiserver.registry.Registry;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.registry.Strategy.Part;
import dev.vertlet.apiserver.store.StoredObject;
import io.vertx.core.buffer.Buffer;
import java.time.Clock;
import java.util.OptionalLong;

/** Serves the verbs on resources. */
public final class ResourceHandler {
  private final Registry registry;
  private final Watches watches;
  private final PodSubresources podSubresources;
  private final ServiceAccountTokens tokens;
  private final Clock clock;

  /**
   * @param clock the time that ages in tables count from
   */
  public ResourceHandler(
      Registry registry,
      Watches watches,
      PodSubresources podSubresources,
      ServiceAccountTokens tokens,
      Clock clock) {
    this.registry = registry;
    this.watches = watches;
    this.podSubresources = podSubresources;
    this.tokens = tokens;
    this.clock = clock;
  }

  /**
   * @param staleRevision a past revision a list is to be served from, empty for the truth
   */
  void serve(Exchange exchange, Resource resource, OptionalLong staleRevision) {
    ApiRequest request = exchange.request();
    checkScope(resource.type(), request);
    if (request.verb().equals("list")) {
      list(exchange, query(exchange, resource), staleRevision);
    } else if (request.verb().equals("watch")) {
      watches.open(exchange, watchQuery(exchange, resource));
    } else if (request.verb().equals("get")) {
      get(exchange, resource);
    } else if (request.verb().equals("create")) {
      create(exchange, resource);
    } else if (request.verb().equals("update")) {
      update(exchange, resource);
    } else if (request.verb().equals("patch")) {
      patch(exchange, resource);
    } else if (request.verb().equals("delete") && request.subresource().isEmpty()) {
      delete(exchange, resource);
    } else if (request.verb().equals("deletecollection")) {
      deleteCollection(exchange, resource);
    } else {
      throw ApiException.methodNotAllowed();
    }
  }

  /**
   * A namespace where there is none, an unknown subresource, a verb that needs a name or a
   * namespace.
   */
  private static void checkScope(ResourceType type, ApiRequest request) {
    if (type.plural().equals("services") && request.subresource().equals("proxy")) {
      throw new ApiException(
          501,
          "NotImplemented",
          "this server has no endpoints of services, so it has no services/proxy");
    }
    boolean known =
        request.subresource().isEmpty() || type.subresources().contains(request.subresource());
    if (!known || (!type.namespaced() && !request.namespace().isEmpty())) {
      throw ApiException.noSuchResource();
    }
    boolean collectionVerb =
        request.verb().equals("list")
            || request.verb().equals("watch")
            || request.verb().equals("deletecollection");
    boolean named = !request.name().isEmpty();
    boolean creates = request.verb().equals("create") && request.subresource().isEmpty();
    if ((creates && named) || (!collectionVerb && !creates && !named)) {
      throw ApiException.methodNotAllowed();
    }
    if (type.namespaced() && request.namespace().isEmpty() && (named || request.isWrite())) {
      throw ApiException.methodNotAllowed();
    }
  }

  private static ListQuery query(Exchange exchange, Resource resource) {
    ApiRequest request = exchange.request();
    return ListQuery.of(resource, request.namespace(), request::parameter);
  }

  /** A watch of one name is a watch with a field selector. */
  private static ListQuery watchQuery(Exchange exchange, Resource resource) {
    ApiRequest request = exchange.request();
    if (request.name().isEmpty()) {
      return query(exchange, resource);
    }
    String named = "metadata.name=" + request.name();
    return ListQuery.of(
        resource,
        request.namespace(),
        key -> key.equals("fieldSelector") ? named : request.parameter(key));
  }

  private void list(Exchange exchange, ListQuery query, OptionalLong staleRevision) {
    if (exchange.request().flag("sendInitialEvents").isPresent()) {
      throw ApiException.badRequest("sendInitialEvents is forbidden for list");
    }
    Representation form = form(exchange, query.resource(), Form.Shape.LIST);
    var page =
        staleRevision.isPresent()
            ? registry.listAt(query, staleRevision.getAsLong())
            : registry.list(query);
    answer(exchange, 200, form, form.list(page));
  }

  private void get(Exchange exchange, Resource resource) {
    ApiRequest request = exchange.request();
    part(request); // refuses what can only be created
    Representation form = form(exchange, resource, Form.Shape.OBJECT);
    StoredObject object = registry.get(resource, request.namespace(), request.name());
    answer(exchange, 200, form, form.object(object));
  }

  private Representation form(Exchange exchange, Resource resource, Form.Shape shape) {
    return Representation.negotiate(exchange.request(), resource, shape, clock);
  }

  private static void answer(Exchange exchange, int code, Representation form, Buffer body) {
    exchange.answer(code, form.encoding().mediaType(), body);
  }

  private void create(Exchange exchange, Resource resource) {
    ApiRequest request = exchange.request();
    if (request.subresource().equals("binding")) {
      podSubresources.bind(
          request.namespace(),
          request.name(),
          Bodies.object(request, "v1", "Binding"),
          dryRun(request));
      exchange.status(201, success(201));
    } else if (request.subresource().equals("eviction")) {
      podSubresources.evict(
          request.namespace(),
          request.name(),
          Bodies.object(request, "policy/v1", "Eviction"),
          dryRun(request));
      exchange.status(201, success(201));
    } else if (request.subresource().equals(ServiceAccountTokens.SUBRESOURCE)) {
      ObjectNode asked = Bodies.typed(request, ServiceAccountTokens.TYPE);
      exchange.json(201, tokens.issue(request.namespace(), request.name(), asked));
    } else if (request.subresource().isEmpty()) {
      Representation form = form(exchange, resource, Form.Shape.OBJECT);
      ObjectNode body = new FieldValidation(exchange, resource.type()).body();
      if (resource.type().plural().equals("certificatesigningrequests")) {
        SigningRequester.stamp(body, exchange.sender());
      }
      StoredObject created = registry.create(resource, request.namespace(), body, dryRun(request));
      answer(exchange, 201, form, form.object(created));
    } else {
      throw ApiException.methodNotAllowed();
    }
  }

  private void update(Exchange exchange, Resource resource) {
    ApiRequest request = exchange.request();
    Representation form = form(exchange, resource, Form.Shape.OBJECT);
    Registry.Updated updated =
        registry.update(
            resource,
            part(request),
            request.namespace(),
            request.name(),
            new FieldValidation(exchange, resource.type()).body(),
            dryRun(request));
    answer(exchange, updated.created() ? 201 : 200, form, form.object(updated.object()));
  }

  private void patch(Exchange exchange, Resource resource) {
    ApiRequest request = exchange.request();
    Representation form = form(exchange, resource, Form.Shape.OBJECT);
    FieldValidation validation = new FieldValidation(exchange, resource.type());
    Patch patch =
        validation.checked(Patch.decode(request.contentType(), request.body().getBytes()));
    StoredObject patched =
        registry.patch(
            resource, part(request), request.namespace(), request.name(), patch, dryRun(request));
    answer(exchange, 200, form, form.object(patched));
  }

  private static Part part(ApiRequest request) {
    if (request.subresource().isEmpty()) {
      return Part.MAIN;
    } else if (request.subresource().equals("status")) {
      return Part.STATUS;
    } else if (request.subresource().equals("ephemeralcontainers")) {
      return Part.EPHEMERAL_CONTAINERS;
    } else if (request.subresource().equals("resize")) {
      return Part.RESIZE;
    } else if (request.subresource().equals("approval")) {
      return Part.APPROVAL;
    } else if (request.subresource().equals("finalize") && request.verb().equals("update")) {
      return Part.FINALIZE;
    }
    throw ApiException.methodNotAllowed();
  }

  private static boolean dryRun(ApiRequest request) {
    return DryRun.isAsked(FieldValidation.options(request), request.parameter("dryRun"));
  }

  private void delete(Exchange exchange, Resource resource) {
    ApiRequest request = exchange.request();
    Representation form = form(exchange, resource, Form.Shape.OBJECT);
    Deletion.Outcome outcome =
        registry.delete(resource, request.namespace(), request.name(), options(request));
    if (outcome.removed() && !resource.strategy().returnsDeleted()) {
      exchange.status(200, deleted(resource.type(), outcome.object()));
    } else {
      answer(exchange, 200, form, form.object(outcome.object()));
    }
  }

  private void deleteCollection(Exchange exchange, Resource resource) {
    ListQuery query = query(exchange, resource);
    Representation form = form(exchange, resource, Form.Shape.LIST);
    var page = registry.deleteCollection(query, options(exchange.request()));
    answer(exchange, 200, form, form.list(page));
  }

  private static DeleteOptions options(ApiRequest request) {
    ObjectNode body =
        request.body().length() == 0
            ? Json.object()
            : Bodies.object(request, "v1", "DeleteOptions");
    return DeleteOptions.of(body, request::parameter);
  }

  private static ObjectNode success(int code) {
    ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
    status.putObject("metadata");
    return status.put("status", "Success").put("code", code);
  }

  private static ObjectNode deleted(ResourceType type, StoredObject object) {
    ObjectNode status = success(200);
    status.remove("code");
    ObjectNode details = status.putObject("details").put("name", object.name());
    if (!type.group().isEmpty()) {
      details.put("group", type.group());
    }
    details.put("kind", type.plural()).put("uid", object.uid());
    return status;
  }
}
