import type { CallExchange } from './call-exchange.ts';
import { requireCapability } from './client-capability.ts';
import { invalidAnswer, requestClient } from './request-client.ts';

/** A place that the client lets the server work in (spec: client/roots, Root). */
export interface Root {
  /** Begins with `file://`. */
  readonly uri: string;
  readonly name?: string;
}

export async function listRoots(exchange: CallExchange): Promise<readonly Root[]> {
  requireCapability(exchange.client(), 'roots');
  const { roots } = await requestClient(exchange, 'roots/list', {});
  if (!Array.isArray(roots) || !roots.every(isRoot)) throw invalidAnswer('roots/list');
  return roots;
}

function isRoot(value: unknown): value is Root {
  return typeof value === 'object' && value !== null && 'uri' in value && typeof value.uri === 'string';
}
