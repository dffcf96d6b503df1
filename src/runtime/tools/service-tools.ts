import { failureResult } from '../../call/result-helpers.ts';
import type {
  CallToolResult,
  ContentBlock,
  GetPromptResult,
  ReadResourceResult,
} from '../../call/results.ts';
import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import type { FittingSurface, SurfaceSettings } from '../../compile/surfaces/surface.ts';
import { Call, NO_ARGUMENTS, type Handle, type Route } from '../../kernel/call/call.ts';
import { resultOf, type Outcome } from '../../kernel/call/outcome.ts';
import { deepFreeze } from '../../shared/deep-freeze.ts';
import { isObject, type PlainObject } from '../../shared/json.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import { answerFault } from '../protocol-failures.ts';
import { compileRoute, type RouteSettings } from '../route.ts';
import type { Methods, ServiceParts } from '../service-parts.ts';
import { describeGetPrompt, describeReadResource, GET_PROMPT, READ_RESOURCE } from './primitive-tools.ts';

/** Answers a call by its arguments. */
type Answer = (args: PlainObject, call: Call) => MaybePromise<Outcome>;

/** A tool of the service itself, which belongs to no group. */
interface ServiceTool {
  readonly name: string;
  /** As the caller of a list sees it; undefined where it is not for this caller. */
  readonly describe: (call: Call, fit: FittingSurface | undefined) => ToolDefinition | undefined;
  readonly answer: Answer;
}

/** Tools for clients that do not read resources or prompts, beside the tools of an application. */
export class ServiceTools {
  readonly #tools: readonly ServiceTool[];
  readonly #lists = new WeakMap<readonly object[], Map<string, readonly ToolDefinition[]>>();

  constructor(
    parts: ServiceParts,
    settings: Pick<RouteSettings, 'features' | 'states'>,
    surfaces: SurfaceSettings,
  ) {
    const { asTools, fitting } = surfaces;
    const isListed = (said: boolean | 'auto', reads: boolean | undefined): boolean =>
      said === 'auto' ? reads === false : said;
    const ownTools = settings.features.flatMap(
      (feature) => feature.tools?.(settings.states[feature.name] as never) ?? [],
    );
    this.#tools = [
      {
        name: READ_RESOURCE,
        describe: (call, fit) =>
          parts.resources !== undefined && isListed(asTools.resources, fit?.readsResources)
            ? describeReadResource(parts.resources, call.authority?.verdicts)
            : undefined,
        answer: ({ uri }, call) => this.#read(call, 'resources/read', { uri }),
      },
      {
        name: GET_PROMPT,
        describe: (call, fit) =>
          parts.prompts !== undefined && isListed(asTools.prompts, fit?.readsPrompts)
            ? describeGetPrompt(parts.prompts, call.authority?.verdicts)
            : undefined,
        answer: ({ name, arguments: given }, call) =>
          this.#read(call, 'prompts/get', { name, arguments: given }),
      },
      ...ownTools.map(({ definition, answer }) => ({
        name: definition.name,
        describe: (call: Call, fit: FittingSurface | undefined) => {
          const isShown =
            fitting === undefined
              ? asTools.resources === true
              : isOnFittedSurface(call) && fit?.readsResources !== true;
          return isShown ? definition : undefined;
        },
        answer: (args: PlainObject, call: Call) =>
          thenMaybe(answer(args, call), (result) => resultOf(result)),
      })),
    ];
  }

  #methods: Methods = {};
  #settings: RouteSettings | undefined;

  /** The same methods, of which `tools/call` calls these tools as well. A tool of the application with one of their names wins. */
  around(methods: Methods, { tools }: ServiceParts, settings: RouteSettings): Methods {
    const callTool = methods['tools/call'];
    if (callTool === undefined) return methods;
    this.#methods = methods;
    this.#settings = settings;
    const routes = new Map(this.#tools.map((tool) => [tool.name as unknown, this.#route(tool, settings)]));
    const isTaken = (name: unknown): boolean =>
      tools?.everyTool?.().some((tool) => tool.name === name) === true;
    const call: Handle = (called) => {
      const { name, arguments: given } = called.params;
      const route = routes.get(name);
      if (route === undefined || isTaken(name)) return callTool(called);
      called.args = isObject(given) ? given : NO_ARGUMENTS;
      return called.follow(route);
    };
    return { ...methods, 'tools/call': call };
  }

  /** A list with those of these tools that its client needs; the same array for the same ones. */
  listFor(
    list: readonly ToolDefinition[],
    call: Call,
    fit: FittingSurface | undefined,
  ): readonly ToolDefinition[] {
    const names = new Set(list.map(({ name }) => name));
    const added = this.#tools.flatMap((tool) => {
      const definition = names.has(tool.name) ? undefined : tool.describe(call, fit);
      return definition === undefined ? [] : [definition];
    });
    if (added.length === 0) return list;
    const known = this.#lists.get(list) ?? new Map<string, readonly ToolDefinition[]>();
    this.#lists.set(list, known);
    // What a caller sees of resources may change while the tools stay
    const key = JSON.stringify(added);
    const whole = known.get(key) ?? Object.freeze([...list, ...added.map((tool) => deepFreeze(tool))]);
    known.set(key, whole);
    return whole;
  }

  #route({ name, answer }: ServiceTool, settings: RouteSettings): Route {
    const target = { kind: 'method', method: 'tools/call', name, handler: undefined } as const;
    return compileRoute(target, settings, (call) => answer(call.args, call));
  }

  /** Answers by another method of the service, which checks the caller and runs all that belongs to it. */
  #read(call: Call, method: 'resources/read' | 'prompts/get', params: PlainObject): MaybePromise<Outcome> {
    const { context, cancellation, served } = call.origin;
    const settings = this.#settings as RouteSettings;
    const inner = new Call({ method, params, context, cancellation, served });
    inner.states = call.states;
    inner.localCaller = call.localCaller;
    const failed = (thrown: unknown): Outcome => answerFault(inner, thrown, settings);
    let work: MaybePromise<Outcome>;
    try {
      work = this.#methods[method]?.(inner) ?? failed(undefined);
    } catch (thrown) {
      work = failed(thrown);
    }
    return thenMaybe(inner.replyWith(work, failed), toToolOutcome);
  }
}

/** Whether a client is listed what fits it, and not what groups say or what it chose. */
function isOnFittedSurface({ surface, context }: Call): boolean {
  return context.surface === undefined && surface !== 'own';
}

/** What a method gave, as the result of a tool. Questions, and refusals with a status, stay as they are. */
function toToolOutcome(outcome: Outcome): Outcome {
  if (outcome.kind === 'failure') {
    const { error, challenge } = outcome;
    if (challenge !== undefined) return outcome;
    const { code = 'NOT_FOUND' } = error.data ?? {};
    return resultOf(failureResult({ code: String(code), message: error.message }));
  }
  if (outcome.kind !== 'result') return outcome;
  const value = outcome.value as Partial<ReadResourceResult & GetPromptResult>;
  if (value.contents !== undefined) return resultOf({ content: value.contents.map(toBlock) });
  return value.messages === undefined ? outcome : resultOf(toMessages(value.messages));
}

function toBlock(resource: ReadResourceResult['contents'][number]): ContentBlock {
  const { text, blob, mimeType = '' } = resource;
  if (text !== undefined) return { type: 'text', text };
  const kind = mimeType.split('/')[0];
  return blob !== undefined && (kind === 'image' || kind === 'audio')
    ? { type: kind, data: blob, mimeType }
    : { type: 'resource', resource };
}

function toMessages(messages: GetPromptResult['messages']): CallToolResult {
  const isOne = messages.length === 1 && messages[0]?.role === 'user';
  return {
    content: messages.map(({ role, content }) =>
      content.type === 'text' && !isOne ? { ...content, text: `${role}: ${content.text}` } : content,
    ),
  };
}
