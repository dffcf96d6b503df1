import type { ChangeNotice } from '../call/notifier.ts';
import { subjectKey, subjectOf } from '../call/subject.ts';
import type { Call } from '../kernel/call/call.ts';
import type { RemoteList } from '../runtime/runtime-facet.ts';
import type { MaybePromise } from '../shared/maybe-promise.ts';
import { unref, within } from '../shared/platform.ts';
import { NO_CATALOGUE, type ProxiedCatalogue } from './catalogue.ts';

interface Kept {
  readonly catalogue: ProxiedCatalogue;
  /** A time of `performance.now()`. */
  readonly until: number;
}

/** Reads the lists of a server. */
export interface ListSource {
  /** Whether callers may see different lists. */
  readonly isPerCaller: boolean;
  /** Milliseconds until the server is asked again. */
  wait(): number;
  /** @param call undefined where nobody waits for the lists @param hops how many servers have passed the request on */
  read(call: Call | undefined, hops: number): Promise<{ catalogue: ProxiedCatalogue; ttl: number }>;
  /** It could not be read. @returns whether that is new */
  failed(error: unknown): void;
  /** It could be read. @returns whether it could not before */
  worked(): boolean;
  notify(change: ChangeNotice): void;
}

/** Milliseconds that a list of ours waits for that of another server. */
const PATIENCE = 10_000;
const MIN_WAIT = 500;
/** Lists of different callers, and of requests that have passed other servers. */
const MAX_KEPT = 100;
/** The lists that no caller decides. */
const COMMON = '0';

const KINDS = [
  ['tools', ['tools/list']],
  ['prompts', ['prompts/list']],
  ['resources', ['resources/list', 'resources/templates/list']],
] as const satisfies readonly (readonly ['tools' | 'prompts' | 'resources', readonly RemoteList[]])[];

/** The lists of one server: as they are, or as they were when it was there last. */
export class KeptLists {
  readonly #source: ListSource;
  readonly #kept = new Map<string, Kept>();
  readonly #reading = new Map<string, Promise<void>>();
  #retrying: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(source: ListSource) {
    this.#source = source;
  }

  /** What a caller is listed; undefined where nothing was ever listed. */
  get(call: Call, hops: number): MaybePromise<ProxiedCatalogue | undefined> {
    const key = this.#key(call, hops);
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.until > performance.now()) return kept.catalogue;
    if (this.#source.wait() > 0) return kept?.catalogue;
    return within(this.#read(key, call, hops), PATIENCE)
      .catch(() => undefined)
      .then(() => this.#kept.get(key)?.catalogue);
  }

  /** What a caller can call: what was listed last is enough. */
  known(call: Call, hops: number): MaybePromise<ProxiedCatalogue | undefined> {
    return this.#kept.get(this.#key(call, hops))?.catalogue ?? this.get(call, hops);
  }

  /** What was listed last for callers in general. */
  get last(): ProxiedCatalogue | undefined {
    return this.#kept.get(COMMON)?.catalogue;
  }

  /** The server says that its lists have changed. */
  changed(kinds: readonly ('tools' | 'prompts' | 'resources')[]): void {
    if (this.#source.isPerCaller || !this.#kept.has(COMMON)) {
      this.#kept.clear();
      for (const kind of kinds) this.#source.notify({ kind });
    } else {
      for (const key of [...this.#kept.keys()]) if (key !== COMMON) this.#kept.delete(key);
      // What is read already may be from before the change
      void (this.#reading.get(COMMON) ?? Promise.resolve()).then(() => this.#read(COMMON, undefined, 0));
    }
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#retrying);
  }

  #key({ authInfo }: Call, hops: number): string {
    const caller = this.#source.isPerCaller && authInfo ? ` ${subjectKey(subjectOf(authInfo))}` : '';
    return `${String(hops)}${caller}`;
  }

  /** It never rejects. */
  #read(key: string, call: Call | undefined, hops: number): Promise<void> {
    const known = this.#reading.get(key);
    if (known !== undefined) return known;
    const reading = this.#source
      .read(call, hops)
      .then(
        ({ catalogue, ttl }) => this.#keep(key, catalogue, ttl),
        (error: unknown) => this.#failed(error),
      )
      .finally(() => this.#reading.delete(key));
    this.#reading.set(key, reading);
    return reading;
  }

  #keep(key: string, catalogue: ProxiedCatalogue, ttl: number): void {
    const before = this.#kept.get(key)?.catalogue;
    this.#kept.delete(key);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, { catalogue, until: performance.now() + ttl });
    const isBack = this.#source.worked();
    const compared = before ?? (isBack ? NO_CATALOGUE : undefined);
    if (key === COMMON && compared !== undefined) this.#announce(compared, catalogue);
  }

  #announce(before: ProxiedCatalogue, after: ProxiedCatalogue): void {
    for (const [kind, methods] of KINDS)
      if (methods.some((method) => isOther(before.lists[method], after.lists[method])))
        this.#source.notify({ kind });
  }

  #failed(error: unknown): void {
    this.#source.failed(error);
    if (this.#source.isPerCaller || this.#isClosed) return;
    clearTimeout(this.#retrying);
    // Nobody may list again, and clients want to know when it is back
    this.#retrying = setTimeout(
      () => void this.#read(COMMON, undefined, 0),
      Math.max(this.#source.wait(), MIN_WAIT),
    );
    unref(this.#retrying);
  }
}

function isOther(before: readonly object[], after: readonly object[]): boolean {
  return before.length !== after.length || JSON.stringify(before) !== JSON.stringify(after);
}
