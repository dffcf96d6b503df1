import type { PlainObject } from '../shared/json.ts';
import type { CallExchange, NamedQuestion } from './call-exchange.ts';
import { requireCapability } from './client-capability.ts';
import { invalidAnswer, named, requestClient } from './request-client.ts';

/** A place that the client lets the server work in (spec: client/roots, Root). */
export interface Root {
  /** Begins with `file://`. */
  readonly uri: string;
  readonly name?: string;
}

export async function listRoots(
  exchange: CallExchange,
  options: NamedQuestion = {},
): Promise<readonly Root[]> {
  requireCapability(exchange.client(), 'roots');
  const accepts = (answer: PlainObject): boolean => rootsOf(answer) !== undefined;
  const answer = await requestClient(exchange, 'roots/list', {}, { ...named(options), accepts });
  const roots = rootsOf(answer);
  if (roots === undefined) throw invalidAnswer('roots/list');
  return roots;
}

function rootsOf({ roots }: PlainObject): readonly Root[] | undefined {
  return Array.isArray(roots) && roots.every(isRoot) ? roots : undefined;
}

function isRoot(value: unknown): value is Root {
  return typeof value === 'object' && value !== null && 'uri' in value && typeof value.uri === 'string';
}
