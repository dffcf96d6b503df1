import type { LogLevel } from '../../../call/call-exchange.ts';
import { isObject } from '../../../shared/json.ts';
import { LOG_LEVELS } from '../../log-levels.ts';
import type { Members } from '../../json-rpc/message.ts';
import { isRevisionOf2026 } from '../../../shared/protocol-era.ts';

const PREFIX = 'io.modelcontextprotocol/';

/** The names that `_meta` has for what a message says of itself since 2026-07-28 (spec: basic, `_meta`). */
export const ENVELOPE = Object.freeze({
  protocolVersion: `${PREFIX}protocolVersion`,
  clientInfo: `${PREFIX}clientInfo`,
  clientCapabilities: `${PREFIX}clientCapabilities`,
  logLevel: `${PREFIX}logLevel`,
  serverInfo: `${PREFIX}serverInfo`,
  subscriptionId: `${PREFIX}subscriptionId`,
});

/** What a message says of itself under 2026-07-28: the revision that it is written in (spec: basic, `_meta`). */
export interface EnvelopeClaim {
  /** Not a string when the client made a mistake. */
  readonly revision: unknown;
}

/** The first thing that is wrong with an envelope. */
export interface EnvelopeFault {
  /** Of `_meta`, with the way to a member of it. */
  readonly key: string;
  readonly problem: string;
}

/** A message without a claim belongs to the earlier era; a wrong claim is one, too, and must be refused as such. */
export function claimOf(message: unknown): EnvelopeClaim | undefined {
  const meta = metaOf(message);
  return meta !== undefined && ENVELOPE.protocolVersion in meta
    ? { revision: meta[ENVELOPE.protocolVersion] }
    : undefined;
}

/** Whether the claim names a revision since 2026-07-28, and the rest of the envelope has the form that the revision asks for. */
export function isValidEnvelope(message: unknown): boolean {
  const meta = metaOf(message);
  if (meta === undefined || envelopeFault(meta) !== undefined) return false;
  return isRevisionOf2026(meta[ENVELOPE.protocolVersion] as string);
}

export function metaOf(message: unknown): Members | undefined {
  const params = isObject(message) ? message['params'] : undefined;
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta : undefined;
}

/** What each member of an envelope must be, in the order in which they are checked. */
const MEMBERS: readonly (readonly [string, (value: unknown, key: string) => EnvelopeFault | undefined])[] = [
  [ENVELOPE.protocolVersion, (value, key) => unless(typeof value === 'string', key, 'a string')],
  [ENVELOPE.clientCapabilities, capabilitiesFault],
  [ENVELOPE.clientInfo, infoFault],
  [
    ENVELOPE.logLevel,
    (value, key) => unless(LOG_LEVELS.includes(value as LogLevel), key, `one of ${LOG_LEVELS.join(', ')}`),
  ],
];
/** Without these a request says too little of itself. */
export const REQUIRED_MEMBERS: readonly string[] = [ENVELOPE.protocolVersion, ENVELOPE.clientCapabilities];

/** What is wrong with the envelope of a request (spec 2026-07-28: basic, `_meta`). */
export function envelopeFault(meta: Members): EnvelopeFault | undefined {
  for (const [key, faultOf] of MEMBERS) {
    const value = meta[key];
    if (value === undefined && !REQUIRED_MEMBERS.includes(key)) continue;
    const fault = value === undefined ? { key, problem: 'is missing' } : faultOf(value, key);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** By name, or each an object. */
type CapabilityMembers = Readonly<Record<string, 'object' | 'boolean'>> | 'objects';

/** What the revision knows of each capability; what it does not know is for others. */
const CAPABILITIES: ReadonlyMap<string, CapabilityMembers> = new Map<string, CapabilityMembers>([
  ['experimental', 'objects'],
  ['extensions', 'objects'],
  ['sampling', { context: 'object', tools: 'object' }],
  ['elicitation', { form: 'object', url: 'object' }],
  ['roots', { listChanged: 'boolean' }],
  ['tasks', { list: 'object', cancel: 'object', requests: 'object' }],
]);

/** What is wrong with what a client says that it can do. @param key where it says so */
export function capabilitiesFault(value: unknown, key: string): EnvelopeFault | undefined {
  if (!isObject(value)) return unless(false, key, 'an object');
  for (const name of Object.keys(value)) {
    const known = CAPABILITIES.get(name);
    if (known === undefined || value[name] === undefined) continue;
    const fault = capabilityFault(value[name], `${key}.${name}`, known);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function capabilityFault(value: unknown, key: string, known: CapabilityMembers): EnvelopeFault | undefined {
  if (!isObject(value)) return unless(false, key, 'an object');
  for (const name of Object.keys(value)) {
    const member = value[name];
    const type = known === 'objects' ? 'object' : known[name];
    if (type === undefined || member === undefined) continue;
    const isRight = type === 'object' ? isObject(member) : typeof member === type;
    if (!isRight)
      return unless(false, `${key}.${name.slice(0, 100)}`, type === 'object' ? 'an object' : 'true or false');
  }
  return undefined;
}

/** What is wrong with what a client calls itself. @param key where it does so */
export function infoFault(value: unknown, key: string): EnvelopeFault | undefined {
  if (!isObject(value)) return unless(false, key, 'an object');
  const { name, version, title = '' } = value;
  return (
    unless(typeof name === 'string', `${key}.name`, 'a string') ??
    unless(typeof version === 'string', `${key}.version`, 'a string') ??
    unless(typeof title === 'string', `${key}.title`, 'a string')
  );
}

function unless(isRight: boolean, key: string, expected: string): EnvelopeFault | undefined {
  return isRight ? undefined : { key, problem: `must be ${expected}` };
}
