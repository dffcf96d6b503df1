import { describeReceived, type CheckOutcome } from '../../call/issue.ts';
import { plainData } from '../../call/handler-value.ts';
import type { Completion } from '../../call/results.ts';
import type { CompletionInput } from '../../compile/stages/compile-members.ts';
import type { CompiledPrompt } from '../../compile/primitives/compile-prompt.ts';
import type { CompiledResource, CompiledTemplate } from '../../compile/primitives/compile-resource.ts';
import type { CompiledHandler } from '../../kernel/call/stage.ts';
import type { Call, Route } from '../../kernel/call/call.ts';
import { findPrompt, promptIndex } from './prompts.ts';
import type { CompletionService, Methods } from '../routes/service-parts.ts';
import { objectOf, stringOf, stringsOf, wrongParam } from '../../kernel/call/request-params.ts';
import { resultOf } from '../../kernel/call/outcome.ts';
import { unknownName } from '../failures/protocol-failures.ts';
import { compileMiss, compileRoute, enterRoute, type RouteSettings } from '../routes/route.ts';
import { runPrimitive, type ServiceOptions, verdictsOf, visibleItems } from './primitives.ts';
import { thenMaybe } from '../../shared/maybe-promise.ts';
import type { Verdicts } from '../requirements/verdicts.ts';

/** The spec's limit (server/utilities/completion, Completion Results). */
const MOST_VALUES = 100;

/** What can be completed, by kind of reference. */
export interface CompletionSources {
  readonly prompts: () => readonly CompiledPrompt[];
  readonly resources: () => readonly CompiledResource[];
}

/** What an argument belongs to (spec: server/utilities/completion, Reference Types). */
export type CompletionReference =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string };

/** The prompts and resources with arguments to complete. */
type Completed = CompiledPrompt | CompiledTemplate;

/** The completions of an application. */
export function createCompletionService(
  { prompts, resources }: CompletionSources,
  options: ServiceOptions,
): CompletionService {
  const visiblePrompts = visibleItems(prompts, options.filter, promptIndex);
  const visibleTemplates = visibleItems(resources, options.filter, byTemplate);
  const find = (reference: CompletionReference, verdicts: Verdicts | undefined): Completed =>
    reference.type === 'ref/prompt'
      ? findPrompt(visiblePrompts(verdicts), reference.name).prompt
      : pick('resource template', reference.uri, visibleTemplates(verdicts));

  const methods = (settings: RouteSettings): Methods => {
    const routesOf = (items: readonly (CompiledPrompt | CompiledResource)[]): CompleterRoutes =>
      compileCompleters(items, settings, options);
    const [ofPrompts, ofResources] = [
      visibleItems(prompts, options.filter, routesOf),
      visibleItems(resources, options.filter, routesOf),
    ];
    ofPrompts();
    ofResources();
    const nothing = compileRoute(targetOf(undefined, undefined), settings, () =>
      resultOf({ completion: completionOf([]) }),
    );
    const findRoute = (call: Call, verdicts: Verdicts | undefined): Route => {
      const { reference, argument, input } = readCompletion(call, options.argumentNodes);
      const completer = find(reference, verdicts).completers.get(argument);
      if (completer === undefined || verdicts?.admits(completer.requirements) === false) return nothing;
      call.args = { ...input };
      const routes = reference.type === 'ref/prompt' ? ofPrompts() : ofResources();
      return routes.get(completer) ?? nothing;
    };
    const miss = compileMiss('completion/complete', settings);
    return {
      'completion/complete': (call) =>
        thenMaybe(verdictsOf(call, settings), (verdicts) =>
          enterRoute(call, () => findRoute(call, verdicts), miss),
        ),
    };
  };
  return Object.freeze({ methods });
}

type CompleterRoutes = ReadonlyMap<CompiledHandler, Route>;

function compileCompleters(
  items: readonly (CompiledPrompt | CompiledResource)[],
  settings: RouteSettings,
  options: ServiceOptions,
): CompleterRoutes {
  const routes = new Map<CompiledHandler, Route>();
  for (const item of items) {
    if (!('completers' in item)) continue;
    const { name } = item;
    const kind = 'template' in item ? 'resource' : 'prompt';
    for (const completer of item.completers.values()) {
      const route = compileRoute(targetOf(name, completer), settings, async (call) => {
        const run = { kind, name, args: call.args, call, convert } as const;
        return resultOf({ completion: await runPrimitive(completer, run, options) });
      });
      routes.set(completer, route);
    }
  }
  return routes;
}

function targetOf(name: string | undefined, handler: CompiledHandler | undefined): Route['target'] {
  return Object.freeze({ kind: 'completion', method: 'completion/complete', name, handler });
}

/** The argument that a request wants completed. */
export interface CompletionQuery {
  readonly reference: CompletionReference;
  /** The name of the argument. */
  readonly argument: string;
  readonly input: CompletionInput;
}

/** @throws ProtocolError that names the parameter */
export function readCompletion({ params }: Call, maxValues: number): CompletionQuery {
  const argument = objectOf(params['argument'], 'argument');
  const context = params['context'] === undefined ? {} : objectOf(params['context'], 'context');
  const reference = referenceOf(params['ref']);
  const name = stringOf(argument['name'], 'argument.name');
  const value = stringOf(argument['value'], 'argument.value');
  const resolved = stringsOf(context['arguments'], 'context.arguments', maxValues);
  return { reference, argument: name, input: { value, arguments: Object.freeze({ ...resolved }) } };
}

function referenceOf(ref: unknown): CompletionReference {
  const { type, name, uri } = objectOf(ref, 'ref');
  if (type === 'ref/prompt') return { type, name: stringOf(name, 'ref.name') };
  if (type === 'ref/resource') return { type, uri: stringOf(uri, 'ref.uri') };
  throw wrongParam('ref.type', '"ref/prompt" or "ref/resource"', type);
}

function byTemplate(items: readonly CompiledResource[]): ReadonlyMap<string, CompiledTemplate> {
  const templates = items.filter((item) => item.kind === 'template');
  return new Map(templates.map((resource) => [resource.template.text, resource]));
}

function pick<Item>(kind: string, name: string, items: ReadonlyMap<string, Item>): Item {
  const found = items.get(name);
  if (found === undefined) throw unknownName(kind, name, [...items.keys()]);
  return found;
}

function convert(value: unknown): CheckOutcome<Completion> {
  if (value === undefined || value === null) return { ok: true, value: completionOf([]) };
  if (Array.isArray(plainData(value))) return { ok: true, value: completionOf(value as readonly unknown[]) };
  const message = 'a completing method gives an array of strings';
  return { ok: false, issues: [{ path: '', message, received: describeReceived(value) }] };
}

function completionOf(found: readonly unknown[]): Completion {
  const all = found.filter((value) => typeof value === 'string');
  return { values: all.slice(0, MOST_VALUES), total: all.length, hasMore: all.length > MOST_VALUES };
}
