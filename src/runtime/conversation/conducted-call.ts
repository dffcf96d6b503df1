import { type AuthInfo, personOf } from '../../call/call-exchange.ts';
import { digestOf } from './digest.ts';

/** One of the requests that may be answered with a question. */
export interface ConductedCall {
  readonly method: 'tools/call' | 'prompts/get' | 'resources/read';
  /** The name of the tool or prompt, or the URI. */
  readonly target: string;
  readonly args: unknown;
  /** What it says of versions: an answer goes to the version that asked. */
  readonly versions?: unknown;
}

/** Stands for who called, and for what with which arguments: nobody else may go on with the call. */
export function originOf(
  { method, target, args = {}, versions }: ConductedCall,
  authInfo: AuthInfo | undefined,
): string {
  const person = authInfo === undefined ? null : personOf(authInfo);
  return digestOf([person, method, target, args, ...(versions === undefined ? [] : [versions])]);
}

/** How logs and errors name a call. */
export function nameOf({ method, target }: ConductedCall): string {
  return `${method} ${target}`;
}
