import type { LeftOut, LeftOutReason } from './operation.ts';

/** Methods that say nothing that a model could use, or everything at once. */
const SILENT_METHODS: ReadonlySet<string> = new Set(['HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'ALL']);
const HEALTH = /^(health|healthz|ready|live|status|metrics|version|docs|openapi.*)$/i;
const AUTH = /^(auth.*|oauth.*|login|logout|tokens?|password|sessions?|mfa|callback|webhooks?)$/i;

const NOTES: Readonly<Record<LeftOutReason, string>> = {
  sse: 'it answers with events that never end; a tool needs a result',
  upload: 'it takes files; name it in include if a model shall send them',
  html: 'it answers with a page for people',
  redirect: 'it answers with another address',
  excluded: 'the application leaves it out of its documentation',
  deprecated: 'it is deprecated',
  method: 'its HTTP method is none that an action has',
  wildcard: 'its path has no end that is known',
  health: 'it is for those who operate the application',
  auth: 'it is about signing in, and tokens do not belong to a model',
  'unknown-input': 'nothing at run time says what it takes',
  binary: 'it answers with bytes',
  mcp: 'it is the endpoint itself',
  host: 'it answers at hosts of a kind, and nothing says which one is meant',
  unreadable: 'a part of it cannot be read',
  'unknown-route': 'the router of the application does not know the path',
};

/** Reasons that naming an operation does not lift. */
const FINAL: ReadonlySet<LeftOutReason> = new Set(['sse', 'unknown-input', 'mcp', 'host', 'unknown-route']);

export function leaveOut(reason: LeftOutReason, note = NOTES[reason]): LeftOut {
  return Object.freeze({ reason, note });
}

/** Whether an operation cannot be offered, even where it is named. */
export function isFinal({ reason }: LeftOut): boolean {
  return FINAL.has(reason);
}

/** The one of several that counts: a final one, else the first. */
export function chooseLeftOut(all: readonly (LeftOut | undefined)[]): LeftOut | undefined {
  const known = all.filter((each) => each !== undefined);
  return known.find(isFinal) ?? known[0];
}

/** The reason that is in the method, the path or a tag; undefined where none is. */
export function findReason(method: string, path: string, tags: readonly string[]): LeftOutReason | undefined {
  if (SILENT_METHODS.has(method)) return 'method';
  const segments = path.split('/').filter((segment) => segment !== '');
  if (segments.some((segment) => segment.includes('*') || segment.startsWith('('))) return 'wildcard';
  const literal = segments.filter((segment) => !segment.includes('{'));
  if (HEALTH.test(segments.at(-1) ?? '')) return 'health';
  return [...literal, ...tags].some((word) => AUTH.test(word)) ? 'auth' : undefined;
}
