import { ToolwrightError } from '../../errors/toolwright-error.ts';

/** Thrown when a registry has an adapter of that name already. */
export class DuplicateAdapterError extends ToolwrightError<'DUPLICATE_ADAPTER'> {
  constructor(name: string) {
    super('DUPLICATE_ADAPTER', {
      where: `the adapter "${name}"`,
      what: 'is registered already.',
      fix: `unregister("${name}") before, or give yours another name`,
    });
    this.name = 'DuplicateAdapterError';
  }
}

/** Thrown when a registry has no adapter of that name. */
export class AdapterNotFoundError extends ToolwrightError<'ADAPTER_NOT_FOUND'> {
  constructor(name: string, known: readonly string[]) {
    const list = known.length === 0 ? 'nothing is registered' : `registered: ${known.join(', ')}`;
    super('ADAPTER_NOT_FOUND', {
      where: `the adapter "${name}"`,
      what: `is not registered (${list}).`,
      fix: 'use one of the registered names, or register(…) the adapter before',
    });
    this.name = 'AdapterNotFoundError';
  }
}

/** Thrown when a frozen registry should change. */
export class RegistryFrozenError extends ToolwrightError<'REGISTRY_FROZEN'> {
  constructor(name: string) {
    super('REGISTRY_FROZEN', {
      where: `the adapter "${name}"`,
      what: 'came too late: the registry is frozen.',
      why: 'what an application converts must not change while it runs.',
      fix: 'change the registry before freeze(), or make your own with createRegistry()',
    });
    this.name = 'RegistryFrozenError';
  }
}
