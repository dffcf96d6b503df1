import type { InstanceResolver } from '../../container/instance-resolver.ts';
import type { ScannedCallable, ScannedMiddleware } from '../../scanner/members/scanned-callable.ts';
import type { Composition } from '../feature-parts.ts';
import type { Slots } from '../../shared/slots.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import { allContracts, explainContracts, type InputContracts } from '../contracts/input-contracts.ts';
import { compileSensitive } from '../contracts/sensitive-arguments.ts';
import { compileHandler, compileInput, readInstance, type Handler } from './attempt.ts';
import type { Attempt, HandlerArguments, Step } from '../../kernel/call/attempt.ts';
import type { ResolveInput } from '../../kernel/call/compiled-callable.ts';
import {
  type CallNeeds,
  type CompiledHandler,
  type StagedCallable,
  compileAttempt,
  NO_NEEDS,
} from '../../kernel/call/stage.ts';
import type {
  MiddlewareCall,
  MiddlewareFunction,
  MiddlewareObject,
  Next,
  UserDecorator,
} from '../../call/middleware.ts';
import type { Problem } from '../../errors/problem-list.ts';
import { ToolwrightError } from '../../errors/toolwright-error.ts';
import type { ProviderKey } from '../../scanner/providers/scanned-provider.ts';
import {
  isThenable,
  catchMaybe,
  thenMaybe,
  toMaybePromise,
  type MaybePromise,
} from '../../shared/maybe-promise.ts';

export interface CallableParts {
  readonly contracts: InputContracts;
  /** The common schemas, outermost first. */
  readonly common: readonly SchemaSource[];
  /** The argument that names the action; undefined where there is none. */
  readonly discriminator: string | undefined;
  /** The fields of all actions of the tool that the caller sees, and whether one of them is sensitive. */
  readonly toolFields?: ReadonlySet<string>;
  readonly hasSensitive?: boolean;
  readonly warnings?: readonly Problem[];
  /** What features made of it for their stages. Default: what they keep of it. */
  readonly bound?: Slots;
  /** What features need of its calls. */
  readonly needs?: CallNeeds;
  /** Wraps the check so that the raw arguments are converted first. */
  readonly read?: (resolve: ResolveInput) => ResolveInput;
}

/** The instances, the features and the stages of every call, to which prepared parts are bound. */
export interface Binding extends Composition {
  readonly resolver: InstanceResolver;
  /** Runs each middleware; undefined where nobody wants to know when it runs. */
  readonly aroundLayer?: AroundLayer | undefined;
  /** The names of all sensitive fields of the application. */
  readonly sensitiveNames?: ReadonlySet<string> | undefined;
  /** Values that the arguments of a call may consist of. Default 10,000. */
  readonly argumentNodes?: number | undefined;
}

/** @param name of the middleware: that of its class or function */
export type AroundLayer = <Value>(name: string, attempt: Attempt, work: () => Value) => Value;

/** Compiles what actions, prompts and resources have in common: input, chain and stages, each once. */
export function compileCallable(
  callable: ScannedCallable & StagedCallable,
  {
    contracts,
    common,
    warnings = [],
    bound = callable.slots,
    needs = NO_NEEDS,
    read = (resolve) => resolve,
    ...place
  }: CallableParts,
  binding: Binding,
): CompiledHandler {
  const { resolver, stages, sensitiveNames, argumentNodes } = binding;
  const all = allContracts(contracts);
  const named = { ...place, sensitiveNames, argumentNodes };
  const handler = {
    sensitive: compileSensitive(contracts, named),
    perCall: perCallKeys(callable, resolver),
    resolveInput: read(compileInput(contracts, { ...named, unknownFields: callable.unknownFields })),
    bound,
    resolver,
  };
  const innermost = surround(
    callable,
    compileHandler(callable.handler, common, resolver),
    binding,
    needs.onEnter,
  );
  return {
    requirements: callable.requirements,
    looseFields: Object.freeze(all.flatMap((contract) => contract.looseFields)),
    warnings: Object.freeze([...warnings, ...all.flatMap((contract) => contract.warnings)]),
    explain: () => explainContracts(contracts),
    ...handler,
    attempt: compileAttempt(callable, { ...handler, needs }, innermost, stages),
  };
}

/** The call that goes through the chain: the middleware's view, and the data that only the handler's plan reads. */
interface ChainInput extends MiddlewareCall<unknown>, HandlerArguments {
  readonly input: unknown;
  readonly context: unknown;
  /** The handler's value, or the promise of it; unset until the last middleware calls `next`. */
  handled: MaybePromise<unknown>;
}

/** Composes middleware around a handler, once; without any it is the handler itself. @param onEnter called before it */
export function surround(
  { middleware, metadata }: Pick<ScannedCallable, 'middleware' | 'metadata'>,
  handler: Handler,
  { resolver, aroundLayer }: Pick<Binding, 'resolver' | 'aroundLayer'>,
  onEnter?: CallNeeds['onEnter'],
): Step {
  if (middleware.length === 0) {
    return onEnter === undefined ? handler : (attempt) => (onEnter(attempt), handler(attempt));
  }
  const attempts = new WeakMap<ChainInput, Attempt>();
  const layers = middleware.map((each) => {
    const layer = layerOf(each, resolver);
    if (aroundLayer === undefined) return layer;
    const name = nameOf(each);
    const around: typeof layer = (call, next) =>
      aroundLayer(name, attempts.get(call) as Attempt, () => layer(call, next));
    return around;
  });
  const run = (call: ChainInput): unknown => (call.handled = handler(call));
  const enter = (call: ChainInput): unknown => (onEnter?.(attempts.get(call) as Attempt), run(call));
  const chain = composeMiddleware(layers, onEnter === undefined ? run : enter);
  const lookUp = metadataOf(metadata);
  const isKnown = aroundLayer !== undefined || onEnter !== undefined;
  return (attempt) => {
    const { place, input, context, common, scope } = attempt;
    const { kind, tool, action, name, version } = place;
    const unversioned: ChainInput = {
      kind,
      tool,
      action,
      name,
      input,
      context,
      metadata: lookUp,
      common,
      scope,
      handled: undefined,
    };
    const call = version === undefined ? unversioned : { ...unversioned, version };
    if (isKnown) attempts.set(call, attempt);
    return thenMaybe(toMaybePromise(chain(call)), (settled) =>
      settled === undefined && call.handled !== undefined ? dropped(call) : settled,
    );
  };
}

/** The name of its function, or of its class: a key says the module as well. */
function nameOf(middleware: ScannedMiddleware): string {
  if (middleware.kind === 'function') return middleware.run.name;
  return (middleware.key.description ?? '').replace(/ of .*$/, '');
}

/** Looks up the values of user decorators. */
function metadataOf(entries: ScannedCallable['metadata']): MiddlewareCall['metadata'] {
  const values = new Map(entries.map((entry) => [entry.decorator, entry.value]));
  return <T>(decorator: UserDecorator<T>) => values.get(decorator as UserDecorator<unknown>) as T | undefined;
}

/** Middleware must not lose the handler's value by returning undefined; null drops it on purpose. */
function dropped({ handled, name }: ChainInput): MaybePromise<undefined> {
  // A middleware that returns nothing after a failure has caught it
  const given = catchMaybe(() => handled, ignore);
  return thenMaybe(given, (value) => {
    if (value === undefined || value === null) return undefined;
    throw new ToolwrightError('TW_MIDDLEWARE_RETURNED_NOTHING', {
      where: name,
      what: 'returned a value, but a middleware around it called next() and returned nothing.',
      fix: 'did you forget to `return next()`? To send nothing on purpose, return null',
    });
  });
}

/** The request-scoped providers of a call: controller, parameters and middleware. */
export function perCallKeys(
  { handler, middleware }: Pick<ScannedCallable, 'handler' | 'middleware'>,
  resolver: InstanceResolver,
): readonly ProviderKey[] {
  const keys = middleware.flatMap((layer) => (layer.kind === 'provider' ? [layer.key] : []));
  if (handler.kind === 'method') {
    keys.push(handler.controller);
    for (const parameter of handler.parameters) {
      if (parameter.kind === 'provider' && parameter.key !== undefined) keys.push(parameter.key);
    }
  }
  return Object.freeze([...new Set(keys)].filter((key) => resolver.isPerCall(key)));
}

function layerOf(
  middleware: ScannedMiddleware,
  resolver: InstanceResolver,
): (call: ChainInput, next: () => Promise<unknown>) => unknown {
  if (middleware.kind === 'function') return middleware.run as MiddlewareFunction<unknown>;
  const instanceOf = readInstance(middleware.key, resolver);
  return (call, next) => (instanceOf(call) as MiddlewareObject<unknown>).use(call, next);
}

/** One middleware as the chain runs it; every `MiddlewareFunction` whose call is wide enough is a layer. */
export type Layer<Call> = (call: Call, next: Next) => unknown;

/** A chain, or the handler at its end. */
type Chain<Call> = (call: Call) => unknown;

/** Nests the layers around the handler, the first one outermost. Without layers it is the handler itself. */
export function composeMiddleware<Call>(layers: readonly Layer<Call>[], handler: Chain<Call>): Chain<Call> {
  return layers.reduceRight((inner: Chain<Call>, layer) => wrap(layer, inner), handler);
}

function wrap<Call>(layer: Layer<Call>, inner: Chain<Call>): Chain<Call> {
  return (call) => {
    const passed: Passed = { promise: undefined, value: undefined };
    const returned = layer(call, () => promised(inner, call, passed));
    // Most layers return what `next()` gave them: of a value that is known already, nobody has to wait for the promise
    return returned === passed.promise ? passed.value : returned;
  };
}

/** What `next()` gave a layer; both are undefined as long as the value is not known. */
interface Passed {
  promise: Promise<unknown> | undefined;
  value: unknown;
}

/** Always a promise, so that a synchronous throw reaches `next().catch()`, too. */
function promised<Call>(inner: Chain<Call>, call: Call, passed: Passed): Promise<unknown> {
  let promise: Promise<unknown>;
  try {
    const value = inner(call);
    if (!isThenable(value)) {
      passed.value = value;
      return (passed.promise = Promise.resolve(value));
    }
    promise = Promise.resolve(value);
  } catch (thrown) {
    // The layer gets what was thrown, whatever it is
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    promise = Promise.reject(thrown);
  }
  // A layer may drop the promise; its unhandled rejection must not end the process
  promise.catch(ignore);
  return promise;
}

function ignore(): undefined {
  return undefined;
}
