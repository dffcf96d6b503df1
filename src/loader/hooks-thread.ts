import type { MessagePort } from 'node:worker_threads';
import { SourceHooks, type LoaderEvent, type ResolvedModule } from './source-hooks.ts';
import { loadTransform } from './transform.ts';

/** What the hooks get when they start in the thread of Node. */
export interface ThreadData {
  readonly helpers: string;
  /** Left out where nothing is replaced. */
  readonly port: MessagePort | undefined;
}

/** Sent to the thread, which repeats the number once everything that was sent before is known there. */
export interface ThreadRequest {
  readonly id: number;
  readonly versions?: ReadonlyMap<string, number>;
}

export type ThreadAnswer = { readonly kind: 'answer'; readonly id: number } | LoaderEvent;

interface Context {
  readonly parentURL?: string;
}

type Next<Result> = (url: string, context: Context) => Promise<Result>;

let hooks: SourceHooks | undefined;

export async function initialize({ helpers, port }: ThreadData): Promise<void> {
  const report = port && ((event: LoaderEvent) => port.postMessage(event satisfies ThreadAnswer));
  const created = new SourceHooks({ transform: await loadTransform(), helpers, report });
  hooks = created;
  port?.on('message', ({ id, versions }: ThreadRequest) => {
    if (versions !== undefined) created.versions = versions;
    port.postMessage({ kind: 'answer', id } satisfies ThreadAnswer);
  });
  port?.unref();
}

export async function resolve(
  specifier: string,
  context: Context,
  next: Next<ResolvedModule>,
): Promise<ResolvedModule> {
  if (hooks === undefined) return next(specifier, context);
  const { parentURL } = context;
  let module: ResolvedModule;
  try {
    module = await next(specifier, context);
  } catch (error) {
    module = hooks.rescue(error, specifier, parentURL);
  }
  return hooks.resolved(module, parentURL);
}

export async function load(url: string, context: Context, next: Next<unknown>): Promise<unknown> {
  return hooks?.load(url) ?? next(url, context);
}
