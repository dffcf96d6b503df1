import { McpApplication, SqliteIdempotencyStore, type Backplane } from 'toolwright';
import { jwt } from 'toolwright/auth';
import { AppModule } from './app.module.ts';
import { settings } from './settings.ts';

const { folder, redis, resource, secrets } = settings;

/** The desk, ready to serve or to work. */
export async function openDesk(issuer: string): Promise<McpApplication> {
  return McpApplication.create(AppModule.forRoot(`${folder}/tickets.db`), {
    name: 'support-desk',
    version: '1.0.0',
    openWorld: false,
    instructions: 'Answer the customers of your company. Pay money back only if the user asks for it.',
    auth: {
      ...(resource && { resource }),
      verify: jwt({ issuer, claims: { tenant: 'tenant', roles: 'roles' } }),
      scopesSupported: ['tickets:read'],
    },
    ...(secrets && { secrets }),
    ...(redis && { backplane: await backplaneOn(redis) }),
    limits: { rate: { limit: 100, per: 'minute' }, timeout: 30_000 },
    // Also beside a backplane: Redis may forget its last writes, and money is paid once
    idempotency: { store: new SqliteIdempotencyStore({ url: `file:${folder}/calls.db` }) },
  });
}

async function backplaneOn(url: string): Promise<Backplane> {
  const { redisBackplane, bullQueues } = await import('toolwright/redis');
  const { createClient } = await import('@redis/client');
  return redisBackplane({ client: createClient({ url }), queues: bullQueues({ connection: { url } }) });
}
