import { McpResourceConverter, McpResourceTemplateConverter } from '../converters/resource-converter.ts';
import type { ProblemList } from '../errors/problem-list.ts';
import { Resource, ResourceTemplate } from '../model/group.ts';
import { createAnnotations } from '../model/values.ts';
import type { ScannedResource } from '../scanner/resources/scan-resources.ts';
import { deepFreeze } from '../shared/deep-freeze.ts';
import { parseUriTemplate } from '../shared/uri-template.ts';
import { compileCallable, type Binding } from './compile-callable.ts';
import { compileCompleters, compileList } from './compile-member.ts';
import type { CompiledFixedResource, CompiledResource, CompiledTemplate } from './compiled-resource.ts';
import { readTexts } from './convert-text.ts';
import type { CompiledHandler, ResolveInput } from './handler-call.ts';
import {
  argumentFields,
  createInputContracts,
  type ContractCache,
  type InputContracts,
} from './input-contracts.ts';
import { setModelMembers } from './model/set-model-members.ts';
import { compileResourceOutput } from './resource-output.ts';
import type { FieldList } from './strategies/field-list.ts';

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
