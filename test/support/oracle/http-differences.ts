/** What clients and proxies go by, beside the messages. */
export interface AnswerHead {
  readonly status: number;
  /** Without its parameters. */
  readonly type: string;
  readonly hasSession: boolean;
  readonly allow: string | undefined;
  readonly cacheControl: string | undefined;
  readonly challenge: string | undefined;
  readonly retryAfter: string | undefined;
}

export function headOf(status: number, headers: { get(name: string): string | null }): AnswerHead {
  const textOf = (name: string): string | undefined => headers.get(name) ?? undefined;
  return {
    status,
    type: (textOf('content-type') ?? '').split(';')[0] ?? '',
    hasSession: headers.get('mcp-session-id') !== null,
    allow: textOf('allow'),
    cacheControl: textOf('cache-control'),
    challenge: textOf('www-authenticate'),
    retryAfter: textOf('retry-after'),
  };
}

/** What may differ from the head of an SDK's answer, in which cases and why. */
export const HEAD_DIFFERENCES: readonly {
  readonly cases: RegExp;
  readonly members: readonly (keyof AnswerHead)[];
  readonly own: Partial<AnswerHead>;
  readonly sdk: Partial<AnswerHead>;
  readonly why: string;
}[] = [
  {
    cases: /./,
    members: ['type', 'cacheControl'],
    own: { type: 'application/json' },
    sdk: { type: 'text/event-stream' },
    why: 'An answer that is alone is plain JSON; the SDK opens a stream for it (the server decides, request by request).',
  },
  {
    cases: /: a body with an empty batch$/,
    members: ['status', 'type'],
    own: { status: 400 },
    sdk: { status: 202 },
    why: 'JSON-RPC 2.0, 6: an empty batch is an invalid request.',
  },
  {
    cases: /: a head with a foreign (origin|host)$/,
    members: ['status', 'hasSession'],
    own: { status: 403 },
    sdk: { status: 200 },
    why: 'The SDK leaves the guard against DNS rebinding to the application that mounts it.',
  },
  {
    cases: /: a head with an encoding$/,
    members: ['status', 'hasSession'],
    own: { status: 415 },
    sdk: { status: 200 },
    why: 'The SDK reads a body as if it had no encoding.',
  },
  {
    cases: /: a head with any Accept$/,
    members: ['status', 'type', 'hasSession', 'cacheControl'],
    own: { status: 200 },
    sdk: { status: 406 },
    why: 'RFC 9110, 12.5.1: a wildcard accepts both types; the SDK looks for their names.',
  },
  {
    cases: /as plain JSON: a head with no Accept of streams$/,
    members: ['status', 'type', 'hasSession', 'cacheControl'],
    own: { status: 200 },
    sdk: { status: 406 },
    why: 'Where every answer is plain JSON, a client need not accept streams.',
  },
  {
    cases: /^without sessions.*: (PUT|PATCH|HEAD|OPTIONS|GET|DELETE)/,
    members: ['status', 'allow'],
    own: { status: 405, allow: 'POST' },
    sdk: {},
    why: 'Without sessions there is nothing to GET or to DELETE, and `Allow` says so.',
  },
];

/** The reasons of all that differs; a name of a member stands for what must not differ. */
export function differencesOf(name: string, own: AnswerHead, sdk: AnswerHead): readonly string[] {
  const allowed = HEAD_DIFFERENCES.filter(
    (difference) => difference.cases.test(name) && isLike(own, difference.own) && isLike(sdk, difference.sdk),
  );
  const members = (Object.keys(own) as (keyof AnswerHead)[]).filter((key) => own[key] !== sdk[key]);
  return members.map((member) => allowed.find((each) => each.members.includes(member))?.why ?? member);
}

/** Whether a difference is one that must not be. */
export function isFault(difference: string): boolean {
  return !HEAD_DIFFERENCES.some(({ why }) => why === difference);
}

function isLike(head: AnswerHead, part: Partial<AnswerHead>): boolean {
  return (Object.keys(part) as (keyof AnswerHead)[]).every((key) => head[key] === part[key]);
}
