import { deepFreeze } from '../shared/deep-freeze.ts';
import type { ClientFacts } from './facts.ts';

/** What we choose for a client because of its facts. */
export interface ClientChoices {
  readonly surface: 'own' | 'grouped' | 'grouped-by-risk' | 'flat' | 'progressive';
  readonly describe: 'own' | 'plain' | 'toon' | 'signatures';
  /** The most characters of the description of a tool with signatures, where they are fewer than usual. */
  readonly describeChars?: number;
  /** Whether signatures have all defaults, because the client drops them from schemas. */
  readonly defaults?: 'inline';
  readonly result: 'both' | 'structured' | 'text';
  /** Left out where tools keep the `outputSchema` that they declare. */
  readonly outputSchema?: false;
  /** How large a result may be. */
  readonly budget: { readonly tokens?: number; readonly chars?: number };
  /** An application of so many actions at most is listed flat. */
  readonly flatUpTo?: number;
  /** A group with a larger schema is listed flat. */
  readonly flatOverBytes?: number;
}

/** A client, as others have seen it; or a directory that reviews servers. */
export interface KnownClient {
  readonly title: string;
  readonly kind?: 'directory';
  /** What it says of itself as `clientInfo.name`; a final `*` stands for anything. */
  readonly match?: readonly string[];
  /** How its `User-Agent` begins. */
  readonly userAgent?: readonly string[];
  readonly facts: ClientFacts;
  /** Left out where nothing was chosen: then those of `generic`. */
  readonly choices?: Partial<ClientChoices>;
}

/** All clients that are known, by their ids. */
export interface KnownClients {
  /** The month in which the facts were gathered. */
  readonly edition: string;
  readonly clients: Readonly<Record<string, KnownClient>>;
}

/** The client that stands for all that are not known. */
export const GENERIC = 'generic';

let loading: Promise<KnownClients> | undefined;

/** The facts of `clients.json`, frozen. They are read when they are first asked for. */
export function loadClients(): Promise<KnownClients> {
  loading ??= import('./clients.json', { with: { type: 'json' } }).then((module) =>
    deepFreeze(module.default as unknown as KnownClients),
  );
  return loading;
}
