/** One of several replicas that verify tokens with the keys of an issuer, and ask a list whether they are revoked. */
import { createClient } from '@redis/client';
import { Action, McpApplication, Module, ReadOnly, ToolGroup, type AuthInfo } from 'toolwright';
import { jwt } from 'toolwright/auth';
import { redisBackplane } from 'toolwright/redis';
import { serveAttacked } from '../serve-attacked.ts';

@ToolGroup({ name: 'desk', expose: 'flat' })
class Desk {
  @Action('Reads') @ReadOnly() read(): string {
    return 'it is read';
  }
}

@Module({ controllers: [Desk] })
class DeskModule {}

const { RESOURCE_STORE: url = '', RESOURCE_ISSUER: issuer = '', RESOURCE_LIST: list = '' } = process.env;

/** As an application asks a server of its own, with a time limit of its own. */
async function isRevoked({ extra }: AuthInfo): Promise<boolean> {
  const { jti } = (extra?.['claims'] ?? {}) as { readonly jti?: string };
  const signal = AbortSignal.timeout(500);
  const answer = await fetch(`${list}/${String(jti)}`, { redirect: 'error', signal });
  return ((await answer.json()) as { readonly isRevoked: boolean }).isRevoked;
}

const app = await McpApplication.create(DeskModule, {
  name: 'desk',
  secrets: ['a secret of all replicas, long enough'],
  backplane: redisBackplane({ client: createClient({ url }) }),
  auth: {
    resource: 'https://mcp.example/mcp',
    // Keys that are asked for again and again, so that a short attack sees them expire
    verify: jwt({ issuer, keys: { ttl: 1000, staleTtl: 60_000, cooldown: 500, timeout: 500 } }),
    revocation: { isRevoked },
    revocationTimeout: 400,
  },
  maskErrors: false,
  logger: () => undefined,
});
await serveAttacked(app, { sessions: {} });
