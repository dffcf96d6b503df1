import { createHash, randomUUID } from 'node:crypto';
import {
  Action,
  Ctx,
  Destructive,
  Idempotent,
  Input,
  OpenWorld,
  Policy,
  ReadOnly,
  Roles,
  Scopes,
  Timeout,
  ToolError,
  subjectKey,
  subjectOf,
  type ActionOptions,
  type ApplicationOptions,
  type Class,
  type JsonSchema,
  type LogFunction,
  type ToolContext,
} from '../index.ts';
import { appendRecord } from '../metadata/records.ts';
import type { PlainObject } from '../shared/json.ts';
import { compileAnswerCheck } from './check-answer.ts';
import type { OfferedOperation } from './curation.ts';
import { CHOSEN, compileInputs, shortText } from './inputs.ts';
import { actionPlace } from './names.ts';
import { nextPage } from './next-page.ts';
import type { CarriedCall, Carrier, HttpRequest, Identity, Sign, SignedRequest } from './operation.ts';
import type { RouteTemplate } from './other-routes.ts';
import { outputSchema } from './outputs.ts';
import { readAnswer } from './http/read-answer.ts';
import type { RequestForms } from './http/parameter-forms.ts';
import { publishesOutput, type OperationSettings } from './settings.ts';
import { compileRequest } from './http/write-request.ts';

/** How the actions of an API run. */
export interface OperationRun {
  readonly carrier: Carrier;
  /** Where an API elsewhere is, for the links in its answers. */
  readonly baseUrl?: string | undefined;
  readonly identity: Identity;
  /** Whether actions reach systems outside of the application, unless settings say otherwise. */
  readonly openWorld: boolean;
  /** The form of the descriptions of tools. Default: that of the application. */
  readonly describe?: ApplicationOptions['describe'];
  /** Their form where the application says none either. Default: text. */
  readonly defaultDescribe?: ApplicationOptions['describe'];
  readonly maxAnswerBytes: number;
  /** The header of the key of a write, in lower case; undefined sends none. */
  readonly idempotencyHeader?: string | undefined;
  /** All that the server answers, so that no value in a path leads to another route. */
  readonly routes?: readonly RouteTemplate[];
  readonly queryForms?: (operation: OfferedOperation) => RequestForms;
  /** What adds credentials to the requests of an operation. Default: nothing. */
  readonly sign?: (operation: OfferedOperation) => Sign;
  /** Takes what operators have to know of answers. Default: nothing is logged. */
  readonly log?: LogFunction;
  /** Takes refusals, by the API, of callers whom the endpoint has accepted. */
  readonly refused?: (call: CarriedCall, status: number) => void;
}

/** Makes a controller of each group. The scanner reads them as it reads those of users. */
export function createControllers(
  operations: readonly OfferedOperation[],
  run: OperationRun,
): readonly Class[] {
  const controllers = new Map<string, Class>();
  const controllerAt = (path: readonly string[]): Class => {
    const key = path.join('.');
    const known = controllers.get(key);
    if (known !== undefined) return known;
    const [outer, group = ''] = [path.slice(0, -1), path.at(-1)];
    const parent = outer.length === 0 ? undefined : controllerAt(outer);
    const members = operations.filter((each) => [...(each.parents ?? []), each.group].join('.') === key);
    const made = createController({ group, parent }, members, run);
    controllers.set(key, made);
    return made;
  };
  for (const { parents = [], group } of operations) controllerAt([...parents, group]);
  return [...controllers.values()];
}

/** Operations by the names of their groups, in their order. */
export function groupOperations<Grouped extends OfferedOperation>(
  operations: readonly Grouped[],
): ReadonlyMap<string, readonly Grouped[]> {
  const groups = new Map<string, Grouped[]>();
  for (const operation of operations)
    groups.set(operation.group, [...(groups.get(operation.group) ?? []), operation]);
  return groups;
}

function createController(
  { group, parent }: { readonly group: string; readonly parent: Class | undefined },
  operations: readonly OfferedOperation[],
  run: OperationRun,
): Class {
  const Controller = { [`${group} of the API`]: class {} }[`${group} of the API`] as Class<object>;
  const { describe, defaultDescribe } = run;
  const own = describe === undefined ? {} : { describe };
  const options = Object.freeze({ name: group, ...(parent === undefined ? own : { parent }) });
  // As @ToolGroup does, which has no option for what yields to the application
  appendRecord(Controller, {
    kind: 'toolGroup',
    options,
    ...(parent === undefined ? { defaultDescribe } : {}),
  });
  for (const [index, operation] of operations.entries()) {
    const member = `operation${String(index)}`;
    const handler = createHandler(operation, run);
    Object.defineProperty(Controller.prototype, member, {
      value: handler.invoke,
      writable: true,
      configurable: true,
    });
    decorate(Controller, member, operation, handler, run);
  }
  return Controller;
}

/** What runs an operation: its input, and what sends a request of it. */
export interface OperationHandler {
  readonly input: ReturnType<typeof compileInputs>;
  readonly invoke: (input: PlainObject, context: ToolContext) => Promise<unknown>;
}

/** Compiles how an operation is called. */
export function createHandler(operation: OfferedOperation, run: OperationRun): OperationHandler {
  const { settings } = operation;
  const { tool, key: action } = actionPlace(operation);
  const { input = compileInputs(operation, settings) } = operation;
  const whole = settings.hide === undefined ? input : compileInputs(operation, { ...settings, hide: [] });
  const write = compileRequest(operation, whole, run.queryForms?.(operation), run.routes);
  const withDefaults = compileDefaults(settings);
  const page = { targets: input.targets, baseUrl: run.baseUrl };
  const sign = run.sign?.(operation) ?? ((request: HttpRequest): SignedRequest => request);
  const output = publishedOutput(operation);
  const isLenient = output !== undefined && settings.output !== 'strict';
  const check = isLenient ? compileAnswerCheck(operation, output, run.log) : undefined;
  const invoke = async (given: PlainObject, context: ToolContext): Promise<unknown> => {
    const call: CarriedCall = Object.freeze({ tool, action, context, caller: context.authInfo });
    const request = write(withDefaults(given));
    const own = inLowerCase(await run.identity(context.authInfo, call));
    const { secrets, ...signed } = await sign(
      { ...request, headers: { ...request.headers, ...keyHeader(operation, run, call), ...own } },
      call,
    );
    const { maxAnswerBytes } = run;
    const answer = await run.carrier(signed, { signal: context.signal, call, maxAnswerBytes });
    if (answer.status === 401 && context.authInfo !== undefined) run.refused?.(call, answer.status);
    const chosen = settings.select === true ? (given[CHOSEN] as readonly string[] | undefined) : undefined;
    const value = readAnswer(answer, operation, {
      fields: settings.fields,
      chosen,
      findNext: (value) => nextPage(answer, value, request, page),
      result: settings.result,
      isStructured: publishesOutput(settings),
      isElsewhere: run.baseUrl !== undefined,
      secrets,
    });
    return check === undefined ? value : check(value);
  };
  return { input, invoke };
}

/** One name is one header: that of a model would otherwise stand beside it. */
function inLowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** The key of a write: of what the caller calls the same, else of this call alone. */
function keyHeader(
  { hints }: OfferedOperation,
  { idempotencyHeader }: OperationRun,
  { tool, action, context, caller }: CarriedCall,
): Readonly<Record<string, string>> {
  if (idempotencyHeader === undefined || hints.readOnly) return {};
  const given = context.idempotency?.key;
  if (given === undefined) return { [idempotencyHeader]: randomUUID() };
  // Callers choose keys apart from each other, and the application may keep them in one place
  const owner = caller === undefined ? '' : subjectKey(subjectOf(caller));
  const text = JSON.stringify([owner, tool, action, given]);
  return { [idempotencyHeader]: createHash('sha256').update(text).digest('hex') };
}

/** Fills in defaults. Hidden fields have no other values: an input that takes further names would take them too. */
function compileDefaults({
  defaults = {},
  hide = [],
}: OperationSettings): (given: PlainObject) => PlainObject {
  const fixed = Object.fromEntries(Object.entries(defaults).filter(([name]) => hide.includes(name)));
  return (given) => {
    const issues = hide
      .filter((name) => Object.hasOwn(given, name))
      .map((path) => ({ path, message: 'unknown field' }));
    if (issues.length > 0) {
      const paths = issues.map(({ path }) => path).join(', ');
      throw new ToolError('VALIDATION_FAILED', `${paths}: unknown field`, { details: { issues } });
    }
    return { ...defaults, ...given, ...fixed };
  };
}

function decorate(
  target: Class<object>,
  member: string,
  operation: OfferedOperation,
  { input }: OperationHandler,
  run: OperationRun,
): void {
  const { settings, name, title, version } = operation;
  const output = publishedOutput(operation);
  const { source = NO_INPUT } = input;
  const options: ActionOptions = {
    name,
    description: settings.description ?? shortDescription(operation),
    ...(title === undefined ? {} : { title }),
    ...(version === undefined ? {} : { version }),
    ...(settings.tags === undefined ? {} : { tags: settings.tags }),
    ...(settings.result === undefined ? {} : { result: settings.result }),
    ...(output === undefined ? {} : { output }),
  };
  const prototype = target.prototype as object;
  const descriptor = Object.getOwnPropertyDescriptor(prototype, member) as PropertyDescriptor;
  const action: MethodDecorator = Action(options);
  for (const decorator of [
    action,
    ...marks(operation),
    ...rules(settings),
    OpenWorld(settings.openWorld ?? run.openWorld),
  ])
    decorator(prototype, member, descriptor);
  Input(source)(prototype, member, 0);
  Ctx()(prototype, member, 1);
}

function publishedOutput({ settings, answer }: OfferedOperation): JsonSchema | undefined {
  if (!publishesOutput(settings) || answer === undefined) return undefined;
  return outputSchema(answer, settings.fields);
}

const NO_INPUT: JsonSchema = { type: 'object', additionalProperties: false };

function marks({ hints, settings: { confirm, idempotent } }: OfferedOperation): readonly MethodDecorator[] {
  if (hints.readOnly) return [ReadOnly()];
  const destructive = confirm === undefined ? Destructive() : Destructive({ confirm });
  const once = typeof idempotent === 'object' ? Idempotent(idempotent) : Idempotent();
  return [...(hints.destructive ? [destructive] : []), ...(hints.idempotent ? [once] : [])];
}

function rules({ timeout, roles, scopes, policy }: OperationSettings): readonly MethodDecorator[] {
  return [
    ...(timeout === undefined ? [] : [Timeout(timeout)]),
    ...(roles === undefined ? [] : [Roles(...roles)]),
    ...(scopes === undefined ? [] : [Scopes(...scopes)]),
    ...(policy === undefined ? [] : [Policy(policy)]),
  ];
}

/** Without a text of the API, the method and the path are what is known. */
function shortDescription({ description, title, key }: OfferedOperation): string {
  return description === undefined ? (title ?? key) : shortText(description);
}
