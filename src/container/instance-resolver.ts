import type { ToolContext } from '../call/tool-context.ts';
import type { ProviderKey } from '../scanner/providers/scanned-provider.ts';

/** The instances of one call. */
export interface CallScope {
  get(key: ProviderKey): unknown;
  /** Disposes what was created for the call, once, latest first. Rejects with an AggregateError. */
  close(): Promise<void>;
}

/** How compile and the invokers get instances; the container implements it, tests may fake it. */
export interface InstanceResolver {
  /** True when instances differ from call to call, so that {@link open} is needed. */
  isPerCall(key: ProviderKey): boolean;
  /** True when {@link get} is to be asked at each call: it gives a new instance each time, or creates the first one. */
  isAskedPerCall(key: ProviderKey): boolean;
  /** The instance of a provider that is not per call; of a transient, a new one. */
  get(key: ProviderKey): unknown;
  /**
   * Creates what the keys name for one call, dependencies first, async factories awaited.
   * The order of creation is remembered per array: pass the same array for each call of an action.
   */
  open(keys: readonly ProviderKey[], context: ToolContext): Promise<CallScope>;
}
