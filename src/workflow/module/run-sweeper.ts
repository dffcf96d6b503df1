import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '../../index.ts';
import { RunService } from '../application/runs/run-service.ts';
import { WORKFLOW_OPTIONS } from './tokens.ts';
import type { WorkflowModuleOptions } from './workflow-module-options.ts';

const INTERVAL = 60_000;

/** Ends runs that nobody went on with in time, from time to time. */
@Injectable()
export class RunSweeper implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #interval: number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(
    @Inject(RunService) private readonly runs: RunService,
    @Inject(WORKFLOW_OPTIONS) { sweepInterval = INTERVAL }: WorkflowModuleOptions,
  ) {
    this.#interval = sweepInterval;
  }

  onApplicationBootstrap(): void {
    if (this.#interval === 0) return;
    this.#timer = setInterval(() => {
      // A look that takes longer than the interval is not joined by a second one.
      this.#running ??= this.#sweep().finally(() => (this.#running = undefined));
    }, this.#interval);
    // It keeps no process alive that has nothing else to do.
    this.#timer.unref();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #sweep(): Promise<void> {
    try {
      await this.runs.expireRuns();
    } catch {
      // The service has told the logger, and the next look tries again
    }
  }
}
