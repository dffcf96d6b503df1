import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { CALLBACK, CLIENT_ID } from './client-id.ts';
import { PEOPLE } from './people.ts';

const SCOPES = ['tickets:read', 'tickets:write', 'refunds:write'];

/**
 * An identity provider for the demonstration: it forgets everything when it ends, and takes any password. Yours is a
 * service that your company has already.
 */
export async function startProvider(port: number): Promise<string> {
  const server = createServer();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const provider = new Provider(url, {
    scopes: ['openid', ...SCOPES],
    clients: [
      {
        client_id: CLIENT_ID,
        redirect_uris: [CALLBACK],
        grant_types: ['authorization_code'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        application_type: 'native',
      },
    ],
    pkce: { required: () => true },
    findAccount: (_ctx, id) => (PEOPLE.has(id) ? { accountId: id, claims: () => ({ sub: id }) } : undefined),
    extraTokenClaims: (_ctx, { accountId }) => PEOPLE.get(accountId),
    features: {
      registration: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_ctx, resource) => ({
          scope: SCOPES.join(' '),
          audience: resource,
          accessTokenFormat: 'jwt',
        }),
      },
    },
  });
  const serve = provider.callback();
  server.on('request', (request, response) => void serve(request, response));
  return url;
}
