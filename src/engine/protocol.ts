import { LOG_LEVELS } from '../call/request-context.ts';
import type { PartName } from '../runtime/routes/service-parts.ts';

/** The revisions that begin with a handshake, newest first. */
export const REVISIONS_2025: readonly string[] = Object.freeze([
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
]);

/** The traits of a method of a revision. */
export interface MethodTraits {
  /** The engine answers it, not the service. */
  readonly isOwn?: boolean;
  /** It opens the session of later requests. */
  readonly opensSession?: boolean;
  /** Its answer is large, so that a client should be able to resume it. */
  readonly isLong?: boolean;
  /** It stays open until the client or the server ends it. */
  readonly isStanding?: boolean;
  /** The method exists if the application has this part. */
  readonly part?: PartName | 'tasks';
  /** The member of the params that the header `Mcp-Name` repeats. */
  readonly namedBy?: 'name' | 'uri' | 'taskId';
  /** The headers `Mcp-Param-…` repeat the arguments that its tool declares. */
  readonly repeatsArguments?: boolean;
  /** A client sends its answers to questions with it. */
  readonly takesAnswers?: boolean;
}

/** The methods up to 2025-11-25 that have traits. */
export const METHODS_2025 = tableOf({
  initialize: { isOwn: true, opensSession: true },
  ping: { isOwn: true },
  'logging/setLevel': { isOwn: true },
  'tools/list': { isLong: true },
  'prompts/list': { isLong: true },
  'resources/list': { isLong: true },
  'resources/templates/list': { isLong: true },
  'tasks/list': { isLong: true },
});

/** The methods of 2026-07-28. */
export const METHODS_2026 = tableOf({
  'server/discover': { isOwn: true },
  'subscriptions/listen': { isStanding: true },
  'tools/list': { part: 'tools', isLong: true },
  'tools/call': { part: 'tools', namedBy: 'name', repeatsArguments: true, takesAnswers: true },
  'prompts/list': { part: 'prompts', isLong: true },
  'prompts/get': { part: 'prompts', namedBy: 'name', takesAnswers: true },
  'resources/list': { part: 'resources', isLong: true },
  'resources/templates/list': { part: 'resources', isLong: true },
  'resources/read': { part: 'resources', namedBy: 'uri', takesAnswers: true },
  'completion/complete': { part: 'completions' },
  'tasks/get': { part: 'tasks', namedBy: 'taskId' },
  'tasks/update': { part: 'tasks', namedBy: 'taskId', takesAnswers: true },
  'tasks/cancel': { part: 'tasks', namedBy: 'taskId' },
});

function tableOf(methods: Readonly<Record<string, MethodTraits>>): ReadonlyMap<string, MethodTraits> {
  return new Map(Object.entries(methods).map(([name, traits]) => [name, Object.freeze(traits)]));
}

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

/** The form of a member of a message; further members of an object are not checked. */
export interface Shape {
  readonly kind?: 'a string' | 'true or false' | 'an object' | 'a list';
  /** What it may be. */
  readonly among?: readonly unknown[];
  readonly isRequired?: boolean;
  readonly members?: ReadonlyMap<string, Shape>;
  /** Those of the members that are required. */
  readonly required?: readonly string[];
  /** Of all members of an object, or entries of a list. */
  readonly each?: Shape;
}

const TEXT: Shape = { kind: 'a string' };
const NAME: Shape = { kind: 'a string', isRequired: true };
const ANY: Shape = { kind: 'an object' };
const ICON = objectOf({
  src: NAME,
  mimeType: TEXT,
  sizes: { kind: 'a list', each: TEXT },
  theme: { among: ['light', 'dark'] },
});

/** What a client calls itself (spec: schema, Implementation). */
export const CLIENT_INFO = objectOf({
  name: NAME,
  version: NAME,
  title: TEXT,
  description: TEXT,
  websiteUrl: TEXT,
  icons: { kind: 'a list', each: ICON },
});

/** What a client can do (spec: schema, ClientCapabilities). */
export const CLIENT_CAPABILITIES = objectOf({
  experimental: { kind: 'an object', each: ANY },
  extensions: { kind: 'an object', each: ANY },
  sampling: objectOf({ context: ANY, tools: ANY }),
  elicitation: objectOf({ form: ANY, url: ANY }),
  roots: objectOf({ listChanged: { kind: 'true or false' } }),
  tasks: objectOf({ list: ANY, cancel: ANY, requests: ANY }),
});

/** What a request since 2026-07-28 says of itself (spec 2026-07-28: basic, `_meta`). */
export const ENVELOPE_FORM = objectOf({
  [ENVELOPE.protocolVersion]: NAME,
  [ENVELOPE.clientCapabilities]: { ...CLIENT_CAPABILITIES, isRequired: true },
  [ENVELOPE.clientInfo]: CLIENT_INFO,
  [ENVELOPE.logLevel]: { among: LOG_LEVELS },
});

function objectOf(named: Readonly<Record<string, Shape>>) {
  const members: ReadonlyMap<string, Shape> = new Map(Object.entries(named));
  const required = [...members].flatMap(([name, { isRequired }]) => (isRequired === true ? [name] : []));
  return { kind: 'an object', members, required } satisfies Shape;
}
