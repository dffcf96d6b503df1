import type { LogLevel } from '../../call/call-exchange.ts';
import { isObject, type Members } from '../json-rpc/check-messages.ts';
import { isModernRevision } from '../../shared/protocol-era.ts';

const PREFIX = 'io.modelcontextprotocol/';
const VERSION = `${PREFIX}protocolVersion`;
export const LOG_LEVELS: readonly LogLevel[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];
const CAPABILITIES = ['experimental', 'sampling', 'elicitation', 'roots', 'extensions'];

/** What a message says of itself under 2026-07-28: the revision that it is written in (spec: basic, `_meta`). */
export interface EnvelopeClaim {
  /** Not a string when the client made a mistake. */
  readonly revision: unknown;
}

/** A message without a claim belongs to the earlier era; a wrong claim is one, too, and must be refused as such. */
export function claimOf(message: unknown): EnvelopeClaim | undefined {
  const meta = metaOf(message);
  return meta !== undefined && VERSION in meta ? { revision: meta[VERSION] } : undefined;
}

/** Whether the claim names a modern revision and the rest of the envelope has the form that the revision asks for. */
export function isValidEnvelope(message: unknown): boolean {
  const meta = metaOf(message);
  if (meta === undefined) return false;
  const revision = meta[VERSION];
  return (
    typeof revision === 'string' &&
    isModernRevision(revision) &&
    isCapabilities(meta[`${PREFIX}clientCapabilities`]) &&
    isOptional(meta[`${PREFIX}clientInfo`], isClientInfo) &&
    isOptional(meta[`${PREFIX}logLevel`], (level) => LOG_LEVELS.includes(level as LogLevel))
  );
}

function metaOf(message: unknown): Members | undefined {
  const params = isObject(message) ? message['params'] : undefined;
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta : undefined;
}

function isCapabilities(value: unknown): boolean {
  return isObject(value) && CAPABILITIES.every((name) => isOptional(value[name], isObject));
}

function isClientInfo(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && typeof value['version'] === 'string';
}

function isOptional(value: unknown, check: (value: unknown) => boolean): boolean {
  return value === undefined || check(value);
}
