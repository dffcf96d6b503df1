import type { Heard } from './transcript.ts';

/** What may differ from SDK v1, in which cases and why. */
export const DIFFERENCES: readonly {
  readonly cases: RegExp;
  readonly leaveOut: (message: Heard) => Heard | undefined;
  readonly why: string;
}[] = [
  {
    cases: /^a handshake with(out| wrong)|^a handshake of|^a level (that|without)|^request \d+: logging/,
    leaveOut: ({ error, ...message }) => ({ ...message, ...(error && { error: { code: 0, message: '' } }) }),
    why: 'Wrong params are invalid params, told in a sentence; the SDK calls them an internal error and dumps its checks.',
  },
  {
    cases: /^request \d+: tools\/call (\{"name":5\}|\{\})$/,
    leaveOut: ({ error, ...message }) => ({
      ...message,
      ...(error && { error: { code: error.code, message: '' } }),
    }),
    why: 'The SDK dumps its checks of calls.',
  },
  {
    cases: /^request \d+: tools\/call .*("arguments":(\[1\]|null)|"task":"no")/,
    leaveOut: ({ id, result, error, ...message }) =>
      result?.['serverInfo'] === undefined && (result ?? error) !== undefined ? { id } : { id, ...message },
    why: 'Arguments that are no object are repaired by models like all others; the SDK refuses the request.',
  },
  {
    cases: /^a call that belongs to a task$/,
    leaveOut: (message) => (message.method === 'notifications/message' ? undefined : message),
    why: 'The SDK loses what a call says that names a task, for which it has no queue.',
  },
];

/** What has to be the same in a case. */
export function comparable(heard: readonly Heard[], name: string): readonly Heard[] {
  return DIFFERENCES.filter(({ cases }) => cases.test(name)).reduce<readonly Heard[]>(
    (messages, { leaveOut }) => messages.flatMap((message) => leaveOut(message) ?? []),
    heard,
  );
}
