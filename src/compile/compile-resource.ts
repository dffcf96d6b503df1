import { McpResourceConverter } from '../converters/mcp-resource-converter.ts';
import { McpResourceTemplateConverter } from '../converters/mcp-resource-template-converter.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import { createAnnotations } from '../model/annotations.ts';
import { Resource, ResourceTemplate } from '../model/group.ts';
import type { ScannedResource } from '../scanner/scanned-resource.ts';
import { deepFreeze } from '../shared/deep-freeze.ts';
import { parseUriTemplate } from '../shared/uri-template.ts';
import { argumentFields } from './argument-fields.ts';
import { compileCallable } from './compile-callable.ts';
import { compileCompleters, compileList } from './compile-member.ts';
import type { CompiledFixedResource, CompiledResource, CompiledTemplate } from './compiled-resource.ts';
import { createContractCache } from './contract-cache.ts';
import { convertTexts } from './convert-text.ts';
import type { CompiledHandler } from './handler-call.ts';
import { createInputContracts } from './input-contracts.ts';
import { compileResourceOutput } from './resource-output.ts';
import { setModelMembers } from './model/set-model-members.ts';
import { throwProblem, type Report } from './strategies/report.ts';

type Target<Kind> = Extract<ScannedResource['target'], { kind: Kind }>;

const resourceWire = new McpResourceConverter();
const templateWire = new McpResourceTemplateConverter();

/** Compiles a scanned resource: a fixed one, or a template with what lists and completes it. */
export function compileResource(
  resource: ScannedResource,
  resolver: InstanceResolver,
  report: Report = throwProblem,
): CompiledResource {
  const { target } = resource;
  const handler = resourceHandler(resource, resolver, report);
  return target.kind === 'fixed'
    ? fixedResource(resource, target, handler)
    : template(resource, target, handler, resolver);
}

function fixedResource(
  resource: ScannedResource,
  { uri }: Target<'fixed'>,
  handler: CompiledHandler,
): CompiledFixedResource {
  const model = new Resource(resource.name);
  setResourceMembers(model, resource);
  model.uri = uri;
  model.size = resource.size;
  const definition = deepFreeze(resourceWire.convertFromResource(model));
  return Object.freeze({ ...handler, ...shared(resource), kind: 'fixed', uri, model, definition });
}

function template(
  resource: ScannedResource,
  { uriTemplate }: Target<'template'>,
  handler: CompiledHandler,
  resolver: InstanceResolver,
): CompiledTemplate {
  const model = new ResourceTemplate(resource.name);
  setResourceMembers(model, resource);
  model.uriTemplate = uriTemplate;
  return Object.freeze({
    ...handler,
    ...shared(resource),
    kind: 'template',
    template: parseUriTemplate(uriTemplate),
    model,
    definition: deepFreeze(templateWire.convertFromResourceTemplate(model)),
    list: resource.list && compileList(resource, resource.list, resolver),
    completers: compileCompleters(resource, resolver),
  });
}

function shared({
  name,
  group,
  tags,
  cache,
  mimeType,
}: ScannedResource): Pick<CompiledResource, 'name' | 'group' | 'tags' | 'cache' | 'convert'> {
  return { name, group, tags, cache, convert: compileResourceOutput(mimeType) };
}

function setResourceMembers(model: Resource | ResourceTemplate, resource: ScannedResource): void {
  setModelMembers(model, resource);
  model.mimeType = resource.mimeType;
  model.annotations = resource.annotations && createAnnotations(resource.annotations);
}

/** The handler, whose input is what the variables of the template become. */
function resourceHandler(
  resource: ScannedResource,
  resolver: InstanceResolver,
  report: Report,
): CompiledHandler {
  const contracts = createInputContracts(resource, [], createContractCache(report));
  const { fields } = argumentFields(contracts, resource.where, report);
  const callable = compileCallable(resource, { contracts, common: [], discriminator: undefined }, resolver);
  if (resource.input === undefined) {
    return {
      ...callable,
      resolveInput: (variables) => ({
        ok: true,
        value: { input: Object.freeze({ ...variables }), common: [] },
      }),
    };
  }
  return {
    ...callable,
    resolveInput: (variables) => callable.resolveInput(convertTexts(variables, fields)),
  };
}
