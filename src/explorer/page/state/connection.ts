import { signal } from '@preact/signals';
import { HttpTransport } from '../../../client/http-transport.ts';
import { McpClient } from '../../../client/mcp-client.ts';
import { PATHS } from '../../contract.ts';
import { ObservedTransport } from './observed-transport.ts';
import { ask } from './questions.ts';
import { ownHeaders } from './session.ts';
import { caller, era, headers } from './settings.ts';
import { addSpan } from './timeline.ts';

/** Changes of resources that were subscribed to, by URI: how many. */
export const resourceChanges = signal<ReadonlyMap<string, number>>(new Map());

let current: { readonly key: string; readonly client: Promise<McpClient> } | undefined;

/** The client for the chosen era, caller and headers. A connection that failed is tried again. */
export function connect(): Promise<McpClient> {
  const key = JSON.stringify([era.value, caller.value, headers.value]);
  if (current?.key === key) return current.client;
  current?.client.then((client) => client.close()).catch(() => undefined);
  const client = open();
  current = { key, client };
  client.catch(() => {
    if (current?.client === client) current = undefined;
  });
  return client;
}

/** After a failure of the connection, such as a session that the server no longer knows. */
export function disconnect(): void {
  current?.client.then((client) => client.close()).catch(() => undefined);
  current = undefined;
}

function open(): Promise<McpClient> {
  const transport = new HttpTransport(new URL(PATHS.mcp, location.href), {
    headers: { ...Object.fromEntries(headers.value), ...ownHeaders(caller.value) },
    fetch: (input, init) => fetch(input, init),
  });
  return McpClient.connect(new ObservedTransport(transport), {
    name: 'toolwright-explorer',
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
