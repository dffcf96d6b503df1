import { Inject, Injectable, type OnApplicationShutdown } from '../../index.ts';
import type { RunStore } from '../application/ports/run-store.ts';
import { RUN_STORE, WORKFLOW_OPTIONS } from './tokens.ts';
import type { WorkflowModuleOptions } from './workflow-module-options.ts';

/** Closes the store when the application ends, unless it was given ready-made: then it is its maker's to close. */
@Injectable()
export class RunStoreLifecycle implements OnApplicationShutdown {
  readonly #isOwn: boolean;

  constructor(
    @Inject(RUN_STORE) private readonly store: RunStore,
    @Inject(WORKFLOW_OPTIONS) { store: given }: WorkflowModuleOptions,
  ) {
    this.#isOwn = typeof given !== 'object';
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.#isOwn) await this.store.close();
  }
}
