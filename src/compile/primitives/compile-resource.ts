import { isBase64, toBase64 } from '../../call/check-content.ts';
import { formatValue, isHelperBlock, isHelperResult, plainData } from '../../call/handler-value.ts';
import { describeReceived, type CheckOutcome } from '../../call/issue.ts';
import type { ReadResourceResult, ResourceContents } from '../../call/results.ts';
import { McpResourceConverter, McpResourceTemplateConverter } from '../../converters/mcp-converters.ts';
import type { WireResource, WireResourceTemplate } from '../../converters/wire.ts';
import type { ProblemList } from '../../errors/problem-list.ts';
import type { CacheOptions } from '../../metadata/options.ts';
import { Resource, ResourceTemplate } from '../../model/group.ts';
import { createAnnotations } from '../../model/values.ts';
import type { ScannedResource } from '../../scanner/resources/scan-resources.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import { isPlainObject, type PlainObject } from '../../shared/json.ts';
import { parseUriTemplate, type UriTemplate } from '../../shared/uri-template.ts';
import {
  argumentFields,
  createInputContracts,
  type ContractCache,
  type InputContracts,
} from '../contracts/input-contracts.ts';
import type { FieldList } from '../fields/field-list.ts';
import { setModelMembers } from '../set-model-members.ts';
import { compileCallable, type Binding } from '../stages/compile-callable.ts';
import { compileCompleters, compileList, type Completers } from '../stages/compile-members.ts';
import type { CompiledHandler } from '../../kernel/call/stage.ts';
import type { ResolveInput } from '../../kernel/call/compiled-callable.ts';
import { readTexts } from './convert-text.ts';

/** A resource or template with everything computed that needs no instances. */
export interface PreparedResource {
  readonly scanned: ScannedResource;
  readonly contracts: InputContracts;
  /** The schemas that the variables of a template, which are strings, are converted to. */
  readonly fields: FieldList['fields'];
  readonly listed:
    | Pick<CompiledFixedResource, 'kind' | 'uri' | 'model' | 'definition'>
    | Pick<CompiledTemplate, 'kind' | 'template' | 'model' | 'definition'>;
}

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
  /** Its entry in resources/list; deeply frozen. */
  readonly definition: WireResource;
}

export interface CompiledTemplate extends CompiledResourceBase {
  readonly kind: 'template';
  readonly template: UriTemplate;
  readonly model: ResourceTemplate;
  /** Its entry in resources/templates/list; deeply frozen. */
  readonly definition: WireResourceTemplate;
  /** Lists the resources that the template stands for; undefined if no method does. */
  readonly list: CompiledHandler | undefined;
  /** By variable. */
  readonly completers: Completers;
}

const resourceWire = new McpResourceConverter();

const templateWire = new McpResourceTemplateConverter();

/** Prepares a scanned resource: its contracts and its list entry. */
export function prepareResource(
  scanned: ScannedResource,
  cache: ContractCache,
  problems: ProblemList,
): PreparedResource {
  const contracts = createInputContracts(scanned, [], cache);
  const { fields } = argumentFields(contracts, scanned.where, problems);
  return Object.freeze({ scanned, contracts, fields, listed: listedForm(scanned) });
}

/** Binds a prepared resource to its instances. It creates no contracts and reports no problems. */
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
    completers: compileCompleters(scanned, prepared.contracts, binding),
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

/** The handler; its input is made from the variables of the template. */
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

const ACCEPTED =
  'a resource gives a string, bytes, a value for JSON, contents ({ text } or { blob: base64 or bytes }), ' +
  'a list of contents, or { contents }';

const CONTENTS_KEYS: ReadonlySet<string> = new Set(['uri', 'mimeType', 'text', 'blob', '_meta']);

/** Converts a handler's value to contents; undefined means that the resource does not exist. */
type ConvertResource = (value: unknown, uri: string) => CheckOutcome<ReadResourceResult | undefined>;

/** Compiles the conversion of the value of a resource's handler. */
function compileResourceOutput(mimeType: string | undefined): ConvertResource {
  return (value, uri) => {
    if (value === undefined || value === null) return { ok: true, value: undefined };
    if (isReadResult(value)) return settle(value, value.contents, uri);
    const parts = contentsOf(value);
    if (parts !== undefined) return settle({}, parts, uri);
    // a tool's result or another kind of block would be sent as the JSON of its internals
    if (isHelperResult(value) || isHelperBlock(value)) return refused('', value);
    return { ok: true, value: { contents: [{ uri, ...bodyOf(value, mimeType) }] } };
  };
}

/** Text, bytes, or anything else as JSON. */
function bodyOf(value: unknown, mimeType: string | undefined): Omit<ResourceContents, 'uri'> {
  if (typeof value === 'string') return { mimeType: mimeType ?? 'text/plain', text: value };
  const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
  if (ArrayBuffer.isView(bytes)) {
    return { mimeType: mimeType ?? 'application/octet-stream', blob: toBase64(bytes) };
  }
  // `application/geo+json` says more than `application/json`; `text/html` would be wrong
  const isJson = mimeType !== undefined && /[/+]json\b/i.test(mimeType);
  return { mimeType: isJson ? mimeType : 'application/json', text: formatValue(value) };
}

function contentsOf(value: unknown): readonly PlainObject[] | undefined {
  if (isEmbedded(value)) return [value.resource];
  if (isContents(value)) return [value];
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const parts = (value as readonly unknown[]).map((item) => (isEmbedded(item) ? item.resource : item));
  return parts.every(isContents) ? parts : undefined;
}

/** True for a block made by embeddedResource(). */
function isEmbedded(value: unknown): value is { readonly resource: PlainObject } {
  return isHelperBlock(value) && value.type === 'resource';
}

/** True for an object that can only be contents: no other keys, and a text or a blob. */
function isContents(value: unknown): value is PlainObject {
  if (!isPlainObject(value) || !Object.keys(value).every((key) => CONTENTS_KEYS.has(key))) return false;
  const { uri, mimeType, text, blob, _meta: meta } = value;
  const hasBlob = typeof blob === 'string' || ArrayBuffer.isView(blob);
  return (
    [uri, mimeType].every((member) => member === undefined || typeof member === 'string') &&
    (meta === undefined || isPlainObject(meta)) &&
    (typeof text === 'string' ? blob === undefined : text === undefined && hasBlob)
  );
}

function isReadResult(value: unknown): value is { readonly contents: readonly PlainObject[] } {
  if (!isPlainObject(value) || !Array.isArray(value['contents'])) return false;
  const isExact = Object.keys(value).every((key) => key === 'contents' || key === '_meta');
  return isExact && value['contents'].every(isContents);
}

function settle(
  result: PlainObject,
  parts: readonly PlainObject[],
  uri: string,
): CheckOutcome<ReadResourceResult> {
  const broken = parts.findIndex(({ blob }) => typeof blob === 'string' && !isBase64(blob));
  if (broken >= 0) return refused(`contents.${String(broken)}.blob`, parts[broken]?.['blob']);
  const contents = parts.map((part) => ({ uri, ...part, ...encoded(part) }));
  return { ok: true, value: plainData({ ...result, contents }) as ReadResourceResult };
}

function encoded({ blob }: PlainObject): { readonly blob?: string } {
  return ArrayBuffer.isView(blob) ? { blob: toBase64(blob) } : {};
}

function refused(path: string, value: unknown): CheckOutcome<never> {
  const message = path === '' ? ACCEPTED : 'is not base64';
  return { ok: false, issues: [{ path, message, received: describeReceived(value) }] };
}
