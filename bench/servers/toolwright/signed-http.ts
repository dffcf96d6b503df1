import { McpApplication } from 'toolwright';
import { jwt } from 'toolwright/auth';
import { manyTools } from './many-tools.ts';
import { LimitedOrderModule, OrderModule } from './order.module.ts';
import { AUDIENCE, ISSUER } from '../../order/signed-token.ts';

const [what = '', keys = '', ...flags] = process.argv.slice(2);
const MODULES = {
  order: () => OrderModule,
  limited: () => LimitedOrderModule,
  listed: () => manyTools(50),
  pruned: () => manyTools(50, 50),
};
const app = await McpApplication.create(MODULES[what as keyof typeof MODULES](), {
  name: 'orders',
  version: '1.0.0',
  auth: {
    resource: AUDIENCE,
    default: flags.includes('--public') ? 'public' : 'authenticated',
    verify: jwt({
      issuer: ISSUER,
      jwksUri: `${ISSUER}/keys`,
      fetch: () => Promise.resolve(new Response(keys)),
    }),
  },
});
const { url } = await app.listen({ port: 0, sessions: false });
process.send?.({ url });
