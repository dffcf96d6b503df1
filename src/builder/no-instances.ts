import type { InstanceResolver } from '../container/instance-resolver.ts';

/** The resolver of tools that consist of functions alone: nothing ever asks it for an instance. */
export const noInstances: InstanceResolver = Object.freeze({
  isPerCall: () => false,
  isTransient: () => false,
  get: () => undefined,
  open: () => Promise.reject(new Error('A builder has no container')),
});
