import type { CallExchange } from '../../call/call-exchange.ts';
import type { Connection } from './connection.ts';
import { exchangeOfVersion1, type Version1Extra } from './exchange-of-version-1.ts';
import { exchangeOfVersion2, type Version2Context } from './exchange-of-version-2.ts';

/** What an SDK hands to its handlers, as the core sees it. */
export function exchangeOf(connection: Connection, request: unknown, extra: unknown): CallExchange {
  const given = (extra ?? {}) as Version1Extra & Partial<Version2Context>;
  return given.mcpReq === undefined
    ? exchangeOfVersion1(connection, metaOf(request), given)
    : exchangeOfVersion2(connection, { ...given, mcpReq: given.mcpReq });
}

function metaOf(request: unknown): unknown {
  return (request as { readonly params?: { readonly _meta?: unknown } } | undefined)?.params?._meta;
}
