import { ERROR_META_KEY } from '../../call/result-helpers.ts';
import type { ClientClaim } from '../../compile/surfaces/surface.ts';
import type { Call } from '../../kernel/call/call.ts';
import type { Outcome } from '../../kernel/call/outcome.ts';
import { claimOfCall } from '../../runtime/tools/surface-marks.ts';
import type { McpService } from '../../runtime/service.ts';
import type { Origin } from '../../kernel/call/service-request.ts';
import { membersOf } from '../../shared/json.ts';
import { thenMaybe, type MaybePromise } from '../../shared/maybe-promise.ts';
import { isRevisionOf2026 } from '../../shared/protocol.ts';
import { exchangeOf, type SeenTraffic, ServedCalls } from './seen-exchange.ts';

/** One request that was answered. */
export interface SeenMessage {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  readonly tool?: string;
  readonly action?: string;
  readonly client?: string;
  readonly era: '2025' | '2026' | 'none';
  readonly isError: boolean;
  readonly code?: string;
  readonly milliseconds: number;
  readonly from: SeenFrom;
  /** What passed, as far as it can be shown; asked for only where somebody sees it. */
  readonly exchange: () => SeenTraffic | undefined;
}

/** What a client says of itself, and where it gets its tools. */
export interface SeenFrom extends ClientClaim {
  /** Undefined for requests about something else than tools. */
  readonly surface?: string;
  /** What decided about the surface: the choice of the client, what fits it, or the application for all. */
  readonly by?: 'choice' | 'client' | 'application';
}

/** Wraps a service: its requests are seen when they are answered. */
export function watchService(service: McpService, see: (seen: SeenMessage) => void): McpService {
  const served = new ServedCalls();
  const watched = service.admittedBy(served);
  return {
    get tools() {
      return service.tools;
    },
    get prompts() {
      return service.prompts;
    },
    get resources() {
      return service.resources;
    },
    get completions() {
      return service.completions;
    },
    get settings() {
      return service.settings;
    },
    admittedBy: (admission) => watchService(service.admittedBy(admission), see),
    replaceable: () => service.replaceable(),
    serve: (request): MaybePromise<Outcome> => {
      const at = Date.now();
      const started = performance.now();
      return thenMaybe(watched.serve(request), (outcome) => {
        const call = served.of(request);
        const exchange = (): SeenTraffic | undefined =>
          exchangeOf(call, outcome, service.settings.hidden ?? []);
        const facts = factsOf(request, outcome, call);
        const from = readFrom(request, call);
        see({ at, ...facts, milliseconds: performance.now() - started, from, exchange });
        return outcome;
      });
    },
  };
}

function factsOf(
  { method, params, context }: Origin,
  outcome: Outcome,
  call: Call | undefined,
): Omit<SeenMessage, 'at' | 'milliseconds' | 'from' | 'exchange'> {
  const { name } = params;
  const client = context.client().name;
  const { protocolVersion } = context;
  const era = protocolVersion === undefined ? 'none' : isRevisionOf2026(protocolVersion) ? '2026' : '2025';
  const code = codeOf(outcome);
  return {
    method,
    ...(method === 'tools/call' && typeof name === 'string' ? { tool: name } : {}),
    ...(call?.target?.action === undefined ? {} : { action: call.target.action }),
    ...(client === undefined ? {} : { client }),
    era,
    isError: code !== undefined,
    ...(code === undefined ? {} : { code }),
  };
}

function readFrom({ method, context }: Origin, call: Call | undefined): SeenFrom {
  const claim = call === undefined ? context.client() : claimOfCall(call);
  if (call === undefined || (method !== 'tools/list' && method !== 'tools/call')) return claim;
  const by = context.surface !== undefined ? 'choice' : call.isFitted === true ? 'client' : 'application';
  return { ...claim, surface: call.surface ?? 'own', by };
}

function codeOf(outcome: Outcome): string | undefined {
  if (outcome.kind === 'failure') return String(outcome.error.code);
  const { isError, _meta: meta } = membersOf(outcome.value);
  if (isError !== true) return undefined;
  const { code } = membersOf(membersOf(meta)[ERROR_META_KEY]);
  return typeof code === 'string' ? code : 'isError';
}
