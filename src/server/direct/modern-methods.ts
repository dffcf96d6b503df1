/** What is particular about a method of 2026-07-28, beside what answers it. */
export interface MethodTraits {
  /** The member of the params that the header `Mcp-Name` repeats. */
  readonly namedBy?: 'name' | 'uri' | 'taskId';
  /** A client that was asked sends its answers with it. */
  readonly takesAnswers?: boolean;
  /** It stays open until the client or the server ends it. */
  readonly isStanding?: boolean;
}

const PLAIN: MethodTraits = Object.freeze({});

const TRAITS: ReadonlyMap<string, MethodTraits> = new Map<string, MethodTraits>([
  ['tools/call', { namedBy: 'name', takesAnswers: true }],
  ['prompts/get', { namedBy: 'name', takesAnswers: true }],
  ['resources/read', { namedBy: 'uri', takesAnswers: true }],
  ['tasks/get', { namedBy: 'taskId' }],
  ['tasks/update', { namedBy: 'taskId', takesAnswers: true }],
  ['tasks/cancel', { namedBy: 'taskId' }],
  ['subscriptions/listen', { isStanding: true }],
]);

export function traitsOf(method: string): MethodTraits {
  return TRAITS.get(method) ?? PLAIN;
}
