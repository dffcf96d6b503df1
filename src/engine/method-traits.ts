/** What is particular about a method, beside what answers it. */
export interface MethodTraits {
  /** Of 2026-07-28: the member of the params that the header `Mcp-Name` repeats. */
  readonly namedBy?: 'name' | 'uri' | 'taskId';
  /** Of 2026-07-28: a client that was asked sends its answers with it. */
  readonly takesAnswers?: boolean;
  /** Of 2026-07-28: it stays open until the client or the server ends it. */
  readonly isStanding?: boolean;
  /** Up to 2025-11-25: it begins the session that later requests belong to. */
  readonly opensSession?: boolean;
  /** Its answer is long, so that a client that loses it should not have to ask again. */
  readonly isLong?: boolean;
}

const PLAIN: MethodTraits = Object.freeze({});

const TRAITS: ReadonlyMap<string, MethodTraits> = new Map<string, MethodTraits>([
  ['initialize', { opensSession: true }],
  ['tools/list', { isLong: true }],
  ['tools/call', { namedBy: 'name', takesAnswers: true }],
  ['prompts/list', { isLong: true }],
  ['prompts/get', { namedBy: 'name', takesAnswers: true }],
  ['resources/list', { isLong: true }],
  ['resources/templates/list', { isLong: true }],
  ['resources/read', { namedBy: 'uri', takesAnswers: true }],
  ['tasks/list', { isLong: true }],
  ['tasks/get', { namedBy: 'taskId' }],
  ['tasks/update', { namedBy: 'taskId', takesAnswers: true }],
  ['tasks/cancel', { namedBy: 'taskId' }],
  ['subscriptions/listen', { isStanding: true }],
]);

export function traitsOf(method: string): MethodTraits {
  return TRAITS.get(method) ?? PLAIN;
}
