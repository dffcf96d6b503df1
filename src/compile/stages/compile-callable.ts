import type { CompletionContext, ToolContext } from '../../call/tool-context.ts';
import type { InstanceResolver } from '../../container/instance-resolver.ts';
import type {
  ScannedCallable,
  ScannedCompletion,
  ScannedHandler,
} from '../../scanner/members/scanned-callable.ts';
import type { SchemaSource } from '../../shared/schema-source.ts';
import { allContracts, explainContracts, type InputContracts } from '../contracts/input-contracts.ts';
import { compileHandler, compileInput } from './attempt.ts';
import { compileChain, perCallKeys, surround } from './compile-chain.ts';
import type { CompiledHandler, Handler, HandlerArguments, ResolveInput } from './handler-call.ts';
import { compileAttempt, type AttemptStages } from './stages.ts';

export interface CallableParts {
  readonly contracts: InputContracts;
  /** The common schemas, outermost first. */
  readonly common: readonly SchemaSource[];
  /** The argument that names the action; undefined where there is none. */
  readonly discriminator: string | undefined;
  /** The fields of all actions of the tool that the caller sees. */
  readonly toolFields?: ReadonlySet<string>;
  /** Makes of the arguments, as they come, what the check takes. */
  readonly read?: (resolve: ResolveInput) => ResolveInput;
}

/** What is bound to what is prepared: instances, and the stages of every call. */
export interface Binding {
  readonly resolver: InstanceResolver;
  readonly stages: AttemptStages;
}

/** Compiles what actions, prompts and resources have in common: input, chain and stages, each once. */
export function compileCallable(
  callable: ScannedCallable,
  { contracts, common, read = asItIs, ...place }: CallableParts,
  { resolver, stages }: Binding,
): CompiledHandler {
  const all = allContracts(contracts);
  const handler = {
    perCall: perCallKeys(callable, resolver),
    resolveInput: read(compileInput(contracts, { ...place, unknownFields: callable.unknownFields })),
    resolver,
  };
  const innermost = compileChain(callable, common, resolver);
  return {
    looseFields: Object.freeze(all.flatMap((contract) => contract.looseFields)),
    warnings: Object.freeze(all.flatMap((contract) => contract.warnings)),
    explain: () => explainContracts(contracts),
    ...handler,
    attempt: compileAttempt(callable, handler, innermost, stages),
  };
}

function asItIs(resolve: ResolveInput): ResolveInput {
  return resolve;
}

type Method = Extract<ScannedHandler, { kind: 'method' }>;

/** What a completing method is run with. */
export interface CompletionInput {
  readonly value: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** The methods that complete arguments, by the argument. Their input is a {@link CompletionInput}. */
export type Completers = ReadonlyMap<string, CompiledHandler>;

/** What a completing or listing method belongs to: the same middleware guards it, and it has as much time. */
type Owner = Pick<ScannedCallable, 'middleware' | 'metadata' | 'timeout'>;

/** Compiles the completing methods of a prompt or template. */
export function compileCompleters(
  owner: Owner & { readonly completions: readonly ScannedCompletion[] },
  binding: Binding,
): Completers {
  return new Map(
    owner.completions.map(({ argument, handler }) => [argument, compileCompleter(owner, handler, binding)]),
  );
}

/** Compiles the method that lists the resources of a template, or the prompts of a family. */
export function compileList(owner: Owner, method: Method, binding: Binding): CompiledHandler {
  return member(owner, method, compileHandler(method, [], binding.resolver), binding);
}

function compileCompleter(owner: Owner, method: Method, binding: Binding): CompiledHandler {
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
function member(
  owner: Owner,
  method: Method,
  handler: Handler,
  { resolver, stages }: Binding,
): CompiledHandler {
  const { middleware } = owner;
  const parts = {
    perCall: perCallKeys({ handler: method, middleware }, resolver),
    resolveInput: takeInput,
    resolver,
  };
  const innermost = surround(owner, handler, resolver);
  return Object.freeze({
    looseFields: Object.freeze([]),
    explain: () => [],
    warnings: Object.freeze([]),
    ...parts,
    attempt: compileAttempt(owner, parts, innermost, stages),
  } satisfies CompiledHandler);
}
