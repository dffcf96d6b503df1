import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedHandler, ScannedParameter } from '../scanner/members/scanned-callable.ts';
import type { ProviderKey } from '../scanner/providers/scanned-provider.ts';
import type { SchemaSource } from '../shared/schema-source.ts';
import { settleGenerator } from './drive-generator.ts';
import type { HandlerCall } from './handler-call.ts';

type ReadArgument = (call: HandlerCall) => unknown;
type Handler = (call: HandlerCall) => unknown;

/**
 * Compiles the innermost step of a call: the handler with a fixed plan of arguments.
 * @param common the common schemas of the call, in the order of `HandlerCall.common`
 */
export function compileHandler(
  handler: ScannedHandler,
  common: readonly SchemaSource[],
  resolver: InstanceResolver,
): Handler {
  if (handler.kind === 'function') return functionHandler(handler.run);
  const plan = handler.parameters.map((parameter) => readArgument(parameter, common, resolver));
  return methodHandler(handler, plan, resolver);
}

function functionHandler(run: (input: never, context: never) => unknown): Handler {
  return (call) => settleGenerator(run(call.input as never, call.context as never), call.context);
}

function methodHandler(
  { controller, member }: Extract<ScannedHandler, { kind: 'method' }>,
  plan: readonly ReadArgument[],
  resolver: InstanceResolver,
): Handler {
  const instanceOf = readInstance(controller, resolver);
  return (call) => {
    const instance = instanceOf(call) as Record<PropertyKey, (...args: unknown[]) => unknown>;
    const method = instance[member] as (...args: unknown[]) => unknown;
    return settleGenerator(callMethod(method, instance, plan, call), call.context);
  };
}

/** Most handlers take their input and perhaps the context; for those no list of arguments is made. */
function callMethod(
  method: (...args: unknown[]) => unknown,
  instance: object,
  plan: readonly ReadArgument[],
  call: HandlerCall,
): unknown {
  const [first, second] = plan;
  if (first === undefined) return method.call(instance);
  if (second === undefined) return method.call(instance, first(call));
  if (plan.length === 2) return method.call(instance, first(call), second(call));
  return method.apply(
    instance,
    plan.map((read) => read(call)),
  );
}

function readArgument(
  parameter: ScannedParameter,
  common: readonly SchemaSource[],
  resolver: InstanceResolver,
): ReadArgument {
  switch (parameter.kind) {
    case 'input':
      return (call) => call.input;
    case 'context':
      return (call) => call.context;
    case 'common': {
      const index = common.indexOf(parameter.source);
      return (call) => call.common[index];
    }
    case 'provider':
      return parameter.key === undefined ? () => undefined : readInstance(parameter.key, resolver);
  }
}

/** Reads an instance from the call's scope, a new transient, or a singleton that is known before any call. */
export function readInstance(key: ProviderKey, resolver: InstanceResolver): ReadArgument {
  if (resolver.isPerCall(key)) return (call) => call.scope?.get(key);
  if (resolver.isTransient(key)) return () => resolver.get(key);
  const instance = resolver.get(key);
  return () => instance;
}
