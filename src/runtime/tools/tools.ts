import type { Logger } from '../../call/logger.ts';
import type { Issue } from '../../call/issue.ts';
import type { CallToolResult } from '../../call/results.ts';
import { ProtocolError } from '../../call/protocol-error.ts';
import type { AuthInfo } from '../../call/request-context.ts';
import { VERSIONS_META_KEY } from '../../call/action-options.ts';
import type { ActionDefinition, CompiledTool, ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import { Attempt, type CallPlace } from '../../kernel/call/attempt.ts';
import { isThenable, thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import { hasMoreValues, isObject, type PlainObject } from '../../shared/json.ts';
import { NO_ARGUMENTS, type Call, type Handle } from '../../kernel/call/call.ts';
import {
  brokenCall,
  checkAction,
  cancelledResult,
  contextFailed,
  declaredError,
  failedCall,
  invalidInput,
  invalidOutput,
  explainAction,
  explainCall,
  namesAction,
  tooManyValues,
  type CarriedArguments,
} from './call-failures.ts';
import { type AnswerCarried, Catalogues } from './catalogue.ts';
import { loggerOfCall } from '../logging/log-records.ts';
import { secretsOf } from '../logging/call-secrets.ts';
import { addVersionMeta, resultOf, type Outcome } from '../../kernel/call/outcome.ts';
import { fitTools } from '../feature-states.ts';
import type { ListForm } from '../lists/lists.ts';
import { withRemoteEntries } from '../remote/remote-servers.ts';
import { compileMethod, compileMiss, type RouteSettings } from '../routes/route.ts';
import type { ToolService } from '../routes/service-parts.ts';
import {
  type ActionRoute,
  type OpenedAction,
  type RoutedTool,
  type RoutedTools,
  routeTools,
} from './routed-tools.ts';
import { withAuthority } from '../requirements/authorize.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import { chooseVersion, type ServedTools, type ToolView } from './tool-view.ts';

/** The tools of a registry, for the clients of one service. */
export function createToolService(served: ServedTools): ToolService {
  const { views, filter } = served;
  let router: ToolRouter | undefined;
  return Object.freeze({
    list: (verdicts?: Verdicts) => router?.listedTo(verdicts) ?? views.of(filter).definitions,
    listTo: (who?: AuthInfo, local?: boolean) => router?.listTo(who, local) ?? views.of(filter).definitions,
    methods: (settings: RouteSettings) => {
      const { list, call } = (router = new ToolRouter(served, settings));
      return { 'tools/list': compileMethod('tools/list', settings, list), 'tools/call': call };
    },
  });
}

type Authorized = (verdicts: Verdicts | undefined) => MaybePromise<Outcome>;

/** How a list of a router is answered. */
export type FormList = (list: readonly ToolDefinition[], call: Call) => ListForm;

/** Finds a tool that is not one of those of a router. */
export type FindForeign = (name: unknown, verdicts: Verdicts | undefined) => RoutedTool | undefined;

/** Finds what calls name, and enters the route of it. What is listed is what can be called. */
export class ToolRouter {
  readonly #served: ServedTools;
  readonly #settings: RouteSettings;
  readonly #miss: Handle;
  readonly #foreign: FindForeign | undefined;
  /** Undefined where all tools are listed. */
  #catalogues: Catalogues | undefined;
  readonly #form: FormList | undefined;
  #version: number | undefined;
  /** For callers who may see everything. */
  #tools: RoutedTools = new Map();
  #listed: readonly ToolDefinition[] = [];
  /** For all others. */
  readonly #pruned = new WeakMap<ToolView, RoutedTools>();

  constructor(served: ServedTools, settings: RouteSettings, foreign?: FindForeign, form?: FormList) {
    this.#served = served;
    this.#settings = settings;
    this.#foreign = foreign;
    this.#form = form;
    this.#miss = compileMiss('tools/call', settings);
    this.#compile();
  }

  readonly call: Handle = (call) => {
    this.#compile();
    if (!this.#settings.authorization.isNeeded) return this.#callOne(this.#tools, call, undefined);
    return this.#authorized(call, (verdicts) => this.#callOne(this.toolsFor(verdicts), call, verdicts));
  };

  /** All that callers with these verdicts can call. */
  toolsFor(verdicts: Verdicts | undefined): RoutedTools {
    this.#compile();
    return verdicts === undefined ? this.#tools : this.#seenBy(verdicts);
  }

  /** Goes on with what the caller may see. Where tools come in the meantime, their requirements are checked as well. */
  #authorized(call: Call, next: Authorized): MaybePromise<Outcome> {
    this.#compile();
    const { authorization } = this.#settings;
    if (!authorization.isNeeded) return next(undefined);
    const version = this.#version;
    return withAuthority(call, authorization, ({ verdicts }) =>
      version === this.#served.views.version ? next(verdicts) : this.#authorized(call, next),
    );
  }

  #callOne(tools: RoutedTools, call: Call, verdicts: Verdicts | undefined): MaybePromise<Outcome> {
    const { name, arguments: sent } = call.params;
    // Some clients send null where there are none
    const isNone = sent === undefined || (sent === null && !call.origin.served.isLocal);
    const given = isNone ? NO_ARGUMENTS : sent;
    const { argumentNodes } = this.#served;
    const routed = this.#find(tools, name, verdicts);
    if (routed === undefined || !isObject(given)) {
      call.namesNothing = routed === undefined;
      return this.#missed(call, () => explainCall(name, routed?.tool, given, [...tools.keys()]));
    }
    const { tool, open } = routed;
    if (open !== undefined) return this.#follow(call, given, open(given, call));
    const listed = findAction(routed, given);
    if (listed === undefined) {
      call.namesNothing = namesAction(tool, given);
      const isSmall = !hasMoreValues(given, argumentNodes);
      return this.#missed(call, () =>
        explainAction(tool, given, nameElsewhere(routed, given, tools), isSmall),
      );
    }
    if (hasMoreValues(given, argumentNodes)) {
      return this.#missed(call, () => tooManyValues(tool, listed.action, argumentNodes));
    }
    const asked = call.context.meta[VERSIONS_META_KEY];
    const isListed = tool.versions === undefined && asked === undefined;
    const route = isListed ? listed : findVersion(routed, listed, asked);
    if (!('plain' in route)) return this.#missed(call, () => resultOf(route));
    call.args = given;
    return call.follow(route);
  }

  /** Goes on with the action that a call carries the arguments of. */
  #follow(call: Call, given: PlainObject, opened: OpenedAction): MaybePromise<Outcome> {
    if ('answer' in opened) {
      call.namesNothing = opened.namesNothing;
      return this.#missed(call, opened.answer);
    }
    call.args = opened.args;
    call.carried = given;
    return call.follow(opened.route);
  }

  #find(tools: RoutedTools, name: unknown, verdicts: Verdicts | undefined): RoutedTool | undefined {
    return tools.get(name as string) ?? this.#foreign?.(name, verdicts);
  }

  #missed(call: Call, answer: () => MaybePromise<Outcome>): MaybePromise<Outcome> {
    call.answerMiss = answer;
    return this.#miss(call);
  }

  readonly list: Handle = (call) =>
    this.#authorized(call, (verdicts) => {
      const list = fitTools(this.listedTo(verdicts), call, this.#settings);
      const form = this.#form?.(list, call);
      const own = (form?.list ?? list) as readonly ToolDefinition[];
      return thenMaybe(withRemoteEntries('tools/list', own, call, this.#settings), (whole) =>
        this.#settings.lists.page('tools/list', whole, call, form),
      );
    });

  listTo(authInfo: AuthInfo | undefined, isLocal = false): MaybePromise<readonly ToolDefinition[]> {
    const { authorization } = this.#settings;
    this.#compile();
    if (!authorization.isNeeded) return this.#listed;
    const authority = authorization.check({ authInfo, isLocal });
    return thenMaybe(authority, ({ verdicts }) => this.listedTo(verdicts));
  }

  listedTo(verdicts?: Verdicts): readonly ToolDefinition[] {
    this.#compile();
    const { views, filter } = this.#served;
    return verdicts === undefined ? this.#listed : views.seenBy(verdicts, filter).definitions;
  }

  /** Before the first request after each change of the tools. */
  #compile(): void {
    const { views, filter } = this.#served;
    if (views.version === this.#version) return;
    this.#version = views.version;
    this.#tools = this.#routed(views.of(filter));
    this.#listed = views.of(filter).definitions;
  }

  #seenBy(verdicts: Verdicts): RoutedTools {
    const view = this.#served.views.seenBy(verdicts, this.#served.filter);
    if (!this.#pruned.has(view)) this.#settings.telemetry?.add('toolwright.views', 1);
    const routed = this.#pruned.get(view) ?? this.#routed(view);
    this.#pruned.set(view, routed);
    return routed;
  }

  #routed(view: ToolView): RoutedTools {
    const tools = routeTools(view, this.#settings, (tool, action) => this.#answer(tool, action));
    if (view.reached === undefined) return tools;
    this.#catalogues ??= new Catalogues(this.#served, this.#settings, this.#answer);
    return this.#catalogues.route(tools, view.reached);
  }

  readonly #answer: AnswerCarried = (tool, action, carried) =>
    answerAction({ tool, action, carried }, this.#served, this.#settings);
}

function findAction({ tool, only, byKey }: RoutedTool, args: PlainObject): ActionRoute | undefined {
  const { discriminator } = tool;
  if (discriminator === undefined) return only;
  return Object.hasOwn(args, discriminator) ? byKey.get(args[discriminator]) : undefined;
}

/** The name of another part of the same group, which has the action that a call names. */
function nameElsewhere({ tool }: RoutedTool, args: PlainObject, tools: RoutedTools): string | undefined {
  const key = args[tool.discriminator ?? ''];
  const other = [...tools.values()].find((each) => each.tool.name === tool.name && each.byKey.has(key));
  return other?.tool.discriminator === undefined ? undefined : other.tool.definition.name;
}

/** The version that a call asks for, or what is wrong with that. */
function findVersion(
  { tool, byAction }: RoutedTool,
  listed: ActionRoute,
  asked: unknown,
): ActionRoute | CallToolResult {
  const chosen = chooseVersion(tool, listed.action, asked);
  return 'content' in chosen ? chosen : (byAction.get(chosen) ?? listed);
}

/** Answers calls of one action, each with a context of its own. Whatever goes wrong is an outcome. */
function answerAction(
  { tool, action, carried }: Pick<ActionFacts, 'tool' | 'action' | 'carried'>,
  served: ServedTools,
  settings: RouteSettings,
): Handle {
  if (served.checksOnly === true) return checkAction(tool, action, carried);
  const { contextOf } = served;
  const facts = { tool, action, carried, served, settings, place: placeOf(tool, action) };
  const run = action.version === undefined && action.deprecated === undefined ? runAction : runVersion;
  return (call) => {
    if (call.isCancelled) return resultOf(cancelledResult(tool, action));
    if (contextOf === undefined) return run(facts, call, undefined);
    let context: unknown;
    try {
      context = contextOf(undefined, call);
    } catch (thrown) {
      return resultOf(contextFailed(call, thrown, served));
    }
    if (!isThenable(context)) return run(facts, call, context);
    return Promise.resolve(context).then(
      (made) => run(facts, call, made),
      (thrown: unknown) => resultOf(contextFailed(call, thrown, served)),
    );
  };
}

/** What is the same for each run of an action. */
interface ActionFacts {
  readonly tool: CompiledTool;
  readonly action: ActionDefinition;
  readonly carried: CarriedArguments | undefined;
  readonly place: CallPlace;
  readonly served: ServedTools;
  readonly settings: RouteSettings;
}

function placeOf({ name: tool }: CompiledTool, { key, version }: ActionDefinition): CallPlace {
  const named = { kind: 'action', tool, action: key, name: key } as const;
  return Object.freeze(version === undefined ? named : { ...named, version });
}

/** Says in the result which version ran. */
function runVersion(facts: ActionFacts, call: Call, context: unknown): MaybePromise<Outcome> {
  return thenMaybe(runAction(facts, call, context), (outcome) => addVersionMeta(outcome, facts.action));
}

function runAction(facts: ActionFacts, call: Call, context: unknown): MaybePromise<Outcome> {
  const attempt = new ActionAttempt(facts, call, context);
  try {
    const ended = facts.action.attempt(attempt) as MaybePromise<Outcome>;
    return ended instanceof Promise ? ended.catch((thrown: unknown) => attempt.fail(thrown)) : ended;
  } catch (thrown) {
    return attempt.fail(thrown);
  }
}

/** One run of an action, and the results that it may come to. */
class ActionAttempt extends Attempt {
  readonly #facts: ActionFacts;
  /** As it was made: a stage may replace the context of the handler. */
  readonly #made: unknown;

  constructor(facts: ActionFacts, call: Call, context: unknown) {
    super(call, facts.place, call.args, context);
    this.#facts = facts;
    this.#made = context;
  }

  get logger(): Logger {
    return loggerOfCall(this.call, this.#facts.served);
  }

  get mayHaveEffect(): boolean {
    const { isReadOnly, isIdempotent } = this.#facts.action;
    return !isReadOnly && !isIdempotent;
  }

  convert(value: unknown): MaybePromise<Outcome> {
    const { tool, action, served } = this.#facts;
    const converted = this.call.origin.served.isLocal ? action.convert(value) : action.convertForWire(value);
    return thenMaybe(converted, (made) => ({
      kind: 'result',
      value: made.ok ? made.value : invalidOutput(tool, action, made.issues, this.call, served),
      encoded: undefined,
    }));
  }

  refuse(issues: readonly Issue[]): Outcome {
    const { tool, action, carried } = this.#facts;
    return resultOf(invalidInput(tool, action, issues, carried));
  }

  override fail(thrown: unknown): Outcome {
    const { tool, action, served } = this.#facts;
    try {
      return ProtocolError.is(thrown)
        ? declaredError(tool, action, thrown, secretsOf(this.call, served.hidden))
        : resultOf(failedCall(tool, action, thrown, { call: this.call, context: this.#made }, served));
    } catch (broken) {
      // The thrown value cannot even be described.
      return resultOf(brokenCall(tool.name, broken, this.call, served));
    }
  }
}
