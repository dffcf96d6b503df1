import { INVALID_PARAMS, ProtocolError } from '../../call/protocol-error.ts';
import type {
  CompiledFixedResource,
  CompiledResource,
  CompiledTemplate,
} from '../../compile/primitives/compile-resource.ts';
import type { WireResource } from '../../converters/wire.ts';
import { listFromFeatures, readFromFeatures } from '../feature-states.ts';
import { isObject, isPlainObject, type PlainObject } from '../../shared/json.ts';
import { thenMaybe } from '../../shared/maybe-promise.ts';
import type { Call, Handle, Route } from '../../kernel/call/call.ts';
import type { FixedList, Methods, ResourceService } from '../routes/service-parts.ts';
import { withReadHint } from '../lists/lists.ts';
import { stringOf } from '../../kernel/call/request-params.ts';
import { failureOf, resultOf, type Outcome } from '../../kernel/call/outcome.ts';
import { calledUri, resourceNotFound } from '../failures/protocol-failures.ts';
import { ownsRemotely, watchRemotely, withRemoteEntries } from '../remote/remote-servers.ts';
import { compileMethod, compileMiss, compileRoute, enterRoute, type RouteSettings } from '../routes/route.ts';
import { mayRun, runPrimitive, type ServiceOptions, verdictsOf, visibleItems } from './primitives.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import { describeReceived, type CheckOutcome, type Issue } from '../../call/issue.ts';
import { plainData } from '../../call/handler-value.ts';
import { McpResourceConverter } from '../../converters/mcp-converters.ts';
import type { ListedResource } from '../../metadata/options.ts';
import { Resource } from '../../model/group.ts';
import { createAnnotations } from '../../model/values.ts';
import { annotationProblem } from '../../call/check-content.ts';
import { withoutUnknownQuery, type UriTemplate } from '../../shared/uri-template.ts';
import { LONGEST_URI } from '../clients/changes.ts';

/** What a filter leaves of the resources of an application. */
interface ResourceView {
  readonly fixed: ReadonlyMap<string, CompiledFixedResource>;
  readonly templates: readonly CompiledTemplate[];
  readonly fixedResources: FixedList<WireResource>;
  readonly templateList: readonly CompiledTemplate['definition'][];
  /** Whether a URI may have a sensitive value in it. */
  readonly hasSensitive: boolean;
}

/** The resources of an application. */
export function createResourceService(
  resources: () => readonly CompiledResource[],
  options: ServiceOptions,
): ResourceService {
  const view = visibleItems(resources, options.filter, arrange);
  const list = (call: Call): ReturnType<ResourceService['list']> => {
    const { templates, fixedResources } = view(call.authority?.verdicts);
    const { list: resourceList, isAll } = fixedResources;
    if (isAll) return resourceList;
    const listing = templates.map((template) => listTemplate(template, call, options));
    return Promise.all(listing).then((listed) => onePerUri([...resourceList, ...listed.flat()]));
  };
  const has = (uri: string, verdicts?: Verdicts): boolean => findResource(uri, view(verdicts)) !== undefined;
  let ownsElsewhere: ResourceService['knows'] = () => false;
  const service = {
    templates: (verdicts?: Verdicts) => view(verdicts).templateList,
    fixed: (verdicts?: Verdicts) => view(verdicts).fixedResources,
    list,
    has,
    knows: (uri: string, verdicts?: Verdicts) => has(uri, verdicts) || ownsElsewhere(uri, verdicts),
  };
  const methods = (settings: RouteSettings): Methods => {
    ownsElsewhere = (uri, verdicts) => ownsRemotely(uri, settings, verdicts);
    const routesOf = (items: readonly CompiledResource[]): ReadonlyMap<CompiledResource, Route> =>
      new Map(items.map((resource) => [resource, compileResourceRoute(resource, settings, options)]));
    const routes = visibleItems(resources, options.filter, routesOf);
    routes();
    const findRoute = (call: Call, verdicts: Verdicts | undefined): Route => {
      const uri = stringOf(call.params['uri'], 'uri');
      const found = findResource(uri, view(verdicts));
      if (found === undefined) throw resourceNotFound(call, view(verdicts).fixed.keys());
      call.args = found.variables;
      return routes().get(found.resource) as Route;
    };
    const miss = compileMiss('resources/read', settings);
    const read: Handle = (call) =>
      thenMaybe(verdictsOf(call, settings), (verdicts) =>
        thenMaybe(
          readFromFeatures(call, settings, () => settings.toolsFor(verdicts)),
          (stored) => {
            if (stored === undefined) return enterRoute(call, () => findRoute(call, verdicts), miss);
            call.answerMiss = () =>
              ProtocolError.is(stored) ? failureOf(stored) : resultOf(withReadHint(stored, call, undefined));
            return miss(call);
          },
        ),
      );
    const byUri = { 'resources/read': read, ...subscriptionMethods(service, settings) };
    const hiding = Object.entries(byUri).map(
      ([method, handle]) => [method, hidingUris(handle, view)] as const,
    );
    return { ...listMethods(service, settings), ...Object.fromEntries(hiding) };
  };
  return Object.freeze({ ...service, methods });
}

/** A variable of a template may be sensitive, also in a URI that does not quite match. */
function hidingUris(handle: Handle, view: () => ResourceView): Handle {
  return (call) => {
    const whole = view();
    const { uri } = call.params;
    const found =
      whole.hasSensitive && typeof uri === 'string' ? findResource(uri, whole)?.resource : undefined;
    if (whole.hasSensitive) call.hidesUri = found === undefined || found.sensitive !== undefined;
    return handle(call);
  };
}

function compileResourceRoute(
  resource: CompiledResource,
  settings: RouteSettings,
  options: ServiceOptions,
): Route {
  const { name, cache } = resource;
  const target = {
    kind: 'resource',
    method: 'resources/read',
    name,
    handler: resource,
  } as const;
  return compileRoute(target, settings, async (call): Promise<Outcome> => {
    const uri = String(call.params['uri']);
    const convert = (value: unknown): ReturnType<CompiledResource['convert']> => resource.convert(value, uri);
    const run = {
      kind: 'resource',
      name,
      args: call.args,
      call,
      convert,
    } as const;
    const result = await runPrimitive(resource, run, options);
    return result === undefined
      ? failureOf(resourceNotFound(call))
      : resultOf(withReadHint(result, call, cache));
  });
}

type Lists = Pick<ResourceService, 'list' | 'templates'>;

function listMethods({ list, templates }: Lists, settings: RouteSettings): Methods {
  const { lists } = settings;
  const join = createJoin();
  return {
    'resources/list': compileMethod('resources/list', settings, (call) =>
      thenMaybe(verdictsOf(call, settings), (verdicts) =>
        thenMaybe(list(call), (all) => {
          const further = listFromFeatures(call, settings, () => settings.toolsFor(verdicts));
          const own = further.reduce(join, all);
          return thenMaybe(withRemoteEntries('resources/list', own, call, settings), (whole) =>
            lists.page('resources/list', whole, call),
          );
        }),
      ),
    ),
    'resources/templates/list': compileMethod('resources/templates/list', settings, (call) =>
      thenMaybe(verdictsOf(call, settings), (verdicts) =>
        thenMaybe(
          withRemoteEntries('resources/templates/list', templates(verdicts), call, settings),
          (whole) => lists.page('resources/templates/list', whole, call),
        ),
      ),
    ),
  };
}

/** Joins two lists: to the same frozen list where both are frozen and the same, so that its pages are kept. */
function createJoin(): (
  first: readonly WireResource[],
  second: readonly WireResource[],
) => readonly WireResource[] {
  const known = new WeakMap<readonly object[], WeakMap<readonly object[], readonly WireResource[]>>();
  return (first, second) => {
    if (!Object.isFrozen(first) || !Object.isFrozen(second)) return [...first, ...second];
    const ofFirst = known.get(first) ?? new WeakMap<readonly object[], readonly WireResource[]>();
    const joined = ofFirst.get(second) ?? Object.freeze([...first, ...second]);
    known.set(first, ofFirst.set(second, joined));
    return joined;
  };
}

/** Spec: server/resources, Subscriptions. */
export function subscriptionMethods(
  { knows }: Pick<ResourceService, 'knows'>,
  settings: RouteSettings,
): Methods {
  const subscribe: Handle = (call) => {
    const { params, origin } = call;
    const { subscriptions } = origin.served;
    const uri = stringOf(params['uri'], 'uri');
    if (subscriptions === undefined) {
      const message = 'Cannot subscribe without a session; initialize one first';
      throw new ProtocolError(INVALID_PARAMS, message, { uri: calledUri(call) });
    }
    return thenMaybe(verdictsOf(call, settings), (verdicts) => {
      if (!knows(uri, verdicts)) throw resourceNotFound(call);
      return thenMaybe(subscriptions.add(uri), () => {
        watchRemotely([uri], settings);
        return resultOf({});
      });
    });
  };
  const unsubscribe: Handle = ({ params, origin }) => {
    const uri = stringOf(params['uri'], 'uri');
    return thenMaybe(origin.served.subscriptions?.remove(uri), () => resultOf({}));
  };
  return {
    'resources/subscribe': compileMethod('resources/subscribe', settings, subscribe),
    'resources/unsubscribe': compileMethod('resources/unsubscribe', settings, unsubscribe),
  };
}

function arrange(items: readonly CompiledResource[]): ResourceView {
  const fixed = items.filter((item) => item.kind === 'fixed');
  const templates = items.filter((item) => item.kind === 'template');
  return {
    fixed: new Map(fixed.map((resource) => [resource.uri, resource])),
    templates,
    fixedResources: Object.freeze({
      list: Object.freeze(onePerUri(fixed.map(({ definition }) => definition))),
      isAll: templates.every((template) => template.list === undefined),
    }),
    templateList: Object.freeze(templates.map(({ definition }) => definition)),
    hasSensitive: templates.some(({ sensitive }) => sensitive !== undefined),
  };
}

/** What is listed twice is read from where it stands first. */
function onePerUri(resources: readonly WireResource[]): readonly WireResource[] {
  const byUri = new Map<string, WireResource>();
  for (const resource of resources) if (!byUri.has(resource.uri)) byUri.set(resource.uri, resource);
  return [...byUri.values()];
}

const wire = new McpResourceConverter();

/** The resources of a template, from its list method. */
async function listTemplate(
  template: CompiledTemplate,
  call: Call,
  options: ServiceOptions,
): Promise<readonly WireResource[]> {
  if (template.list === undefined || !(await mayRun(call, template))) return [];
  const convert = (value: unknown): CheckOutcome<readonly WireResource[]> => toWire(template, value);
  const run = { kind: 'resource', name: template.name, args: {}, call, convert } as const;
  return runPrimitive(template.list, run, options);
}

function toWire(template: CompiledTemplate, given: unknown): CheckOutcome<readonly WireResource[]> {
  const value = plainData(given);
  if (!Array.isArray(value)) {
    const message = 'the list method of a template gives an array of resources';
    return { ok: false, issues: [{ path: '', message, received: describeReceived(value) }] };
  }
  const items = value as readonly unknown[];
  const issues = items.flatMap((item, index) =>
    listedResourceIssues(item, `list.${String(index)}`, template.template),
  );
  if (issues.length > 0) return { ok: false, issues };
  return { ok: true, value: items.map((item) => wireResource(template, item as ListedResource)) };
}

/** A listed resource, completed with the fields of its template. */
function wireResource({ model: template }: CompiledTemplate, listed: ListedResource): WireResource {
  const resource = new Resource(listed.name ?? template.name);
  resource.uri = listed.uri;
  resource.title = listed.title ?? template.title;
  resource.description = listed.description ?? template.description;
  resource.mimeType = listed.mimeType ?? template.mimeType;
  resource.size = listed.size;
  resource.annotations = listed.annotations ? createAnnotations(listed.annotations) : template.annotations;
  resource.icons = template.icons;
  resource.meta = template.meta;
  return wire.convertFromResource(resource);
}

type Member = readonly [isRight: (value: unknown) => boolean, message: string];

const TEXT: Member = [(value) => typeof value === 'string', 'must be a string'];

const OPTIONAL: Readonly<Record<string, Member>> = {
  name: [(value) => typeof value === 'string' && value !== '', 'must be a string that is not empty'],
  title: TEXT,
  description: TEXT,
  mimeType: TEXT,
  size: [(value) => typeof value === 'number' && value >= 0, 'must be a number of bytes'],
  annotations: [isPlainObject, 'must be an object'],
};

/** What is wrong with one entry; a client would refuse the whole list for it. */
function listedResourceIssues(item: unknown, path: string, template: UriTemplate): readonly Issue[] {
  if (!isObject(item)) {
    return [memberIssue(path, 'must be an object with a uri', item)];
  }
  const listed = item;
  const wrong = Object.entries(OPTIONAL)
    .filter(([name, [isRight]]) => listed[name] !== undefined && !isRight(listed[name]))
    .map(([name, [, message]]) => memberIssue(`${path}.${name}`, message, listed[name]));
  return [...uriIssues(listed['uri'], path, template), ...wrong, ...annotationIssues(listed, path)];
}

function uriIssues(uri: unknown, path: string, template: UriTemplate): readonly Issue[] {
  if (typeof uri !== 'string') return [memberIssue(`${path}.uri`, 'must be a string', uri)];
  return template.match(uri) === undefined
    ? [memberIssue(`${path}.uri`, `does not match ${template.text}`, uri)]
    : [];
}

function annotationIssues(
  { annotations }: Readonly<Record<string, unknown>>,
  path: string,
): readonly Issue[] {
  const problem = isPlainObject(annotations) ? annotationProblem(annotations) : undefined;
  if (problem === undefined) return [];
  const { name, value, expected } = problem;
  return [memberIssue(`${path}.annotations.${name}`, `must be ${expected}`, value)];
}

function memberIssue(path: string, message: string, value: unknown): Issue {
  return { path, message, received: describeReceived(value) };
}

interface FoundResource {
  readonly resource: CompiledResource;
  readonly variables: PlainObject;
}

/**
 * A fixed URI wins over every template, an earlier template over a later one, and one that fits the whole URI over one that
 * knows only some of the parameters in its query.
 */
function findResource(uri: string, { fixed, templates }: ResourceView): FoundResource | undefined {
  // Each template parses the URI itself
  if (uri.length > LONGEST_URI) return undefined;
  const exact = fixed.get(uri);
  if (exact !== undefined) return { resource: exact, variables: {} };
  return (
    firstOf(templates, (template) => template.match(uri)) ??
    firstOf(templates, (template) => {
      const known = withoutUnknownQuery(template, uri);
      return known === undefined ? undefined : template.match(known);
    })
  );
}

function firstOf(
  templates: readonly CompiledTemplate[],
  match: (template: UriTemplate) => PlainObject | undefined,
): FoundResource | undefined {
  for (const resource of templates) {
    const variables = match(resource.template);
    if (variables !== undefined) return { resource, variables };
  }
  return undefined;
}
