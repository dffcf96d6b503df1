import { signal } from '@preact/signals';
import { connect, openedClient } from './connection.ts';

interface Followed {
  /** What the subscription ends with. */
  readonly of: ReturnType<typeof connect>;
  readonly end: () => Promise<void>;
}

const followed = signal<ReadonlyMap<string, Followed>>(new Map());

/** Whether this page is notified of changes of a resource. It lasts as long as its connection, whatever view is shown. */
export function isFollowed(uri: string): boolean {
  return followed.value.get(uri)?.of === openedClient.value && openedClient.value !== undefined;
}

export async function follow(uri: string): Promise<void> {
  const of = connect();
  const end = await (await of).subscribe({ uris: [uri] });
  followed.value = new Map(followed.value).set(uri, { of, end });
}

export async function unfollow(uri: string): Promise<void> {
  const rest = new Map(followed.value);
  const known = rest.get(uri);
  rest.delete(uri);
  followed.value = rest;
  await known?.end();
}
