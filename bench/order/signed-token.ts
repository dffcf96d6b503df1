import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export const ISSUER = 'https://id.bench.example';
export const AUDIENCE = 'https://orders.bench.example/mcp';

/** A token with the scopes of an order, and the keys of its issuer as JSON. */
export async function signToken(): Promise<{ readonly token: string; readonly keys: string }> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const key = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'ES256', use: 'sig' };
  const claims = { client_id: 'bench', scope: 'orders:read orders:price' };
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: 'bench', typ: 'at+jwt' })
    .setIssuer(ISSUER)
    .setAudience(AUDIENCE)
    .setSubject('ada')
    .setJti('one')
    .setIssuedAt()
    .setExpirationTime('1h')
    .sign(privateKey);
  return { token, keys: JSON.stringify({ keys: [key] }) };
}
