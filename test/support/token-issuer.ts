import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** An issuer of tokens on this machine, which does what a test says. */
export class TokenIssuer {
  /** The paths that were asked for. */
  readonly asked: string[] = [];
  /** Answers in place of the issuer. */
  answer: Answer | undefined;
  keys: SigningKey[] = [];
  readonly #server: Server;
  readonly url: string;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.url = `http://127.0.0.1:${String(port)}`;
    server.on('request', (request, response) => {
      this.asked.push(request.url ?? '');
      (this.answer ?? ((_request, sent) => this.#answer(request, sent)))(request, response);
    });
  }

  static async start(): Promise<TokenIssuer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const issuer = new TokenIssuer(server, (server.address() as AddressInfo).port);
    await issuer.addKey('first');
    return issuer;
  }

  get keySets(): number {
    return this.asked.filter((path) => path === '/keys').length;
  }

  async addKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    const key = { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
    this.keys.push(key);
    return key;
  }

  /** A token that is right, but for what the test says; undefined leaves a claim out. */
  async sign(
    claims: Readonly<Record<string, unknown>> = {},
    header: Readonly<Record<string, unknown>> = {},
    key = this.keys[0] as SigningKey,
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const all = {
      iss: this.url,
      sub: 'ann',
      aud: 'https://mcp.example/mcp',
      client_id: 'editor',
      scope: 'tasks:read',
      exp: now + 300,
      iat: now,
      jti: Math.random().toString(36),
      ...claims,
    };
    const given = JSON.parse(JSON.stringify(all)) as Record<string, unknown>;
    return new SignJWT(given)
      .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
      .sign(key.privateKey, { crit: { 'x-unknown': false } });
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer({ url }: IncomingMessage, response: ServerResponse): void {
    const documents: Readonly<Record<string, unknown>> = {
      '/keys': { keys: this.keys.map(({ jwk }) => jwk) },
      '/.well-known/oauth-authorization-server': { issuer: this.url, jwks_uri: `${this.url}/keys` },
    };
    const found = documents[url ?? ''];
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(found ?? {}));
  }
}
