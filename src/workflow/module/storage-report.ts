import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '../../index.ts';
import type { WorkflowStorage } from '../application/ports/workflow-storage.ts';
import { WORKFLOW_STORAGE } from './tokens.ts';

/** Says at the start which workflows are left out, and why: a server without them would only look empty. */
@Injectable()
export class StorageReport implements OnApplicationBootstrap {
  constructor(
    @Inject(WORKFLOW_STORAGE) private readonly storage: WorkflowStorage,
    @Inject(Logger) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    for (const { code, source, message } of (await this.storage.diagnostics?.()) ?? []) {
      this.logger.log({ level: 'warning', event: 'workflow.left-out', message, code, source });
    }
  }
}
