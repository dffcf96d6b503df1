import {
  advise,
  listedTools,
  refusedTools,
  type AdvisedPlace,
  type AdviceRule,
  type ListeningOptions,
} from './advice-rule.ts';
import { CLIENT_RULES, LIST_RULES } from './client-advice.ts';
import type { ApplicationParts } from './assemble-application.ts';
import { handlersIn, listingNotices, warningsOf } from './describe-application.ts';
import type { Problem } from '../errors/problem-list.ts';
import { defaultGroupName } from '../scanner/groups/names.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import { inWords } from '../scanner/members/feature-uses.ts';
import type { ScannedCallable } from '../scanner/members/scanned-callable.ts';
import { describeValue } from '../shared/describe-value.ts';
import { listValues } from '../shared/listing.ts';
import { isLoopbackUrl, LOOPBACK_NAMES } from '../shared/loopback.ts';
import { signInOptions } from '../app/sign-ins.ts';
import type { ApplicationSettings } from './application-settings.ts';

/** What works, and could be better or safer; last, what is only good to know (`TW_NOTE_…`). */
export function adviceOn(
  { scanned, settings, compiled, registry, service }: ApplicationParts,
  listening: ListeningOptions | undefined,
): readonly Problem[] {
  const tools = listedTools(registry.sets);
  const { name } = settings;
  const application = { name, scanned, settings, compiled, tools, refused: refusedTools(tools), listening };
  return Object.freeze([
    ...advise([...CLIENT_RULES, ...LIST_RULES, ...SAFETY_RULES], application),
    ...scanned.warnings,
    ...warningsOf(compiled),
    ...listingNotices(registry.sets, settings.surfaces),
    ...advise(NOTES, application),
    ...service.settings.features.flatMap((feature) => feature.notes?.(scanned) ?? []),
  ]);
}

/** A minifier gives classes names of one or two characters; nobody else names a group of tools so. */
const MINIFIED = /^[a-z$_][a-z0-9$_]?$/i;
const MAX_KEY_LENGTH = 128;
const EVERY_ADDRESS = new Set(['0.0.0.0', '::', '[::]']);

const SAFETY_RULES: readonly AdviceRule[] = [
  {
    code: 'TW_ADVICE_MINIFIED',
    why: 'the next bundle may give it another name, and clients ask for tools by name.',
    fix: "@ToolGroup('tasks'), or keep names: keepNames of esbuild, keep_classnames of terser",
    find: ({ scanned }) =>
      scanned.tools
        .filter(({ name, where }) => MINIFIED.test(where) && name === defaultGroupName(where))
        .map(({ name, where }) => ({
          where,
          what: `is listed as the tool ${JSON.stringify(name)}, after a class whose name looks like one of a minifier.`,
        })),
  },
  {
    code: 'TW_ADVICE_DESTRUCTIVE',
    fix: "@Scopes('…'), @Roles('…') or @Policy(…) on it or on its group",
    find: ({ scanned, settings }) =>
      unprotectedDestruction(scanned, settings).map(({ where }) => ({
        where,
        what: 'is destructive, and requires nothing of its callers but a token.',
      })),
  },
  {
    code: 'TW_ADVICE_LIMIT',
    fix: "limits: { rate: { limit: 60, per: 'minute' } } in the options of the application, @RateLimit, or requestRates of listen()",
    find: ({ name, scanned, settings, listening }) => {
      const free = unlimitedCallables(scanned, settings, listening);
      if (free.length === 0) return [];
      const named = listValues(free, ({ where }) => where);
      return [{ where: name, what: `lets everybody call ${named} as often as they like.` }];
    },
  },
  {
    code: 'TW_ADVICE_HOST',
    why: 'a web page that gives its own name the address of this machine may then call it.',
    fix: "allowedHosts: ['mcp.example']",
    find: ({ listening: { host = '', allowedHosts } = {} }) =>
      allowedHosts !== undefined || !EVERY_ADDRESS.has(host)
        ? []
        : [{ where: 'listen()', what: `listens at ${host}, and takes requests for every host name.` }],
  },
  {
    code: 'TW_ADVICE_SIGN_IN',
    why: 'clients and browsers elsewhere look for it on their own machine.',
    fix: "auth.resource: 'https://desk.example/mcp', and auth.signIn.issuer with https, or left out",
    find: ({ settings: { auth }, listening }) => localSignIn(auth, listening),
  },
  {
    // The keys of the actions of a tool are values of one argument, and stand in one line of its description
    code: 'TW_ADVICE_ACTION_NAME',
    why: 'a model has to repeat it letter by letter, and the description of its tool lists keys with "," and "|" between them.',
    fix: `@Action({ name: '…' }) with a name of at most ${String(MAX_KEY_LENGTH)} characters, without "," and "|"`,
    find: ({ scanned }) =>
      scanned.tools
        .flatMap(({ actions }) => actions)
        .flatMap(({ key, where }) => {
          const separator = /[,|]/.exec(key)?.[0];
          if (separator === undefined && key.length <= MAX_KEY_LENGTH) return [];
          const has = separator === undefined ? `${String(key.length)} characters` : `"${separator}" in it`;
          return { where, what: `has a key with ${has}: ${describeValue(key)}.` };
        }),
  },
];

const NOTES: readonly AdviceRule[] = [
  {
    code: 'TW_NOTE_LOOSE',
    why: 'JSON Schema has no keyword for it, so a call that fits the schema may still be refused.',
    fix: 'nothing, as the description of the field says it; a validator that JSON Schema knows (@Min, @IsIn) publishes its rule',
    find: ({ compiled }) =>
      handlersIn(compiled).flatMap(([where, { looseFields }]) =>
        looseFields.length === 0
          ? []
          : [
              {
                where,
                what: `is stricter than its schema: ${listValues(looseFields, ({ field, reason }) => `${field}: ${reason}`, '; ')}.`,
              },
            ],
      ),
  },
];

function unprotectedDestruction(
  { tools }: ScannedApplication,
  { auth }: ApplicationSettings,
): readonly ScannedCallable[] {
  if (auth === undefined || auth === false) return [];
  return tools
    .flatMap(({ actions }) => actions)
    .filter(({ isDestructive, requirements }) => {
      const isRequiring = requirements?.all.some(({ kind }) => kind !== 'authenticated') === true;
      return isDestructive && !isRequiring;
    });
}

/** What everybody may call as often as they like. */
function unlimitedCallables(
  { tools, prompts, resources }: ScannedApplication,
  { auth, scan: { features } }: ApplicationSettings,
  listening: ListeningOptions | undefined,
): readonly ScannedCallable[] {
  const isProtected = auth !== undefined && auth !== false;
  const isOpen = isProtected
    ? auth.default === 'public'
    : listening !== undefined && !isLocal(listening) && listening.authenticate === undefined;
  if ((!isProtected && !isOpen) || listening?.requestRates !== undefined) return [];
  const callables: readonly ScannedCallable[] = [
    ...tools.flatMap(({ actions }) => actions),
    ...prompts,
    ...resources,
  ];
  return callables.filter(
    ({ requirements, slots }) =>
      inWords('boundsIn', slots, features).length === 0 && (requirements?.isPublic ?? isOpen),
  );
}

/** Addresses of a sign-in that no other machine reaches, though the application is for others. */
function localSignIn(
  auth: ApplicationSettings['auth'],
  listening: ListeningOptions | undefined,
): readonly AdvisedPlace[] {
  if (auth === undefined || auth === false || auth.signIn === undefined) return [];
  const { resource, signIn } = auth;
  const { issuer } = signInOptions(signIn);
  const isForOthers = listening !== undefined && !isLocal(listening);
  if (resource !== undefined && isForOthers && isLoopbackUrl(new URL(resource)))
    return [{ where: 'auth.resource', what: `is ${resource} on this machine, and listen() serves others.` }];
  if (resource === undefined || issuer === undefined || isLoopbackUrl(new URL(resource))) return [];
  return isLoopbackUrl(new URL(issuer))
    ? [{ where: 'auth.signIn.issuer', what: `is ${issuer} on this machine, and ${resource} is not.` }]
    : [];
}

function isLocal({ host = '127.0.0.1' }: ListeningOptions): boolean {
  return [...LOOPBACK_NAMES, '::1'].includes(host.toLowerCase());
}
