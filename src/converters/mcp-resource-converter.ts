import { Resource } from '../model/group.ts';
import { ResourceConverterBase } from './resource-converter-base.ts';
import type { ReadonlyWire, WireResource } from './wire.ts';
import { readAnnotations, wireAnnotations } from './wire-annotations.ts';
import { readBase, requireMember, wireObject } from './wire-members.ts';

/**
 * Resources ↔ the resources of MCP's `resources/list`.
 *
 * @throws ToolwrightError `TW_MODEL_INCOMPLETE` when a resource has no `uri`.
 * @example
 * const resources = new McpResourceConverter().convertFromResources(group.childResources);
 */
export class McpResourceConverter extends ResourceConverterBase<WireResource> {
  override convertFromResource(resource: Resource): WireResource {
    return wireObject(resource, {
      uri: requireMember(resource, 'uri', resource.uri),
      mimeType: resource.mimeType,
      size: resource.size,
      annotations: wireAnnotations(resource.annotations),
    });
  }

  override convertToResource(wire: ReadonlyWire<WireResource>): Resource {
    const resource = new Resource(wire.name);
    readBase(resource, wire);
    resource.uri = wire.uri;
    resource.mimeType = wire.mimeType;
    resource.size = wire.size;
    resource.annotations = readAnnotations(wire.annotations);
    return resource;
  }
}
