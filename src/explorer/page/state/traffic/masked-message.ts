import { effect } from '@preact/signals';
import { membersOf } from '../../../../shared/json.ts';
import type { ExploredAction, ExploredApplication, ExploredOffer, JsonObject } from '../../../contract.ts';
import { Mask, REDACTED, withoutTexts } from '../../../masking.ts';
import { knownApplication } from '../application.ts';
import { headers } from '../settings.ts';
import { signedIn } from '../sign-in.ts';
import type { HttpExchange, Passed } from './span.ts';

/** What was sent in sensitive fields and headers: left out of all that the page keeps. */
const secrets = new Set<string>();
/** Shorter parts of a header are the names of schemes and cookies. */
const SHORTEST_CREDENTIAL = 8;
/** While another application is being loaded, what is known of the last one counts. */
let last: ExploredApplication | undefined;

effect(() => {
  last = knownApplication.value ?? last;
});
effect(() => {
  const parts = headers.value.flatMap(([, value]) => value.split(/[\s;,=]+/));
  for (const part of parts) if (part.length >= SHORTEST_CREDENTIAL) secrets.add(part);
});
effect(() => {
  if (signedIn.value !== undefined) secrets.add(signedIn.value.token);
});

/** The actions that a call may reach: the one that its arguments name, else all of its tool. */
export function actionsOf({ name, arguments: args }: JsonObject): readonly ExploredAction[] {
  const actions = last?.tools.find((tool) => tool.name === name)?.actions ?? [];
  const given = membersOf(args);
  const named = actions.filter(({ fixedArguments }) =>
    Object.entries(fixedArguments).every(([member, value]) => given[member] === value),
  );
  return named.length === 0 ? actions : named;
}

/** Arguments as they may be copied. */
export function maskArguments(actions: readonly ExploredAction[], args: JsonObject): JsonObject {
  const names = new Set(
    actions.flatMap(({ inputSchema, fixedArguments }) => [
      ...namesIn(inputSchema),
      ...Object.keys(fixedArguments),
    ]),
  );
  const mask = new Mask(
    actions.flatMap(({ inside }) => inside.sensitive),
    names,
  );
  const masked = mask.places(withoutStrays(actions, args));
  for (const text of mask.found) secrets.add(text);
  return withoutTexts(masked, secrets) as JsonObject;
}

/** All names of members that a schema declares, at any depth. */
function* namesIn(schema: unknown): Generator<string> {
  for (const [keyword, inner] of Object.entries(membersOf(schema))) {
    if (keyword === 'properties') yield* Object.keys(membersOf(inner));
    yield* namesIn(inner);
  }
}

/** Where an action has sensitive fields, a name that it does not know may be a misspelt one of them. */
function withoutStrays(actions: readonly ExploredAction[], args: JsonObject): JsonObject {
  if (actions.every(({ inside }) => inside.sensitive.length === 0)) return args;
  const known = new Set(
    actions.flatMap(({ inputSchema, fixedArguments }) => [
      ...Object.keys(membersOf(inputSchema['properties'])),
      ...Object.keys(fixedArguments),
    ]),
  );
  const entries = Object.entries(args);
  return Object.fromEntries(entries.map(([name, value]) => [name, known.has(name) ? value : REDACTED]));
}

/** A message as the page keeps it. @param begun the first message of its exchange, which says what is called */
export function maskMessage(message: unknown, begun: unknown): unknown {
  const { method, params } = membersOf(begun);
  const asked = membersOf(params);
  const mask = new Mask([...pathsOfUris(), ...(PATHS_OF[String(method)]?.(asked) ?? [])]);
  const placed = mask.places(message);
  for (const text of mask.found) secrets.add(text);
  return withoutTexts(method === 'tools/call' ? placedArguments(placed) : placed, secrets);
}

/** The same with what HTTP said around it. */
export function maskPassed(passed: Passed, begun: unknown): Passed {
  const { message, http, ...rest } = passed;
  return {
    ...rest,
    message: maskMessage(message, begun),
    ...(http === undefined ? {} : { http: maskMessage(http, undefined) as HttpExchange }),
  };
}

function placedArguments(message: unknown): unknown {
  const { method, params } = membersOf(message);
  const { arguments: args } = membersOf(params);
  if (method !== 'tools/call' || args === undefined) return message;
  const masked = maskArguments(actionsOf(membersOf(params)), membersOf(args));
  return { ...membersOf(message), params: { ...membersOf(params), arguments: masked } };
}

type PathsOf = (asked: JsonObject) => readonly string[];

/** Where a message of an exchange has sensitive values, by what it began with. */
const PATHS_OF: Readonly<Record<string, PathsOf>> = {
  'prompts/get': ({ name }) =>
    sensitiveOf(last?.prompts ?? [], name).map((path) => `params.arguments.${path}`),
  'completion/complete': ({ ref }) => {
    const { uri, name } = membersOf(ref);
    const sensitive = sensitiveOf([...(last?.prompts ?? []), ...(last?.templates ?? [])], uri ?? name);
    return sensitive.length === 0
      ? []
      : ['params.argument.value', 'params.context', 'result.completion.values'];
  },
  // The result of a task comes with its status. What is not an object by itself is below `result`.
  'tools/call': (asked) =>
    actionsOf(asked)
      .flatMap(({ inside }) => inside.sensitiveOutput)
      .flatMap((path) => [`structuredContent.${path}`, `structuredContent.result.${path}`])
      .flatMap((path) => [`result.${path}`, `result.result.${path}`]),
};

function sensitiveOf(offers: readonly ExploredOffer[], wanted: unknown): readonly string[] {
  return offers.find(({ id }) => id === wanted)?.inside.sensitive ?? [];
}

/** A URI that a template with a sensitive variable may have made. */
function pathsOfUris(): readonly string[] {
  const hasAny = last?.templates.some(({ inside }) => inside.sensitive.length > 0) === true;
  return hasAny ? ['params.uri', 'result.contents[].uri', 'params.notifications.resourceSubscriptions'] : [];
}
