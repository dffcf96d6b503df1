import type { HeaderReader } from '../../../engine/revision.ts';
import { addressParts, normalAddress } from '../../../shared/ip-address.ts';
import { listOf, rule } from '../../../shared/option-rules.ts';

/** Who connects to a Unix socket, as nginx names them in lists of trusted proxies. */
export const SOCKET_PEER = 'unix:';

/** Says which address a request is from. */
type GiveAddress = (request: {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}) => string | undefined;

/** What an address is read from. */
export interface AddressSource {
  readonly method: string;
  readonly url: URL;
  readonly headers: HeaderReader;
  /** The other end of the connection; undefined where it is unknown. */
  readonly peer: string | undefined;
  headerRecord(): Record<string, string>;
}

/** Finds the addresses of clients, behind proxies as well. */
export class ClientAddresses {
  readonly #networks: readonly Network[];
  readonly #trustsSocket: boolean;
  readonly #given: GiveAddress | undefined;

  constructor(trustedProxies: readonly string[] = [], given?: GiveAddress) {
    this.#networks = trustedProxies.flatMap((text) => networkOfText(text) ?? []);
    this.#trustsSocket = trustedProxies.includes(SOCKET_PEER);
    this.#given = given;
  }

  /**
   * The address of the client: that of the connection, or with trusted proxies the last one in `X-Forwarded-For` that is
   * not theirs. What stands before it was written by the client itself.
   */
  of(request: AddressSource): string | undefined {
    if (this.#given !== undefined) {
      const { method, url } = request;
      const given = this.#given({ method, url: url.href, headers: request.headerRecord() });
      return given === undefined ? undefined : (normalAddress(given) ?? given);
    }
    const { peer, headers } = request;
    const address = peer === undefined ? undefined : normalAddress(peer);
    const isTrustedSocket = peer === SOCKET_PEER && this.#trustsSocket;
    if (this.#networks.length === 0 && !isTrustedSocket) return address;
    const forwarded = headers.get('x-forwarded-for')?.split(',') ?? [];
    return this.#firstUntrusted(isTrustedSocket ? lastOf(forwarded) : address, forwarded);
  }

  #firstUntrusted(last: string | undefined, forwarded: string[]): string | undefined {
    let address = last;
    while (address !== undefined && this.#isTrusted(address)) {
      const before = lastOf(forwarded);
      if (before === undefined) return address;
      address = before;
    }
    return address;
  }

  #isTrusted(address: string): boolean {
    const parts = addressParts(address) ?? [];
    return this.#networks.some((network) => isWithin(parts, network));
  }
}

/** Takes the last one away. */
function lastOf(forwarded: string[]): string | undefined {
  const last = forwarded.pop();
  return last === undefined ? undefined : normalAddress(withoutPort(last.trim()));
}

interface Network {
  readonly parts: readonly number[];
  readonly bits: number;
}

const WIDTHS: Readonly<Record<number, number>> = { 4: 8, 8: 16 };

/** `10.0.0.0/8`, `2001:db8::/32`, or one address. Not with `node:net`, which runtimes of fetch lack. */
function networkOfText(text: string): Network | undefined {
  const [address = '', length, ...rest] = text.split('/');
  const parts = addressParts(address);
  if (parts === undefined || rest.length > 0) return undefined;
  const most = parts.length === 4 ? 32 : 128;
  if (length === undefined) return { parts, bits: most };
  const bits = Number(length);
  return /^\d{1,3}$/.test(length) && bits <= most ? { parts, bits } : undefined;
}

function isWithin(address: readonly number[], { parts, bits }: Network): boolean {
  const width = WIDTHS[parts.length] ?? 0;
  return (
    address.length === parts.length &&
    parts.every((part, index) => {
      const free = Math.min(width, Math.max(0, width * (index + 1) - bits));
      return part >> free === (address[index] ?? 0) >> free;
    })
  );
}

/** Some proxies write the port as well: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function withoutPort(text: string): string {
  const bracketed = /^\[(.*)\](:\d+)?$/.exec(text)?.[1];
  return bracketed ?? text.replace(/^([\d.]+):\d+$/, '$1');
}

export const proxiesRule = listOf(
  rule(
    'an address, a network ("10.0.0.0/8"), or "unix:"',
    (value) => typeof value === 'string' && (value === SOCKET_PEER || networkOfText(value) !== undefined),
  ),
  'a list of addresses and networks: ["10.0.0.0/8", "::1"]',
);
