import type { HttpDoor } from '../../call/http-door.ts';
import type { Logger } from '../../call/logger.ts';
import type { FittingSurface, SurfaceSettings } from '../../compile/surfaces/surface.ts';
import type { ToolDefinition } from '../../compile/tools/compiled-tool.ts';
import { METHOD_NOT_FOUND, ProtocolError } from '../../call/protocol-error.ts';
import type { AttemptStages } from '../../kernel/call/stage.ts';
import type { MaybePromise } from '../../shared/maybe-promise.ts';
import type { Call, Handle, Replayer, Route, ToolsBeside } from '../../kernel/call/call.ts';
import type { Verdicts } from '../requirements/verdicts.ts';
import type { StoreClock } from '../store/store-clock.ts';
import type { Store } from '../store/store.ts';
import type { RequestState } from '../../kernel/call/replay/request-states.ts';
import type { Lists, ListSettings } from '../lists/lists.ts';
import { failureOf, type Outcome } from '../../kernel/call/outcome.ts';
import type { ResourceServer } from '../auth/resource-server.ts';
import type { Authorization } from '../requirements/authorization.ts';
import type { CallLogging, RequestObserver } from '../logging/log-records.ts';
import type { States } from '../../kernel/call/states.ts';
import type { Telemetry } from '../../kernel/call/telemetry.ts';
import type { RuntimeFacet } from '../runtime-facet.ts';
import type { CallTarget, OpenForOwners } from '../../kernel/call/service-request.ts';

/** Counts a call. @returns how it is answered if it is refused */
export type Charge = (call: Call) => MaybePromise<Outcome | undefined>;

/** Runs handlers again with the answers of their clients (spec 2026-07-28: basic/patterns/mrtr). */
export interface ReplayEngine {
  /** Remembers which questions were answered. */
  readonly store: Store;
  /**
   * Opens the sealed state that a client sends back with its answers.
   * @throws ProtocolError for a state that was not issued for this call
   */
  open(call: Call, sealed: string): RequestState;
  /**
   * Makes what replays the calls of one handler.
   * @param charge counts answers that were given before, and may refuse them
   */
  replayerOf(run: Handle, charge?: Charge): HandlerReplayer;
}

export interface HandlerReplayer extends Replayer {
  /** For tests: runs the handler again for each answer although its client can be asked at once; undefined unless `replays` is set. */
  readonly replay: ((call: Call) => Promise<Outcome>) | undefined;
}

/** The settings that every way of serving an application shares. */
export interface ServiceSettings extends ListSettings, Omit<CallLogging, 'logger'> {
  readonly stages: Rings;
  /** Asks clients by answering their requests. */
  readonly replayEngine: ReplayEngine;
  /** The time of the store. */
  readonly clock: StoreClock;
  /** What serves beside the kernel. */
  readonly features: readonly RuntimeFacet[];
  /** What features keep from call to call. */
  readonly states: States;
  /** Verifies who calls; undefined where everybody may call, or somebody else decides it. */
  readonly auth: ResourceServer | undefined;
  /** How tools are offered; undefined where there is one way. */
  readonly surfaces?: SurfaceSettings | undefined;
  /** What is open for callers. */
  readonly open: OpenForOwners;
  /** Decides what callers may see and do. */
  readonly authorization: Authorization;
  /** Counts and measures; undefined where nothing does. */
  readonly telemetry?: Telemetry | undefined;
  /** Observes each request; undefined where nothing does. */
  readonly observer?: RequestObserver | undefined;
  /** What answers beside the endpoint. */
  readonly doors?: readonly HttpDoor[];
}

/** What clients are listed beside the tools of groups. */
export interface ListedBeside extends ToolsBeside {
  /** The list with it; the same array for the same tools. */
  listFor(
    list: readonly ToolDefinition[],
    call: Call,
    client: FittingSurface | undefined,
  ): readonly ToolDefinition[];
  /**
   * What a client is listed.
   * @param isFitted whether it is listed what fits it
   * @param verdicts undefined for a caller who may see everything
   */
  listed(
    client: FittingSurface | undefined,
    isFitted: boolean,
    verdicts?: Verdicts,
  ): readonly ToolDefinition[];
}

export interface RouteSettings extends ServiceSettings {
  /** Gets faults of the server, which a client never sees in full. */
  readonly logger: Logger;
  /** What answers the methods that list. */
  readonly lists: Lists;
  /** Tools beside those of groups; undefined where all clients get the same. */
  readonly featureTools?: ListedBeside | undefined;
  /** The tools that callers with the verdicts see, on no surface in particular; undefined for all callers. */
  readonly toolsFor: (verdicts?: Verdicts) => readonly ToolDefinition[];
}

/** Wraps the next stage, once, at start-up. */
export type Stage = (next: Handle) => Handle;

/** Compiles one stage for one target; undefined where the target does not use it, so that it costs nothing. */
export type CompileStage = (target: CallTarget, settings: RouteSettings) => Stage | undefined;

/** Compiles the stage that separates requests that begin a call from requests that resume one. */
export type CompileState = (
  target: CallTarget,
  settings: RouteSettings,
) => ((begin: Handle, resume: Handle) => Handle) | undefined;

type Places<Names extends string, Place> = Readonly<Record<Names, Place | undefined>>;

/** The stages in the order in which a call enters them; undefined for a stage that does not exist yet. */
export interface Rings {
  readonly request: Places<'log' | 'observe' | 'audit' | 'authorize' | 'admit', CompileStage>;
  readonly conversation: Places<'state', CompileState> & Places<'limit' | 'task' | 'rounds', CompileStage>;
  readonly attempt: AttemptStages;
}

const CONVERSING: ReadonlySet<CallTarget['kind']> = new Set(['action', 'prompt', 'resource']);

/** Whether a client may be asked while it waits for the answer. */
export function mayAsk({ kind }: CallTarget): boolean {
  return CONVERSING.has(kind);
}

/** The stages of a conversation that every request passes; the others run only for the request that begins the call. */
const EACH_REQUEST: ReadonlySet<string> = new Set(['task', 'rounds']);

/** The stages of a request that the run of its task passes once more, in the process of a worker. */
const EACH_PROCESS: ReadonlySet<string> = new Set(['log', 'observe', 'audit']);

/** Composes the rings of request and conversation around what answers a target. */
export function compileRoute(target: CallTarget, settings: RouteSettings, answer: Handle): Route {
  const { request, conversation } = settings.stages;
  const { state, ...others } = conversation;
  const compile = ([name, stage]: readonly [string, CompileStage | undefined]): readonly Placed[] => {
    const compiled = stage?.(target, settings);
    return compiled === undefined ? [] : [{ name, stage: compiled }];
  };
  const around = Object.entries(request).flatMap(compile);
  const inside = Object.entries(others).flatMap(compile);
  const begin = compose(inside, answer);
  const resume = compose(
    inside.filter(({ name }) => EACH_REQUEST.has(name)),
    answer,
  );
  // A request for a task of an action without tasks is rare: it takes the whole route
  const isTask = target.task !== undefined;
  const plain = isTask
    ? begin
    : compose(
        inside.filter(({ name }) => name !== 'task'),
        answer,
      );
  return Object.freeze({
    target,
    // The process that took the call in had it pass the other stages
    inner: compose(
      around.filter(({ name }) => EACH_PROCESS.has(name)),
      answer,
    ),
    plain: compose(around, plain),
    whole: compose(around, state?.(target, settings)?.(begin, resume) ?? begin),
  });
}

/** The route of calls of unknown or hidden targets; there is one per method. */
export function compileMiss(method: string, settings: RouteSettings): Handle {
  const target = { kind: 'miss', method, name: undefined, handler: undefined } as const;
  const answer: Handle = (call) => {
    if (call.answerMiss === undefined) throw new ProtocolError(METHOD_NOT_FOUND, 'Method not found');
    return call.answerMiss();
  };
  return compileRoute(target, settings, answer).whole;
}

/** Enters the route of the call's target, or the miss route. */
export function enterRoute(call: Call, find: (call: Call) => Route, miss: Handle): MaybePromise<Outcome> {
  let route: Route;
  try {
    route = find(call);
  } catch (thrown) {
    if (!ProtocolError.is(thrown)) throw thrown;
    call.answerMiss = () => failureOf(thrown);
    call.namesNothing = true;
    return miss(call);
  }
  return call.follow(route);
}

/** The route of a method that is answered here. @param isUncounted whether nobody waits for it, and nothing refuses it */
export function compileMethod(
  method: string,
  settings: RouteSettings,
  answer: Handle,
  isUncounted?: boolean,
): Handle {
  const target = { kind: 'method', method, name: undefined, handler: undefined } as const;
  return compileRoute(isUncounted === undefined ? target : { ...target, isUncounted }, settings, answer)
    .whole;
}

interface Placed {
  readonly name: string;
  readonly stage: Stage;
}

function compose(stages: readonly Placed[], inner: Handle): Handle {
  return stages.reduceRight((next, { stage }) => stage(next), inner);
}
