import type { CheckOutcome } from '../call/issue.ts';
import type { ReadResourceResult } from '../call/results.ts';
import type { WireResource, WireResourceTemplate } from '../converters/wire.ts';
import type { CacheOptions } from '../metadata/options.ts';
import type { Resource, ResourceTemplate } from '../model/group.ts';
import type { UriTemplate } from '../shared/uri-template.ts';
import type { Completers } from './compile-member.ts';
import type { CompiledHandler } from './handler-call.ts';

/** A resource or a family of resources that is ready to serve. Frozen. */
export type CompiledResource = CompiledFixedResource | CompiledTemplate;

interface CompiledResourceBase extends CompiledHandler {
  readonly name: string;
  /** The name of the group that it belongs to. */
  readonly group: string | undefined;
  readonly tags: readonly string[];
  readonly cache: CacheOptions | undefined;
  /** Turns a handler's value into contents; undefined says that there is no such resource. */
  readonly convert: (value: unknown, uri: string) => CheckOutcome<ReadResourceResult | undefined>;
}

export interface CompiledFixedResource extends CompiledResourceBase {
  readonly kind: 'fixed';
  readonly uri: string;
  readonly model: Resource;
  /** What resources/list says of it; deeply frozen. */
  readonly definition: WireResource;
}

export interface CompiledTemplate extends CompiledResourceBase {
  readonly kind: 'template';
  readonly template: UriTemplate;
  readonly model: ResourceTemplate;
  /** What resources/templates/list says of it; deeply frozen. */
  readonly definition: WireResourceTemplate;
  /** Lists the resources that the template stands for; undefined where nothing does. */
  readonly list: CompiledHandler | undefined;
  /** By variable. */
  readonly completers: Completers;
}
