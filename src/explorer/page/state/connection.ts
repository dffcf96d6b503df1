import { computed, signal } from '@preact/signals';
import { HttpTransport } from '../../../client/http-transport.ts';
import { McpClient } from '../../../client/mcp-client.ts';
import { PATHS } from '../../contract.ts';
import { HttpHeads } from './traffic/http-heads.ts';
import { ObservedTransport } from './traffic/observed-transport.ts';
import { ask } from './questions.ts';
import { ownHeaders } from './session.ts';
import { caller, era, headers } from './settings.ts';
import { knownApplication } from './application.ts';
import { person } from './sign-in.ts';
import { addSpan } from './traffic/timeline.ts';

/** What the page calls itself. */
export const CLIENT_NAME = 'toolwright-explorer';

/** Changes of resources that were subscribed to, by URI: how many. */
export const resourceChanges = signal<ReadonlyMap<string, number>>(new Map());

const current = signal<{ readonly key: string; readonly client: Promise<McpClient> } | undefined>(undefined);
/** The client of the last request; undefined before the first, and after a failure of the connection. */
export const openedClient = computed(() => current.value?.client);

/** The client for the chosen era, caller and headers. A connection that failed is tried again. */
export function connect(): Promise<McpClient> {
  const key = JSON.stringify([era.value, caller.value, headers.value, person.value?.token]);
  const before = current.peek();
  if (before?.key === key) return before.client;
  before?.client.then((client) => client.close()).catch(() => undefined);
  const client = open();
  current.value = { key, client };
  client.catch(() => {
    if (current.peek()?.client === client) current.value = undefined;
  });
  return client;
}

/** After a failure of the connection, such as a session that the server no longer knows. */
export function disconnect(): void {
  current
    .peek()
    ?.client.then((client) => client.close())
    .catch(() => undefined);
  current.value = undefined;
}

function open(): Promise<McpClient> {
  const heads = new HttpHeads();
  // A person calls where all clients do
  const place = person.value === undefined ? PATHS.mcp : (knownApplication.peek()?.endpoint ?? PATHS.mcp);
  const transport = new HttpTransport(new URL(place, location.href), {
    headers: sentHeaders(),
    fetch: heads.fetch,
  });
  return McpClient.connect(new ObservedTransport(transport, heads), {
    name: CLIENT_NAME,
    era: era.value,
    timeout: 600_000,
    onElicitation: (params) => ask('elicitation/create', params),
    onSampling: (params) => ask('sampling/createMessage', params),
    onNotification: (method, params) => {
      if (method === 'notifications/resources/updated' && typeof params['uri'] === 'string')
        resourceChanges.value = new Map(resourceChanges.value).set(
          params['uri'],
          (resourceChanges.value.get(params['uri']) ?? 0) + 1,
        );
      const messages = [{ at: Date.now(), direction: 'received', message: { method, params } }] as const;
      addSpan({
        kind: 'notification',
        method,
        subject: '',
        at: Date.now(),
        duration: 0,
        state: 'done',
        messages,
      });
    },
  });
}

/** Those of the page come last: no header that a person types replaces the token, in whatever case it is written. */
function sentHeaders(): Readonly<Record<string, string>> {
  const sent = new Headers(headers.value.map(([name, value]): [string, string] => [name, value]));
  const { value: signedIn } = person;
  const own =
    signedIn === undefined ? ownHeaders(caller.value) : { authorization: `Bearer ${signedIn.token}` };
  for (const [name, value] of Object.entries(own)) sent.set(name, value);
  return Object.fromEntries(sent);
}
