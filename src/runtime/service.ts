import { withLocalCaller } from './auth/local-caller.ts';
import { nextTurn } from '../shared/platform.ts';
import { thenMaybe, type MaybePromise } from '../shared/maybe-promise.ts';
import { Call } from '../kernel/call/call.ts';
import { listenMethod } from './clients/changes.ts';
import { extensionMethods, featureMethods } from './feature-states.ts';
import type { Methods, Served, ServiceParts } from './routes/service-parts.ts';
import { Lists } from './lists/lists.ts';
import { failureOf, resultOf, type Outcome } from '../kernel/call/outcome.ts';
import {
  compileMethod,
  compileMiss,
  mayAsk,
  type Charge,
  type CompileStage,
  type RouteSettings,
  type ServiceSettings,
} from './routes/route.ts';
import { answerFault, SHUT_DOWN, shutDownOutcome } from './failures/protocol-failures.ts';
import type { Admission, Answerable, CallTarget, Origin } from '../kernel/call/service-request.ts';
import type { Logger } from '../call/logger.ts';
import { verdictsOf } from './primitives/primitives.ts';
import type { PageExtension } from './runtime-facet.ts';
import { aroundRemote } from './remote/remote-servers.ts';
import { FeatureTools } from './tools/feature-tools.ts';

/** The one service of an application, which every request passes, whichever way it came. */
export interface McpService extends ServiceParts {
  readonly settings: ServiceSettings & Pick<RouteSettings, 'featureTools'>;
  /** Never throws and never rejects. */
  serve(request: Origin): MaybePromise<Outcome>;
  /** The same service for requests that are counted once more. */
  admittedBy(admission: Admission): McpService;
  /** The same service, in whose place another one can serve. */
  replaceable(): ReplaceableService;
}

/** A service for connections that stay when another application takes the place of this one. */
export interface ReplaceableService extends McpService {
  /** From now on `next` serves, also behind what {@link admittedBy} gave. What runs goes on where it began. */
  become(next: McpService): void;
}

class Service implements ReplaceableService {
  readonly #behind: { now: Served };
  readonly #own: readonly Admission[];
  #served: Served | undefined;
  #admissions: readonly Admission[] = [];

  constructor(behind: { now: Served }, own: readonly Admission[] = []) {
    this.#behind = behind;
    this.#own = own;
    Object.freeze(this);
  }

  get tools(): ServiceParts['tools'] {
    return this.#behind.now.parts.tools;
  }
  get prompts(): ServiceParts['prompts'] {
    return this.#behind.now.parts.prompts;
  }
  get resources(): ServiceParts['resources'] {
    return this.#behind.now.parts.resources;
  }
  get completions(): ServiceParts['completions'] {
    return this.#behind.now.parts.completions;
  }
  get settings(): RouteSettings {
    return this.#behind.now.settings;
  }

  admittedBy(admission: Admission): McpService {
    return new Service(this.#behind, [...this.#own, admission]);
  }

  replaceable(): ReplaceableService {
    return new Service({ now: this.#current });
  }

  become(next: McpService): void {
    if (!(#behind in next))
      throw new TypeError('Only what createService() made can take the place of a service');
    this.#behind.now = next.#current;
  }

  serve(request: Origin): MaybePromise<Outcome> {
    const { routes, settings } = this.#behind.now;
    if (this.#served !== this.#behind.now) this.#follow();
    const call = new Call(request, this.#admissions);
    call.states = settings.states;
    const handle = routes.methods.get(request.method) ?? routes.unknown;
    const failed = (thrown: unknown): Outcome => answerFault(call, thrown, settings);
    let work: MaybePromise<Outcome>;
    try {
      work = handle(call);
    } catch (thrown) {
      work = failed(thrown);
    }
    return call.replyWith(work, failed);
  }

  get #current(): Served {
    const { now } = this.#behind;
    return { ...now, admissions: [...now.admissions, ...this.#own] };
  }

  #follow(): void {
    this.#served = this.#behind.now;
    this.#admissions = [...this.#served.admissions, ...this.#own];
  }
}

/** Counts what is served, and refuses it where nothing new is served any more. */
export const compileAdmission: CompileStage = ({
  method,
  isUncounted = method === 'resources/unsubscribe',
}) =>
  isUncounted
    ? undefined
    : (next) => (call) => {
        const refusal = call.enter();
        return refusal === undefined ? next(call) : failureOf(refusal);
      };

/** Lets a question be the answer of a request, and takes up a call again with the answers. Handlers that ask nothing are not recorded. */
export const compileRounds: CompileStage = (target, settings) => {
  const { replayEngine } = settings;
  if (!mayAsk(target)) return undefined;
  const charge = compileCharge(target, settings);
  return (next) => {
    const replayer = replayEngine.replayerOf(next, charge);
    const { replay } = replayer;
    const end = (call: Call, outcome: Outcome): MaybePromise<Outcome> =>
      call.recorder === undefined && outcome.kind === 'result' && !isErrorResult(outcome.value)
        ? outcome
        : replayer.finish(call, outcome);
    return (call) => {
      const { retry } = call.context;
      if (retry === undefined && replay !== undefined) return replay(call);
      // A task cannot answer its request any more, not even with a question
      if (retry === undefined || call.state === 'detached') return next(call);
      if (call.opened !== undefined) return replayer.resume(call, call.opened);
      call.replayer = replayer;
      let ended: MaybePromise<Outcome>;
      try {
        ended = next(call);
      } catch (thrown) {
        return replayer.fail(call, thrown);
      }
      if (!(ended instanceof Promise)) return end(call, ended);
      return ended.then(
        (outcome) => end(call, outcome),
        (thrown: unknown) => replayer.fail(call, thrown),
      );
    };
  };
};

/** Lets a call pass the stage that limits calls once more; undefined where its target has none. */
function compileCharge(target: CallTarget, settings: RouteSettings): Charge | undefined {
  const stage = settings.stages.conversation.limit?.(target, settings);
  if (stage === undefined) return undefined;
  const limited = stage(() => PASSED);
  return (call) => thenMaybe(limited(call), (outcome) => (outcome === PASSED ? undefined : outcome));
}

/** The outcome of a call that no limit refuses; nobody gets it. */
const PASSED = resultOf(Object.freeze({}));

function isErrorResult(value: object): boolean {
  return 'isError' in value && value.isError === true;
}

/**
 * Composes the routes of everything that can be asked of a service.
 * @param logger gets faults of the server, which a client never sees in full
 */
export function createService(parts: ServiceParts, shared: ServiceSettings, logger: Logger): McpService {
  const { surfaces } = shared;
  const featureTools = surfaces && new FeatureTools(parts, shared, surfaces);
  const { tools, prompts, resources, completions } = parts;
  const toolsFor: RouteSettings['toolsFor'] = (verdicts) => tools?.list(verdicts) ?? NO_TOOLS;
  const lists = new Lists(shared, logger);
  const settings = Object.freeze({ ...shared, logger, lists, featureTools, toolsFor });
  const own = {
    ...tools?.methods(settings),
    ...(tools && methodsOfFeatures(settings)),
    ...methodsOfExtensions(settings),
    ...prompts?.methods(settings),
    ...resources?.methods(settings),
    ...completions?.methods(settings),
    ...listenMethod(parts, settings),
  };
  const methods = aroundRemote(featureTools?.around(own, settings) ?? own, parts, settings);
  const entered = Object.entries(methods).map(
    ([method, handle]) => [method, withLocalCaller(handle, settings.auth, settings.telemetry)] as const,
  );
  const unknown = withLocalCaller(compileMiss('', settings), settings.auth, settings.telemetry);
  const routes = { methods: new Map(entered), unknown };
  return new Service({ now: { parts, routes, settings, admissions: [] } });
}

const NO_TOOLS: readonly never[] = Object.freeze([]);

function methodsOfFeatures(settings: RouteSettings): Methods {
  const methods = [...featureMethods(settings)];
  return Object.fromEntries(
    methods.map(([method, { answer, isUncounted }]) => [
      method,
      compileMethod(method, settings, answer, isUncounted),
    ]),
  );
}

function methodsOfExtensions(settings: RouteSettings): Methods {
  const page: PageExtension = (member, all, call) => settings.lists.pageExtension(member, all, call);
  const methods = [...extensionMethods(settings)].map(([method, answer]) => {
    const handle = compileMethod(method, settings, (call) =>
      thenMaybe(verdictsOf(call, settings), () => answer(call, page)),
    );
    return [method, handle] as const;
  });
  return Object.fromEntries(methods);
}

/** Counts what is under way, and reports when nothing is. */
export class InFlight implements Admission {
  /** Set while nothing new may begin; code that begins something checks it. */
  isStopping = false;
  readonly #onChange: () => void;
  #count = 0;
  #waiting: (() => void)[] = [];

  /** @param onChange told whenever one begins or ends */
  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Begins one; the function ends it, and does so once however often it is called.
   * @param signal ends it too: what was aborted is not waited for, because it may never hear of that
   */
  enter(signal?: AbortSignal): () => void {
    if (signal?.aborted === true) return () => undefined;
    this.begin();
    let isInside = true;
    const leave = (): void => {
      if (!isInside) return;
      isInside = false;
      signal?.removeEventListener('abort', leave);
      this.end();
    };
    signal?.addEventListener('abort', leave);
    return leave;
  }

  /** The same, for who sees to it that each is ended once. */
  begin(): void {
    this.#count += 1;
    this.#onChange();
  }

  end(): void {
    this.#count -= 1;
    this.#onChange();
    if (this.#count > 0 || this.#waiting.length === 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  whenIdle(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** The calls that belong to no connection of the application, and have to be ended when it ends. */
export class RunningCalls implements Admission {
  readonly isStopping = false;
  readonly #calls = new Set<Answerable>();
  #reason: Error | undefined;

  begin(call: Answerable): void {
    this.#calls.add(call);
    if (this.#reason !== undefined) cancel(call, this.#reason);
  }

  end(call: Answerable): void {
    this.#calls.delete(call);
  }

  /** Cancels some of them, which are answered with the outcome. @returns how many */
  cancelThose(isOne: (call: Answerable) => boolean, reason: Error, outcome: Outcome): number {
    const chosen = [...this.#calls].filter(isOne);
    for (const call of chosen) cancel(call, reason, outcome);
    return chosen.length;
  }

  /** Cancels all of them. A handler that reacts has a turn to answer; the others are answered in its place. */
  shutDown(): void {
    this.#reason = new Error(SHUT_DOWN);
    for (const call of [...this.#calls]) cancel(call, this.#reason);
  }
}

function cancel(call: Answerable, reason: Error, outcome = shutDownOutcome(call.origin)): void {
  call.origin.cancellation.cancel(reason);
  void nextTurn().then(() => call.reply(outcome));
}
