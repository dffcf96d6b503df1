import { isPlainObject } from '../../shared/json.ts';
import { MODERN_REVISIONS } from '../../shared/protocol-era.ts';
import { LOG_LEVELS } from '../era/envelope.ts';

const PREFIX = 'io.modelcontextprotocol/';

/** The names that `_meta` has for what a message says of itself since 2026-07-28 (spec: basic, `_meta`). */
export const ENVELOPE = Object.freeze({
  protocolVersion: `${PREFIX}protocolVersion`,
  clientInfo: `${PREFIX}clientInfo`,
  clientCapabilities: `${PREFIX}clientCapabilities`,
  logLevel: `${PREFIX}logLevel`,
  serverInfo: `${PREFIX}serverInfo`,
});

const INFO: readonly string[] = ['name', 'version', 'title'];

/** What each capability may say of itself in an envelope that is plain. */
const CAPABILITIES: Readonly<Record<string, (value: Record<string, unknown>) => boolean>> = {
  elicitation: (value) => hasFlags(value, ['form', 'url']),
  sampling: (value) => hasFlags(value, ['context', 'tools']),
  roots: ({ listChanged, ...others }) =>
    (listChanged === undefined || typeof listChanged === 'boolean') && Object.keys(others).length === 0,
  extensions: (value) => Object.values(value).every(isPlainObject),
};

/** Stricter than the protocol: what is unusual may be wrong, and is then for the SDK to refuse. */
export function isPlainEnvelope(meta: unknown): boolean {
  if (!isPlainObject(meta)) return false;
  const logLevel = meta[ENVELOPE.logLevel];
  return (
    MODERN_REVISIONS.includes(meta[ENVELOPE.protocolVersion] as string) &&
    isPlainInfo(meta[ENVELOPE.clientInfo]) &&
    arePlain(meta[ENVELOPE.clientCapabilities]) &&
    (logLevel === undefined || LOG_LEVELS.includes(logLevel as never))
  );
}

function isPlainInfo(info: unknown): boolean {
  if (info === undefined) return true;
  if (!isPlainObject(info)) return false;
  for (const name of Object.keys(info)) {
    if (!INFO.includes(name) || typeof info[name] !== 'string') return false;
  }
  return info['name'] !== undefined && info['version'] !== undefined;
}

function arePlain(capabilities: unknown): boolean {
  if (!isPlainObject(capabilities)) return false;
  for (const name of Object.keys(capabilities)) {
    const value = capabilities[name];
    if (!Object.hasOwn(CAPABILITIES, name) || !isPlainObject(value)) return false;
    if (CAPABILITIES[name]?.(value) !== true) return false;
  }
  return true;
}

function hasFlags(value: Record<string, unknown>, names: readonly string[]): boolean {
  return Object.keys(value).every((name) => {
    const flag = value[name];
    return names.includes(name) && isPlainObject(flag) && Object.keys(flag).length === 0;
  });
}
