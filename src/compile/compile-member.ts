import type { CompletionContext } from '../call/completion.ts';
import type { ToolContext } from '../call/tool-context.ts';
import type { InstanceResolver } from '../container/instance-resolver.ts';
import type { ScannedHandler } from '../scanner/scanned-callable.ts';
import type { ScannedCompletion } from '../scanner/scanned-prompt.ts';
import { perCallKeys } from './compile-chain.ts';
import { compileHandler } from './compile-handler.ts';
import type { CompiledHandler } from './handler-call.ts';

type Method = Extract<ScannedHandler, { kind: 'method' }>;

/** What a completing method is run with. */
export interface CompletionInput {
  readonly value: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** The methods that complete arguments, by the argument. Their input is a {@link CompletionInput}. */
export type Completers = ReadonlyMap<string, CompiledHandler>;

/** Compiles the completing methods of a prompt or template. */
export function compileCompleters(
  completions: readonly ScannedCompletion[],
  resolver: InstanceResolver,
): Completers {
  return new Map(completions.map(({ argument, handler }) => [argument, compileCompleter(handler, resolver)]));
}

/** Compiles the method that lists the resources of a template. */
export function compileList(method: Method, resolver: InstanceResolver): CompiledHandler {
  return member(method, resolver);
}

function compileCompleter(method: Method, resolver: InstanceResolver): CompiledHandler {
  const compiled = member({ ...method, parameters: [{ kind: 'input' }, { kind: 'context' }] }, resolver);
  return Object.freeze({
    ...compiled,
    invoke: (call) => {
      const { value, arguments: resolved } = call.input as CompletionInput;
      const context: CompletionContext = Object.freeze({
        arguments: resolved,
        call: call.context as ToolContext,
      });
      return compiled.invoke({ ...call, input: value, context });
    },
  } satisfies CompiledHandler);
}

/** A method that no middleware stands around, and whose input comes from the framework. */
function member(handler: Method, resolver: InstanceResolver): CompiledHandler {
  return Object.freeze({
    looseFields: Object.freeze([]),
    warnings: Object.freeze([]),
    perCall: perCallKeys({ handler, middleware: [] }, resolver),
    resolveInput: (input) => ({ ok: true, value: { input, common: [] } }),
    invoke: compileHandler(handler, [], resolver),
    metadata: () => undefined,
    resolver,
  } satisfies CompiledHandler);
}
