import { McpResourceConverter, McpResourceTemplateConverter } from '../../converters/resource-converter.ts';
import type { WireResource, WireResourceTemplate } from '../../converters/wire.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import type { CacheOptions } from '../../metadata/options.ts';
import { Resource, ResourceTemplate } from '../../model/group.ts';
import { createAnnotations } from '../../model/values.ts';
import type { ScannedResource } from '../../scanner/resources/scan-resources.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import { parseUriTemplate, type UriTemplate } from '../../shared/uri-template.ts';
import {
  argumentFields,
  createInputContracts,
  type ContractCache,
  type InputContracts,
} from '../contracts/input-contracts.ts';
import type { FieldList } from '../fields/field-list.ts';
import { setModelMembers } from '../set-model-members.ts';
import {
  compileCallable,
  compileCompleters,
  compileList,
  type Binding,
  type Completers,
} from '../stages/compile-callable.ts';
import type { CompiledHandler, ResolveInput } from '../stages/handler-call.ts';
import { readTexts } from './convert-text.ts';
import { compileResourceOutput, type ConvertResource } from './resource-output.ts';

/** A resource or template for which everything is computed that needs no instance. */
export interface PreparedResource {
  readonly scanned: ScannedResource;
  readonly contracts: InputContracts;
  /** What the variables of a template, which are texts, become. */
  readonly fields: FieldList['fields'];
  readonly listed:
    | Pick<CompiledFixedResource, 'kind' | 'uri' | 'model' | 'definition'>
    | Pick<CompiledTemplate, 'kind' | 'template' | 'model' | 'definition'>;
}

const resourceWire = new McpResourceConverter();
const templateWire = new McpResourceTemplateConverter();

/** Prepares a scanned resource: its contracts, and what the list says of it. */
export function prepareResource(
  scanned: ScannedResource,
  cache: ContractCache,
  problems: ProblemList,
): PreparedResource {
  const contracts = createInputContracts(scanned, [], cache);
  const { fields } = argumentFields(contracts, scanned.where, problems);
  return Object.freeze({ scanned, contracts, fields, listed: listedForm(scanned) });
}

/** Binds a prepared resource to its instances. It makes no contract and finds no problem. */
export function bindResource(prepared: PreparedResource, binding: Binding): CompiledResource {
  const { scanned, listed } = prepared;
  const { name, group, tags, cache, mimeType } = scanned;
  const shared = { name, group, tags, cache, convert: compileResourceOutput(mimeType) };
  const handler = resourceHandler(prepared, binding);
  if (listed.kind === 'fixed') return Object.freeze({ ...handler, ...shared, ...listed });
  return Object.freeze({
    ...handler,
    ...shared,
    ...listed,
    list: scanned.list && compileList(scanned, scanned.list, binding),
    completers: compileCompleters(scanned, binding),
  });
}

function listedForm(resource: ScannedResource): PreparedResource['listed'] {
  const { name, target } = resource;
  if (target.kind === 'fixed') {
    const model = new Resource(name);
    setResourceMembers(model, resource);
    model.uri = target.uri;
    model.size = resource.size;
    const definition = deepFreeze(resourceWire.convertFromResource(model));
    return { kind: 'fixed', uri: target.uri, model, definition };
  }
  const model = new ResourceTemplate(name);
  setResourceMembers(model, resource);
  model.uriTemplate = target.uriTemplate;
  const definition = deepFreeze(templateWire.convertFromResourceTemplate(model));
  return { kind: 'template', template: parseUriTemplate(target.uriTemplate), model, definition };
}

function setResourceMembers(model: Resource | ResourceTemplate, resource: ScannedResource): void {
  setModelMembers(model, resource);
  model.mimeType = resource.mimeType;
  model.annotations = resource.annotations && createAnnotations(resource.annotations);
}

/** The handler, whose input is what the variables of the template become. */
function resourceHandler(
  { scanned, contracts, fields }: PreparedResource,
  binding: Binding,
): CompiledHandler {
  const read = scanned.input === undefined ? () => takeVariables : readTexts(fields);
  return compileCallable(scanned, { contracts, common: [], discriminator: undefined, read }, binding);
}

const takeVariables: ResolveInput = (variables) => ({
  ok: true,
  value: { input: Object.freeze({ ...variables }), common: [] },
});

/** A resource or a family of resources that is ready to serve. Frozen. */
export type CompiledResource = CompiledFixedResource | CompiledTemplate;

interface CompiledResourceBase extends CompiledHandler {
  readonly name: string;
  /** The name of the group that it belongs to. */
  readonly group: string | undefined;
  readonly tags: readonly string[];
  readonly cache: CacheOptions | undefined;
  readonly convert: ConvertResource;
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
