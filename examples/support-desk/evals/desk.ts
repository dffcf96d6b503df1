/** The desk as Lee, a lead, works at it: cases need no provider to sign in with, and leave no file. */
import { McpApplication } from 'toolwright';
import { AppModule } from '../app.module.ts';

const lee = {
  token: 'none',
  clientId: 'evals',
  scopes: ['tickets:read', 'tickets:write', 'refunds:write'],
  extra: { sub: 'lee', tenant: 'acme', roles: ['lead'] },
};

const app = await McpApplication.create(AppModule.forRoot(':memory:'), {
  name: 'support-desk',
  version: '1.0.0',
  openWorld: false,
  instructions: 'Answer the customers of your company. Pay money back only if the user asks for it.',
  auth: { local: () => lee, verify: { verify: () => undefined } },
});
await app.stdio();
