import { McpApplication, SqliteStore, type Backplane, type Store } from 'toolwright';
import { oidc } from 'toolwright/sign-in';
import { AppModule } from './app.module.ts';
import { CALLBACK, CLIENT_ID, DESK_ID, DESK_SECRET } from './identity/client-id.ts';
import { settings } from './settings.ts';

/** What people agree to, in words of theirs. */
const SCOPES = {
  'tickets:read': 'Read tickets',
  'tickets:write': 'Open, answer and assign tickets',
  'refunds:write': 'Pay money back',
};
const { folder, redis, resource, secrets } = settings;

/** The desk, ready to serve or to work. @param issuer whom people sign in with */
export async function openDesk(issuer: string): Promise<McpApplication> {
  const claims = { tenant: 'tenant', roles: 'roles' };
  const provider = oidc({ issuer, clientId: DESK_ID, clientSecret: DESK_SECRET, claims });
  const client = { id: CLIENT_ID, name: 'Support desk client', redirects: [CALLBACK] };
  const calls = new SqliteStore({ url: `file:${folder}/calls.db` });
  return McpApplication.create(AppModule.forRoot(`${folder}/tickets.db`), {
    name: 'support-desk',
    version: '1.0.0',
    openWorld: false,
    surface: 'auto',
    instructions: 'Answer the customers of your company. Pay money back only if the user asks for it.',
    auth: {
      ...(resource && { resource }),
      signIn: { provider, scopes: SCOPES, clients: { static: [client] } },
      scopesSupported: ['tickets:read'],
    },
    ...(secrets && { secrets }),
    backplane: redis ? withCalls(await backplaneOn(redis), calls) : { store: calls },
    limits: { rate: { limit: 100, per: 'minute' }, timeout: 30_000 },
  });
}

/** Calls that run once stay on disk also beside Redis, which may forget its last writes: money is paid once. */
function withCalls(shared: Backplane, calls: Store): Backplane {
  const open: Backplane['open'] = async (application) => {
    const ports = await shared.open(application);
    const storeOf = (collection: string): Store =>
      collection === 'idempotency' ? calls : (ports.store ?? calls);
    const store: Store = {
      get: (collection, ...rest) => storeOf(collection).get(collection, ...rest),
      put: (collection, ...rest) => storeOf(collection).put(collection, ...rest),
      delete: (collection, ...rest) => storeOf(collection).delete(collection, ...rest),
      forget: async (collection, owner) => (await storeOf(collection).forget?.(collection, owner)) ?? 0,
      now: async () => (await ports.store?.now?.()) ?? Date.now(),
    };
    return { ...ports, store };
  };
  return { open };
}

async function backplaneOn(url: string): Promise<Backplane> {
  const { redisBackplane, bullQueues } = await import('toolwright/redis');
  const { createClient } = await import('@redis/client');
  return redisBackplane({ client: createClient({ url }), queues: bullQueues({ connection: { url } }) });
}
