import { boundIssues } from '../../call/bounded-issues.ts';
import { boundMessage } from '../../call/error-budget.ts';
import { type CheckFailure, type CheckOutcome, describeReceived } from '../../call/issue.ts';
import { thrownMessage } from '../../call/thrown-message.ts';
import type { CallScope, InstanceResolver } from '../../container/instance-resolver.ts';
import type { ToolContext } from '../../call/tool-context.ts';
import type { ScannedHandler, ScannedParameter } from '../../scanner/members/scanned-callable.ts';
import type { ProviderKey } from '../../scanner/providers/scanned-provider.ts';
import { isObject } from '../../shared/json.ts';
import { thenMaybe, toMaybePromise, type MaybePromise } from '../../shared/maybe-promise.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import type { Contract } from '../contracts/contract.ts';
import { type InputContracts, compileJoinedInput, type InputOptions } from '../contracts/input-contracts.ts';
import { silenceMisplaced } from '../contracts/sensitive-arguments.ts';
import { checkAsMeant } from './as-meant.ts';
import { freezeArguments } from './bound-arguments.ts';
import type { Attempt, HandlerArguments } from '../../kernel/call/attempt.ts';
import type { ResolvedInputOutcome, ResolveInput } from '../../kernel/call/compiled-callable.ts';
import { MAX_ARGUMENT_NODES } from '../../kernel/call/request-params.ts';
import type { CompileStage } from '../../kernel/call/stage.ts';
import { cancelledError } from '../../call/request-client.ts';

const NONE: readonly never[] = Object.freeze([]);

/** Validates the arguments; invalid input is answered without the later stages. */
export const compileValidation: CompileStage =
  (_callable, { resolveInput, needs }) =>
  (next) => {
    const isFrozen = needs.bindsArguments === true;
    const settle = (resolved: ResolvedInputOutcome, attempt: Attempt): unknown => {
      if (resolved.failure !== undefined) logCheckFailure(resolved.failure, attempt);
      if (!resolved.ok) return attempt.refuse(resolved.issues);
      attempt.input = resolved.value.input;
      attempt.common = resolved.value.common;
      if (isFrozen) freezeArguments([attempt.input, attempt.common]);
      return next(attempt);
    };
    return (attempt) => {
      const resolved = resolveInput(attempt.args);
      return resolved instanceof Promise
        ? resolved.then((outcome) => settle(outcome, attempt))
        : settle(resolved, attempt);
    };
  };

/** Compiles the function that validates and hydrates the arguments of one action. */
export function compileInput(contracts: InputContracts, options: InputOptions): ResolveInput {
  const { common, own, owners } = contracts;
  const { argumentNodes = MAX_ARGUMENT_NODES } = options;
  const joined = compileJoinedInput(contracts, options);
  const isSole = own !== undefined && common.length === 0;
  const resolve = isSole ? compileSole(own, owners, options.discriminator, joined) : joined;
  const resolveTwice: ResolveInput = (args) =>
    thenMaybe(resolve(args), (outcome) =>
      outcome.ok ? outcome : checkAsMeant(args, outcome, resolve, argumentNodes),
    );
  return silenceMisplaced(resolveTwice, contracts, options);
}

/**
 * Most actions have one contract, and most calls contain only its fields and the discriminator. Then there is nothing
 * to split or join.
 */
function compileSole(
  contract: Contract,
  owners: InputContracts['owners'],
  discriminator: string | undefined,
  resolve: ResolveInput,
): ResolveInput {
  return (args) => {
    // A copy: changes that the caller makes while a check waits must not affect this call
    const part: Record<string, unknown> = {};
    for (const name of Object.keys(args)) {
      if (owners.has(name) && name !== '__proto__') part[name] = args[name];
      else if (name !== discriminator) return resolve(args);
    }
    const outcome = contract.check(part);
    return outcome instanceof Promise ? outcome.then(soleInput) : soleInput(outcome);
  };
}

function soleInput(outcome: CheckOutcome<object>): ResolvedInputOutcome {
  const { failure } = outcome;
  return outcome.ok
    ? { ok: true, value: { input: outcome.value, common: NONE }, failure }
    : { ok: false, issues: boundIssues(outcome.issues), failure };
}

/** A rule that throws rejects the value; a check of ours that throws was repeated another way. Both are logged. */
function logCheckFailure({ error, by }: CheckFailure, { place, logger }: Attempt): void {
  const { kind, tool = kind, name } = place;
  const isOurs = by === 'framework';
  const what = isOurs
    ? 'the compiled check failed, and class-validator decided in its place'
    : 'a rule failed, so the input was refused';
  const message = `Checking the input of ${tool}/${name}: ${what}: ${boundMessage(thrownMessage(error))}`;
  logger.log({ level: isOurs ? 'warning' : 'debug', event: 'call.check-failed', message, error });
}

/** Opens a scope for request-scoped providers, and closes it when the result is there. */
export const compileScope: CompileStage = (_callable, { perCall, resolver }) => {
  if (perCall.length === 0) return undefined;
  return (next) => async (attempt) => {
    const scope = await resolver.open(perCall, attempt.context as ToolContext);
    attempt.scope = scope;
    try {
      return await next(attempt);
    } finally {
      await closeScope(scope, attempt);
    }
  };
};

/** A failing disposal must not suppress the answer. */
async function closeScope(scope: CallScope, { place, logger }: Attempt): Promise<void> {
  await scope.close().catch((error: unknown) => {
    const message = `Disposing the request scope of ${place.name} failed`;
    logger.log({ level: 'error', event: 'scope.dispose-failed', message, error });
  });
}

/** Converts the value that the middleware returns to the result. */
export const compileConversion: CompileStage = () => (next) => (attempt) => {
  const value = next(attempt);
  return value instanceof Promise
    ? value.then((settled) => attempt.convert(settled))
    : attempt.convert(value);
};

/** Calls a handler with its arguments. Errors of user code propagate. */
export type Handler = (given: HandlerArguments) => MaybePromise<unknown>;

/**
 * Compiles the innermost step of a call: the handler with a fixed plan of arguments.
 * @param common the common schemas of the call, in the order of `HandlerArguments.common`
 */
export function compileHandler(
  handler: ScannedHandler,
  common: readonly SchemaSource[],
  resolver: InstanceResolver,
): Handler {
  if (handler.kind === 'method') {
    const plan = handler.parameters.map((parameter) => readArgument(parameter, common, resolver));
    return methodHandler(handler, plan, resolver);
  }
  const { run } = handler;
  return ({ input, context }) => settleGenerator(run(input as never, context as never), context);
}

type ReadArgument = (given: HandlerArguments) => unknown;
type Method = (...args: unknown[]) => unknown;

function methodHandler(
  { controller, member }: Extract<ScannedHandler, { kind: 'method' }>,
  plan: readonly ReadArgument[],
  resolver: InstanceResolver,
): Handler {
  const instanceOf = readInstance(controller, resolver);
  return (given) => {
    const instance = instanceOf(given) as Record<PropertyKey, Method>;
    return settleGenerator(callMethod(instance[member] as Method, instance, plan, given), given.context);
  };
}

/** Most handlers take their input and perhaps the context; they are called without building a list of arguments. */
function callMethod(
  method: Method,
  instance: object,
  plan: readonly ReadArgument[],
  given: HandlerArguments,
): unknown {
  const [first, second] = plan;
  if (first === undefined) return method.call(instance);
  if (second === undefined) return method.call(instance, first(given));
  if (plan.length === 2) return method.call(instance, first(given), second(given));
  return method.apply(
    instance,
    plan.map((read) => read(given)),
  );
}

function readArgument(
  parameter: ScannedParameter,
  common: readonly SchemaSource[],
  resolver: InstanceResolver,
): ReadArgument {
  switch (parameter.kind) {
    case 'input':
      return ({ input }) => input;
    case 'context':
      return ({ context }) => context;
    case 'common': {
      const index = common.indexOf(parameter.source);
      return (given) => given.common[index];
    }
    case 'provider':
      return parameter.key === undefined ? () => undefined : readInstance(parameter.key, resolver);
  }
}

/** Reads an instance from the call's scope, a new transient, or a singleton that is known before any call. */
export function readInstance(
  key: ProviderKey,
  resolver: InstanceResolver,
): (given: Pick<HandlerArguments, 'scope'>) => unknown {
  if (resolver.isPerCall(key)) return ({ scope }) => scope?.get(key);
  if (resolver.isAskedPerCall(key)) return () => resolver.get(key);
  const instance = resolver.get(key);
  return () => instance;
}

/**
 * The value of a handler; for a generator, the value that it returns.
 * Other iterables are data. A promise may resolve to a generator if an async method calls a generator method.
 */
export function settleGenerator(value: unknown, context: unknown): MaybePromise<unknown> {
  if (value instanceof Promise) {
    return value.then((settled: unknown) =>
      isGenerator(settled) ? driveGenerator(settled, context) : settled,
    );
  }
  return isGenerator(value) ? driveGenerator(value, context) : toMaybePromise(value);
}

/** By its shape, because generators that were compiled for an older target are plain objects. */
function isGenerator(value: unknown): value is AnyGenerator {
  if (typeof value !== 'object' || value === null || !('next' in value)) return false;
  const { next, return: end, throw: fail } = value as Partial<AnyGenerator>;
  if (typeof next !== 'function' || typeof end !== 'function' || typeof fail !== 'function') return false;
  return Symbol.asyncIterator in value || Symbol.iterator in value;
}

type AnyGenerator = Generator | AsyncGenerator;

/** Reports yielded values and returns the final value; when the call is cancelled, runs the finally blocks. */
async function driveGenerator(generator: AnyGenerator, context: unknown): Promise<unknown> {
  // Plain handlers may have any context, or none
  const { signal, progress } = (context ?? {}) as { readonly signal?: unknown; readonly progress?: unknown };
  const report = reporter(context, progress);
  try {
    for (;;) {
      refuseCancelled(signal);
      const step = await generator.next();
      if (step.done === true) return await (step.value as unknown);
      refuseCancelled(signal);
      await report(step.value);
    }
  } catch (error) {
    // a generator that has thrown is already finished; for it, this does nothing
    await runFinally(generator);
    throw error;
  }
}

interface ProgressReport {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** A finally block may yield and still has to run to its end. */
async function runFinally(generator: AnyGenerator): Promise<void> {
  let step = await generator.return(undefined);
  while (step.done !== true) step = await generator.next();
}

function refuseCancelled(signal: unknown): void {
  if (signal instanceof AbortSignal && signal.aborted) throw cancelledError(signal);
}

/** A yielded text increases the last progress, because progress has to increase with each notification. */
function reporter(context: unknown, progress: unknown): (value: unknown) => Promise<void> {
  let last = 0;
  return async (value) => {
    const report = readReport(value, last);
    if (report === undefined) return;
    last = Math.max(last, report.progress);
    if (typeof progress !== 'function') return;
    await progress.call(context, report.progress, report.total, report.message);
  };
}

function readReport(value: unknown, last: number): ProgressReport | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number') return { progress: value };
  if (typeof value === 'string') return { progress: Math.floor(last) + 1, message: value };
  if (isObject(value) && typeof value['progress'] === 'number') return value as unknown as ProgressReport;
  throw new TypeError(
    `A handler yields its progress: a number, a text, or { progress, total, message }; it yielded ${describeReceived(value)}`,
  );
}
