import type { PlainObject } from '../../shared/json.ts';
import type { DoneStep } from './journal.ts';

/** The outcome of answers, which the same answers get again. */
export type KeptOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: PlainObject } }
  | 'forgotten';

/** What a store knows of the answers to a state. Once given, they cannot be changed. */
export type Claim =
  | { readonly is: 'running'; readonly answers: string; readonly run: string }
  | { readonly is: 'free'; readonly answers: string; readonly steps: readonly DoneStep[] }
  | { readonly is: 'done'; readonly answers: string; readonly outcome: KeptOutcome };

/** A larger outcome is not kept: the answers count all the same, and the client has to do without. */
const LARGEST_OUTCOME = 64 * 1024;
/** For what a call cannot go on without: the next questions with their state, and the steps that were done. */
const LARGEST_CLAIM = 1024 * 1024;

/** A claim as a store keeps it; one that is too large, or no JSON, loses what it led to. */
export function textOf(claim: Claim): string {
  const text = jsonOf(claim);
  if (text !== undefined && text.length <= largest(claim)) return text;
  return JSON.stringify(forgotten(claim));
}

export function claimOf(text: string): Claim {
  return JSON.parse(text) as Claim;
}

/** The same claim without its outcome; undefined for one that has none, or where nothing would be won. */
export function withoutOutcome(text: string): string | undefined {
  if (!text.startsWith('{"is":"done"')) return undefined;
  const shorter = JSON.stringify(forgotten(claimOf(text)));
  return shorter.length < text.length ? shorter : undefined;
}

function forgotten({ answers }: Claim): Claim {
  return { is: 'done', answers, outcome: 'forgotten' };
}

function largest(claim: Claim): number {
  return claim.is === 'done' && !isQuestion(claim.outcome) ? LARGEST_OUTCOME : LARGEST_CLAIM;
}

function isQuestion(outcome: KeptOutcome): boolean {
  if (outcome === 'forgotten' || !('result' in outcome)) return false;
  const { result } = outcome;
  return (
    typeof result === 'object' &&
    result !== null &&
    'resultType' in result &&
    result.resultType === 'input_required'
  );
}

/** Undefined for what JSON does not carry: handlers put what they like into results and errors. */
function jsonOf(claim: Claim): string | undefined {
  try {
    return JSON.stringify(claim);
  } catch {
    return undefined;
  }
}
