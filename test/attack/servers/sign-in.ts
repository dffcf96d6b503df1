/** One of several replicas that people sign in to, on a Redis or a PostgreSQL. */
import { createClient } from '@redis/client';
import { Pool } from 'pg';
import { McpApplication } from 'toolwright';
import { postgresBackplane } from 'toolwright/postgres';
import { redisBackplane } from 'toolwright/redis';
import { oidc } from 'toolwright/sign-in';
import { DeskModule, SECRET } from '../../support/sign-in/desk.ts';
import { CLIENT_ID, CLIENT_SECRET } from '../../support/sign-in/upstream.ts';
import { serveAttacked } from '../serve-attacked.ts';

const { SIGN_IN_STORE: url = '', SIGN_IN_UPSTREAM: issuer = '', SIGN_IN_ORIGIN: origin = '' } = process.env;
const MANY = 1_000_000;
const app = await McpApplication.create(DeskModule, {
  name: 'desk',
  secrets: [SECRET],
  ...(url !== '' && {
    backplane: url.startsWith('redis:')
      ? redisBackplane({ client: createClient({ url }) })
      : postgresBackplane({ pool: new Pool({ connectionString: url }), migrate: 'auto' }),
  }),
  auth: {
    resource: `${origin}/mcp`,
    signIn: {
      provider: oidc({ issuer, clientId: CLIENT_ID, clientSecret: CLIENT_SECRET }),
      limits: { register: MANY, authorize: MANY, token: MANY },
    },
  },
});
await serveAttacked(app);
