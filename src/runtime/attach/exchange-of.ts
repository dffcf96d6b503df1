import type { CallExchange } from '../../call/call-exchange.ts';
import { exchangeOfVersion1, type Version1Extra } from './exchange-of-version-1.ts';
import { exchangeOfVersion2, type Version2Context } from './exchange-of-version-2.ts';
import type { ServerTarget } from './server-target.ts';

/** What an SDK hands to its handlers, as the core sees it. */
export function exchangeOf(target: ServerTarget, request: unknown, extra: unknown): CallExchange {
  const given = (extra ?? {}) as Version1Extra & Partial<Version2Context>;
  return given.mcpReq === undefined
    ? exchangeOfVersion1(target, metaOf(request), given)
    : exchangeOfVersion2(target, { ...given, mcpReq: given.mcpReq });
}

function metaOf(request: unknown): unknown {
  return (request as { readonly params?: { readonly _meta?: unknown } } | undefined)?.params?._meta;
}
