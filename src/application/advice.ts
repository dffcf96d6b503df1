import type { ApplicationParts } from './assemble-application.ts';
import { adviceOnClients } from './client-advice.ts';
import type { Problem } from '../errors/problem-list.ts';
import { defaultGroupName } from '../scanner/groups/names.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import type { ScannedCallable } from '../scanner/members/scanned-callable.ts';
import { describeValue } from '../shared/describe-value.ts';
import type { ApplicationSettings } from './application-settings.ts';
import type { HttpListenOptions } from './listen-options.ts';

/** How an application is served over HTTP, as far as advice depends on it. */
export type ListeningOptions = Pick<
  HttpListenOptions,
  'host' | 'allowedHosts' | 'authenticate' | 'requestRates'
>;

/** What works, but looks unsafe. */
export function adviceOn(
  { scanned, settings, compiled }: Pick<ApplicationParts, 'scanned' | 'settings' | 'compiled'>,
  listening: ListeningOptions | undefined,
): readonly Problem[] {
  return Object.freeze([
    ...adviceOnClients(compiled),
    ...adviceOnMinifiedNames(scanned),
    ...adviceOnDestruction(scanned, settings),
    ...adviceOnLimits(scanned, settings, listening),
    ...adviceOnHosts(listening),
    ...adviceOnKeys(scanned),
  ]);
}

/** A minifier gives classes names of one or two characters; nobody else names a group of tools so. */
const MINIFIED = /^[a-z$_][a-z0-9$_]?$/i;

function adviceOnMinifiedNames({ tools }: ScannedApplication): Problem[] {
  const named = tools.filter(({ name, where }) => MINIFIED.test(where) && name === defaultGroupName(where));
  return named.map(({ name, where }) => ({
    code: 'TW_ADVICE_MINIFIED',
    where,
    what: `is listed as the tool ${JSON.stringify(name)}, after a class whose name looks like one of a minifier.`,
    why: 'the next bundle may give it another name, and clients ask for tools by name.',
    fix: "@ToolGroup('tasks'), or keep names: keepNames of esbuild, keep_classnames of terser",
  }));
}

function adviceOnDestruction({ tools }: ScannedApplication, { auth }: ApplicationSettings): Problem[] {
  if (auth === undefined || auth === false) return [];
  const open = tools
    .flatMap(({ actions }) => actions)
    .filter(({ isDestructive, requirements }) => {
      const isRequiring = requirements?.all.some(({ kind }) => kind !== 'authenticated') === true;
      return isDestructive && !isRequiring;
    });
  return open.map(({ where }) => ({
    code: 'TW_ADVICE_DESTRUCTIVE',
    where,
    what: 'is destructive, and requires nothing of its callers but a token.',
    fix: "@Scopes('…'), @Roles('…') or @Policy(…) on it or on its group",
  }));
}

const MOST_NAMED = 5;

/** One piece of advice, which names all that can be called without a limit. */
function adviceOnLimits(
  { tools, prompts, resources }: ScannedApplication,
  { auth, name }: ApplicationSettings,
  listening: ListeningOptions | undefined,
): Problem[] {
  const isProtected = auth !== undefined && auth !== false;
  const isOpen = isProtected
    ? auth.default === 'public'
    : listening !== undefined && !isLocal(listening) && listening.authenticate === undefined;
  const callables: readonly ScannedCallable[] = [
    ...tools.flatMap(({ actions }) => actions),
    ...prompts,
    ...resources,
  ];
  const free = callables.filter(
    ({ requirements, limits }) => limits.length === 0 && (requirements?.isPublic ?? isOpen),
  );
  if (free.length === 0 || (!isProtected && !isOpen) || listening?.requestRates !== undefined) return [];
  const named = free.slice(0, MOST_NAMED).map(({ where }) => where);
  const others = free.length > MOST_NAMED ? ` and ${String(free.length - MOST_NAMED)} more` : '';
  return [
    {
      code: 'TW_ADVICE_LIMIT',
      where: name,
      what: `lets everybody call ${named.join(', ')}${others} as often as they like.`,
      fix: "limits: { rate: { limit: 60, per: 'minute' } } in the options of the application, @RateLimit, or requestRates of listen()",
    },
  ];
}

const MAX_KEY_LENGTH = 128;

/** The keys of the actions of a tool are values of one argument, and stand in one line of its description. */
function adviceOnKeys({ tools }: ScannedApplication): Problem[] {
  return tools
    .flatMap(({ actions }) => actions)
    .flatMap(({ key, where }) => {
      const separator = /[,|]/.exec(key)?.[0];
      if (separator === undefined && key.length <= MAX_KEY_LENGTH) return [];
      const has = separator === undefined ? `${String(key.length)} characters` : `"${separator}" in it`;
      return {
        code: 'TW_ADVICE_ACTION_NAME' as const,
        where,
        what: `has a key with ${has}: ${describeValue(key)}.`,
        why: 'a model has to repeat it letter by letter, and the description of its tool lists keys with "," and "|" between them.',
        fix: `@Action({ name: '…' }) with a name of at most ${String(MAX_KEY_LENGTH)} characters, without "," and "|"`,
      };
    });
}

const EVERY_ADDRESS = new Set(['0.0.0.0', '::', '[::]']);

function adviceOnHosts(listening: ListeningOptions | undefined): Problem[] {
  if (listening === undefined || listening.allowedHosts !== undefined) return [];
  if (!EVERY_ADDRESS.has(listening.host ?? '')) return [];
  return [
    {
      code: 'TW_ADVICE_HOST',
      where: 'listen()',
      what: `listens at ${String(listening.host)}, and takes requests for every host name.`,
      why: 'a web page that gives its own name the address of this machine may then call it.',
      fix: "allowedHosts: ['mcp.example']",
    },
  ];
}

function isLocal({ host = '127.0.0.1' }: ListeningOptions): boolean {
  return ['localhost', '127.0.0.1', '::1', '[::1]'].includes(host.toLowerCase());
}
