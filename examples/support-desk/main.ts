import { McpApplication, SqliteIdempotencyStore } from 'toolwright';
import { jwt } from 'toolwright/auth';
import { AppModule } from './app.module.ts';
import { settings } from './settings.ts';

const { port, folder, resource, secrets } = settings;
const issuer = settings.issuer ?? (await (await import('./identity/provider.ts')).startProvider(0));

const app = await McpApplication.create(AppModule.forRoot(`${folder}/tickets.db`), {
  name: 'support-desk',
  version: '1.0.0',
  instructions: 'Answer the customers of your company. Pay money back only if the user asks for it.',
  auth: {
    ...(resource && { resource }),
    verify: jwt({ issuer, claims: { tenant: 'tenant', roles: 'roles' } }),
    scopesSupported: ['tickets:read'],
  },
  ...(secrets && { secrets }),
  limits: { rate: { limit: 100, per: 'minute' }, timeout: 30_000 },
  idempotency: { store: new SqliteIdempotencyStore({ url: `file:${folder}/calls.db` }) },
});

const { url } = await app.listen(port);
console.log(`support-desk serves at ${url}`);
console.log(`keeps its tickets in ${folder}, and lets people sign in at ${issuer}`);
