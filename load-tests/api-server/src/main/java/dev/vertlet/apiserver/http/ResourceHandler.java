package dev.vertlet.apiserver.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vertlet.apiserver.api.ApiException;
import dev.vertlet.apiserver.api.Json;
import dev.vertlet.apiserver.api.ResourceType;
import dev.vertlet.apiserver.fault.ApiRequest;
import dev.vertlet.apiserver.patch.Patch;
import dev.vertlet.apiserver.registry.DeleteOptions;
import dev.vertlet.apiserver.registry.Deletion;
import dev.vertlet.apiserver.registry.ListQuery;
import dev.vertlet.apiserver.registry.PodSubresources;
import dev.vertlet.apiserver.registry.Registry;
import dev.vertlet.apiserver.registry.Resource;
import dev.vertlet.apiserver.registry.Strategy.Part;
import dev.vertlet.apiserver.store.StoredObject;
import java.util.OptionalLong;

/** Serves the verbs on resources. */
public final class ResourceHandler {
  private final Registry registry;
  private final Watches watches;
  private final PodSubresources podSubresources;

  public ResourceHandler(Registry registry, Watches watches, PodSubresources podSubresources) {
    this.registry = registry;
    this.watches = watches;
    this.podSubresources = podSubresources;
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
    if (!exchange.request().parameter("sendInitialEvents").isEmpty()) {
      throw ApiException.badRequest("sendInitialEvents is forbidden for list");
    }
    Form form = Form.negotiate(exchange.request().accept(), Form.Shape.LIST);
    var page =
        staleRevision.isPresent()
            ? registry.listAt(query, staleRevision.getAsLong())
            : registry.list(query);
    exchange.json(200, Views.list(query.resource(), page, form));
  }

  private void get(Exchange exchange, Resource resource) {
    ApiRequest request = exchange.request();
    if (!request.subresource().isEmpty() && !request.subresource().equals("status")) {
      throw ApiException.methodNotAllowed();
    }
    Form form = form(exchange);
    answer(
        exchange, 200, resource, registry.get(resource, request.namespace(), request.name()), form);
  }

  private static Form form(Exchange exchange) {
    return Form.negotiate(exchange.request().accept(), Form.Shape.OBJECT);
  }

  private static void answer(
      Exchange exchange, int code, Resource resource, StoredObject object, Form form) {
    exchange.json(code, Views.object(resource, object, form));
  }

  private void create(Exchange exchange, Resource resource) {
    ApiRequest request = exchange.request();
    if (request.subresource().equals("binding")) {
      podSubresources.bind(
          request.namespace(), request.name(), Bodies.object(request, "Binding"), dryRun(request));
      exchange.json(201, success(201));
    } else if (request.subresource().equals("eviction")) {
      podSubresources.evict(
          request.namespace(), request.name(), Bodies.object(request, "Eviction"), dryRun(request));
      exchange.json(201, success(201));
    } else if (request.subresource().isEmpty()) {
      Form form = form(exchange);
      ObjectNode body = Bodies.typed(request, resource.type());
      StoredObject created = registry.create(resource, request.namespace(), body, dryRun(request));
      answer(exchange, 201, resource, created, form);
    } else {
      throw ApiException.methodNotAllowed();
    }
  }

  private void update(Exchange exchange, Resource resource) {
    ApiRequest request = exchange.request();
    Form form = form(exchange);
    Registry.Updated updated =
        registry.update(
            resource,
            part(request),
            request.namespace(),
            request.name(),
            Bodies.typed(request, resource.type()),
            dryRun(request));
    answer(exchange, updated.created() ? 201 : 200, resource, updated.object(), form);
  }

  private void patch(Exchange exchange, Resource resource) {
    ApiRequest request = exchange.request();
    Form form = form(exchange);
    Patch patch = Patch.decode(request.contentType(), request.body().getBytes());
    StoredObject patched =
        registry.patch(
            resource, part(request), request.namespace(), request.name(), patch, dryRun(request));
    answer(exchange, 200, resource, patched, form);
  }

  private static Part part(ApiRequest request) {
    if (request.subresource().isEmpty()) {
      return Part.MAIN;
    } else if (request.subresource().equals("status")) {
      return Part.STATUS;
    }
    throw ApiException.methodNotAllowed();
  }

  private static boolean dryRun(ApiRequest request) {
    return request.parameter("dryRun").equals("All");
  }

  private void delete(Exchange exchange, Resource resource) {
    ApiRequest request = exchange.request();
    Form form = form(exchange);
    Deletion.Outcome outcome =
        registry.delete(resource, request.namespace(), request.name(), options(request));
    if (outcome.removed() && !resource.strategy().returnsDeleted()) {
      exchange.json(200, deleted(resource.type(), outcome.object()));
    } else {
      answer(exchange, 200, resource, outcome.object(), form);
    }
  }

  private void deleteCollection(Exchange exchange, Resource resource) {
    ListQuery query = query(exchange, resource);
    Form form = Form.negotiate(exchange.request().accept(), Form.Shape.LIST);
    var page = registry.deleteCollection(query, options(exchange.request()));
    exchange.json(200, Views.list(resource, page, form));
  }

  private static DeleteOptions options(ApiRequest request) {
    ObjectNode body =
        request.body().length() == 0 ? Json.object() : Bodies.object(request, "DeleteOptions");
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
