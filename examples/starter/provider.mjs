// An identity provider for this computer: people are who they say they are, and every password is right.
import { Provider } from 'oidc-provider';

const { PORT = '4000', RESOURCE = 'http://127.0.0.1:3000/mcp' } = process.env;
const issuer = `http://127.0.0.1:${PORT}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'starter',
      client_secret: 'for this computer only',
      grant_types: ['authorization_code', 'refresh_token'],
      redirect_uris: [new URL('/sign-in/callback', RESOURCE).href],
    },
  ],
  claims: { openid: ['sub'], profile: ['name'], email: ['email', 'email_verified'] },
  conformIdTokenClaims: false,
  findAccount: (_context, name) => ({
    accountId: name,
    claims: () => ({ sub: name, name, email: `${name}@example.com`, email_verified: true }),
  }),
});

provider.listen(Number(PORT), '127.0.0.1', () => console.log(`People sign in at ${issuer}`));
