import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { DESK_ID, DESK_SECRET } from './client-id.ts';
import { PEOPLE } from './people.ts';

/**
 * An identity provider for the demonstration: it forgets everything when it ends, and takes any password. Yours is a
 * service that your company has already.
 */
export async function startProvider(port: number): Promise<string> {
  const server = createServer();
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const provider = new Provider(url, {
    scopes: ['openid', 'profile', 'email', 'offline_access'],
    claims: { openid: ['sub', 'tenant', 'roles'] },
    // What is asked for is in the ID token
    conformIdTokenClaims: false,
    clients: [
      {
        client_id: DESK_ID,
        client_secret: DESK_SECRET,
        // A desk on this computer, at whichever port
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/sign-in/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
    ],
    pkce: { required: () => true },
    issueRefreshToken: () => true,
    findAccount: (_ctx, id) => {
      const person = PEOPLE.get(id);
      return person && { accountId: id, claims: () => ({ sub: id, ...person }) };
    },
  });
  const serve = provider.callback();
  server.on('request', (request, response) => void serve(request, response));
  return url;
}
