import { PassThrough } from 'node:stream';
import type { WorkflowStorage } from '../../../src/workflow/application/ports/workflow-storage.ts';
import { WorkflowService } from '../../../src/workflow/application/workflow-service.ts';
import { WorkflowRpcServer } from '../../../src/workflow/rpc/workflow-rpc-server.ts';
import { InMemoryWorkflowStorage } from '../../../src/workflow/storage/in-memory-workflow-storage.ts';
import { MemoryLogger } from '../../support/memory-logger.ts';
import { releaseWorkflow } from '../application/release-workflow.ts';
import { invalidDocumentOf } from '../storage/documents.ts';

export interface RpcAnswer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data: unknown };
}

/** A server in this process, with streams that the test holds the other ends of. */
export class RpcClient {
  readonly input = new PassThrough();
  readonly output = new PassThrough();
  readonly logger = new MemoryLogger();
  readonly ended: Promise<void>;
  #text = '';

  constructor(storage: WorkflowStorage = storageOfTests()) {
    this.output.on('data', (chunk: Buffer) => (this.#text += chunk.toString('utf8')));
    const { input, output, logger } = this;
    const service = new WorkflowService({ storage, logger });
    this.ended = new WorkflowRpcServer(service, { input, output, logger }).start();
  }

  /** Everything that was answered to these pieces of input, after which it ended. */
  async answersTo(...pieces: readonly (string | Uint8Array)[]): Promise<readonly unknown[]> {
    for (const piece of pieces) this.input.write(piece);
    this.input.end();
    await this.ended;
    return this.answers();
  }

  answers(): readonly unknown[] {
    return this.#text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as unknown);
  }
}

export function storageOfTests(): InMemoryWorkflowStorage {
  return new InMemoryWorkflowStorage([releaseWorkflow, invalidDocumentOf('empty')]);
}

/** The answer to one request, with the id 1. */
export async function ask(method: string, params?: unknown, storage?: WorkflowStorage): Promise<RpcAnswer> {
  const request = { jsonrpc: '2.0', id: 1, method, params };
  const [answer] = await new RpcClient(storage).answersTo(`${JSON.stringify(request)}\n`);
  return answer as RpcAnswer;
}

export function requestText(id: unknown, method = 'workflow_list'): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method });
}
