import { isDeepStrictEqual } from 'node:util';
import { measureShare } from '../../src/evals/metrics.ts';
import type { CountTokens } from '../../src/tokens/tokenizer.ts';
import { INTENDED_CALLS, type ListedTool, type MalformedCall, type ToolCall } from './calls.ts';
import { remove, type Json, type Path } from './json-path.ts';
import { repairCall, type RuleName } from './rules.ts';
import type { Answer } from './servers.ts';

/** What became of one malformed call. */
export interface Attempt {
  /** The error text; undefined where the server took the call as it was. */
  readonly text: string | undefined;
  /** What the repaired call was; undefined where nothing was repaired. */
  readonly repaired?: ToolCall;
  readonly rules: readonly RuleName[];
  /** Whether the server took the call in the end. */
  readonly isAccepted: boolean;
  /** Whether its tool then got what was meant. */
  readonly isAsMeant: boolean;
}

/** What a server made of all calls. */
export interface RepairFigures {
  /** All malformed calls. */
  readonly calls: number;
  /** Those that the server refused; the others it took in silence. */
  readonly refused: number;
  /** Refused calls that it took after one repair. */
  readonly accepted: number;
  /** Those of them whose arguments mean what was meant. */
  readonly asMeant: number;
  /** `asMeant` as a share of `refused`, with its interval by a confidence of 95 %. */
  readonly interval: { readonly share: number; readonly low: number; readonly high: number };
  /** Calls that were taken in silence. */
  readonly silent: {
    readonly asMeant: number;
    /** Its tool ran with other arguments than those that were meant. */
    readonly otherwise: number;
  };
  /** Of the error texts. */
  readonly tokens: { readonly median: number; readonly p90: number };
}

export type CallServer = (call: ToolCall) => Promise<Answer>;

/** Sends every call, repairs it by the error text, and sends it once more. @throws Error when a right call is refused */
export async function attemptCalls(
  calls: readonly MalformedCall[],
  tools: readonly ListedTool[],
  callServer: CallServer,
): Promise<readonly Attempt[]> {
  const right = new Map<string, string>();
  for (const call of INTENDED_CALLS) {
    const { isError, text } = await callServer(call);
    if (isError) throw new Error(`It refuses ${JSON.stringify(call)}: ${text}`);
    right.set(JSON.stringify(call), text);
  }
  const attempts: Attempt[] = [];
  for (const { call, intended, lost } of calls) {
    const meant = right.get(JSON.stringify(intended)) ?? '';
    const first = await callServer(call);
    if (!first.isError) {
      const isAsMeant = means(first.text, meant, lost);
      attempts.push({ text: undefined, rules: [], isAccepted: true, isAsMeant });
      continue;
    }
    const { call: repaired, rules } = repairCall(call, first.text, tools);
    const { isError, text } = await callServer(repaired);
    const isAsMeant = !isError && means(text, meant, lost);
    attempts.push({ text: first.text, repaired, rules, isAccepted: !isError, isAsMeant });
  }
  return attempts;
}

/** Whether a tool got the same arguments, but for those that cannot be known. Each tool gives back what it got. */
export function means(answer: string, meant: string, lost: readonly Path[]): boolean {
  const known = (text: string): Json => {
    const value = JSON.parse(text) as Json;
    return lost.reduce((rest, path) => remove(rest, path), value);
  };
  return isDeepStrictEqual(known(answer), known(meant));
}

export function summarize(attempts: readonly Attempt[], countTokens: CountTokens): RepairFigures {
  const refused = attempts.filter(({ text }) => text !== undefined);
  const silent = attempts.filter(({ text }) => text === undefined);
  const { share, low, high } = measureShare(refused.map(({ isAsMeant }) => isAsMeant));
  const tokens = refused.map(({ text = '' }) => countTokens(text)).sort((one, other) => one - other);
  const asMeant = silent.filter(({ isAsMeant }) => isAsMeant).length;
  return {
    calls: attempts.length,
    refused: refused.length,
    accepted: refused.filter(({ isAccepted }) => isAccepted).length,
    asMeant: refused.filter(({ isAsMeant }) => isAsMeant).length,
    interval: { share, low, high },
    silent: { asMeant, otherwise: silent.length - asMeant },
    tokens: { median: rankedAt(tokens, 0.5), p90: rankedAt(tokens, 0.9) },
  };
}

/** The smallest of sorted numbers that is not exceeded by a share of them. */
function rankedAt(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
