import type { CompletionContext, ToolContext } from '../../call/tool-context.ts';
import type {
  MethodHandler,
  ScannedCallable,
  ScannedCompletion,
} from '../../scanner/members/scanned-callable.ts';
import type { InputContracts } from '../contracts/input-contracts.ts';
import { compileSensitiveCompletion } from '../contracts/sensitive-arguments.ts';
import type { HandlerArguments } from '../../kernel/call/attempt.ts';
import type { ResolveInput } from '../../kernel/call/compiled-callable.ts';
import {
  compileAttempt,
  NO_NEEDS,
  type CompiledHandler,
  type StagedCallable,
} from '../../kernel/call/stage.ts';
import { compileHandler, type Handler } from './attempt.ts';
import { perCallKeys, surround, type Binding } from './compile-callable.ts';

/** The input of a completing method. */
export type CompletionInput = Readonly<{ value: string; arguments: Readonly<Record<string, string>> }>;

/** The completing methods by argument. Their input is a {@link CompletionInput}. */
export type Completers = ReadonlyMap<string, CompiledHandler>;

/** A prompt or resource. */
type Owner = StagedCallable & Pick<ScannedCallable, 'slots'>;

/** Compiles the completing methods of a prompt or template. @param contracts of the arguments that they complete */
export function compileCompleters(
  owner: Owner & { readonly completions: readonly ScannedCompletion[] },
  contracts: InputContracts,
  binding: Binding,
): Completers {
  return new Map(
    owner.completions.map(({ argument, requirements, handler }) => {
      const sensitive = compileSensitiveCompletion(contracts, argument, binding.sensitiveNames);
      return [argument, { ...compileCompleter({ ...owner, requirements }, handler, binding), sensitive }];
    }),
  );
}

/** Compiles the method that lists the resources of a template, or the prompts of a family. */
export function compileList(owner: Owner, method: MethodHandler, binding: Binding): CompiledHandler {
  return member(owner, method, compileHandler(method, [], binding.resolver), binding);
}

function compileCompleter(owner: Owner, method: MethodHandler, binding: Binding): CompiledHandler {
  const handler = { ...method, parameters: [{ kind: 'input' }, { kind: 'context' }] } as const;
  const complete = compileHandler(handler, [], binding.resolver);
  return member(owner, handler, (call) => complete(completingCall(call)), binding);
}

/** The method gets the text and a {@link CompletionContext}; middleware around it sees the call as any other. */
function completingCall({ input, context, common, scope }: HandlerArguments): HandlerArguments {
  const { value, arguments: resolved } = input as CompletionInput;
  const completing: CompletionContext = Object.freeze({
    arguments: resolved,
    call: context as ToolContext,
  });
  return { input: value, context: completing, common, scope };
}

const takeInput: ResolveInput = (input) => ({ ok: true, value: { input, common: [] } });

/** A method whose input comes from the framework, within the middleware of its owner. */
function member(owner: Owner, method: MethodHandler, handler: Handler, binding: Binding): CompiledHandler {
  const { resolver, stages } = binding;
  const parts = {
    sensitive: undefined,
    perCall: perCallKeys({ handler: method, middleware: owner.middleware }, resolver),
    resolveInput: takeInput,
    bound: owner.slots,
    resolver,
  };
  const innermost = surround(owner, handler, binding);
  return Object.freeze({
    requirements: owner.requirements,
    looseFields: Object.freeze([]),
    explain: () => [],
    warnings: Object.freeze([]),
    ...parts,
    attempt: compileAttempt(owner, { ...parts, needs: NO_NEEDS }, innermost, stages),
  } satisfies CompiledHandler);
}
