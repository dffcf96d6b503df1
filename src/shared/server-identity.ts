/** A server as catalogues of servers know it: `server.json` of the MCP registry, and server cards. */
export interface ServerIdentity {
  /** The reversed name of a domain, a slash and a name. */
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly version: string | undefined;
  readonly title?: string | undefined;
  readonly websiteUrl?: string | undefined;
  readonly repository?: { readonly url: string } | undefined;
  readonly remotes?: readonly { readonly url: string }[] | undefined;
}

/** What no catalogue would take. */
export interface IdentityFault {
  readonly member: string;
  /** The rest of a sentence that begins with the member. */
  readonly what: string;
  readonly fix: string;
}

const NAME = /^[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+\/[a-z\d][\w.-]*[a-z\d]$/i;
const MAX_NAME_CHARS = 200;
const MAX_TEXT_CHARS = 100;
const MAX_VERSION_CHARS = 255;
const RANGE = /[\^~<>=*|\s]|^latest$|(?:^|\.)x(?:\.|$)/i;
/** How much of a wrong value is shown. */
const SHOWN_CHARS = 40;

/** All that is wrong with an identity, by the published schemas and by what the registry checks besides. */
export function findIdentityFaults(identity: ServerIdentity): readonly IdentityFault[] {
  const { name, description, version, title, websiteUrl, repository, remotes = [] } = identity;
  return [
    ...faultIf(!isName(name), 'name', name, 'not the reversed name of a domain, one slash and a name', {
      fix: "'com.example/weather', or 'io.github.<user>/<name>'",
    }),
    ...faultInText('description', description ?? '', 'what the server does, in one line'),
    ...(title === undefined ? [] : faultInText('title', title, 'the name that people read')),
    ...faultIf(!isVersion(version), 'version', version, 'not one exact version', { fix: "'1.0.0'" }),
    ...faultIf(
      websiteUrl !== undefined && !isHttps(websiteUrl),
      'websiteUrl',
      websiteUrl,
      'not an https URL',
      {
        fix: "'https://example.com'",
      },
    ),
    ...faultIf(
      repository !== undefined && !isHttps(repository.url),
      'repository',
      repository?.url,
      'not an https URL',
      {
        fix: "'https://github.com/<user>/<name>'",
      },
    ),
    ...remotes.flatMap(({ url }, index) =>
      faultIf(!isHttps(fillVariables(url)), `remotes[${String(index)}].url`, url, 'not an https URL', {
        fix: "'https://example.com/mcp', without a user and a password",
      }),
    ),
  ];
}

/** An address of a server, as its author writes it. */
interface GivenRemote {
  readonly url: string;
  readonly headers?: readonly object[];
}

/** An address of a server, as catalogues write it. */
export interface PublishedRemote extends GivenRemote {
  readonly type: 'streamable-http';
  /** What stands in braces in the URL, which each client fills in. */
  readonly variables?: Readonly<Record<string, object>>;
}

/**
 * Where clients reach a server; undefined where its author does not say it. `auth.resource` is an address, unless it is
 * of this machine.
 */
export function publishRemotes(
  remotes: readonly GivenRemote[] | undefined,
  auth: { readonly resource?: string } | false | undefined,
): readonly PublishedRemote[] | undefined {
  const { resource = '' } = auth === undefined || auth === false ? {} : auth;
  const given = remotes ?? (resource.startsWith('https:') ? [{ url: resource }] : undefined);
  return given?.map(publishRemote);
}

function publishRemote({ url, headers }: GivenRemote): PublishedRemote {
  const variables = [...url.matchAll(/\{(\w+)\}/g)].map(
    ([, name = '']) => [name, { isRequired: true }] as const,
  );
  return {
    ...{ type: 'streamable-http', url },
    ...(headers === undefined ? {} : { headers }),
    ...(variables.length === 0 ? {} : { variables: Object.fromEntries(variables) }),
  };
}

function fillVariables(url: string): string {
  return url.replaceAll(/\{\w+\}/g, 'x');
}

function isName(name: string | undefined): boolean {
  return name !== undefined && name.length <= MAX_NAME_CHARS && NAME.test(name);
}

function isVersion(version: string | undefined): boolean {
  if (version === undefined || version === '' || version.length > MAX_VERSION_CHARS) return false;
  return !RANGE.test(version) && !/\p{Cc}/u.test(version);
}

/** A catalogue cannot reach the machine at hand, and everybody who reads a URL reads the password in it. */
function isHttps(text: string): boolean {
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}

function faultInText(member: string, text: string, meaning: string): readonly IdentityFault[] {
  const { length } = Array.from(text);
  const fix = `${meaning}, of 1 to ${String(MAX_TEXT_CHARS)} characters`;
  if (length > MAX_TEXT_CHARS) {
    return [
      { member, what: `has ${String(length)} characters, and ${String(MAX_TEXT_CHARS)} are allowed.`, fix },
    ];
  }
  return faultIf(text.trim() === '' || /\p{Cc}/u.test(text), member, text, 'empty, or not one line', { fix });
}

function faultIf(
  isWrong: boolean,
  member: string,
  given: string | undefined,
  why: string,
  { fix }: Pick<IdentityFault, 'fix'>,
): readonly IdentityFault[] {
  if (!isWrong) return [];
  const what = given === undefined || given === '' ? 'is missing.' : `is ${show(given)}, ${why}.`;
  return [{ member, what, fix }];
}

/** JSON escapes what a terminal would obey. */
function show(text: string): string {
  const shown = text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text;
  return JSON.stringify(shown);
}
