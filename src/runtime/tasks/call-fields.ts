import type { TaskPort } from './task-port.ts';

declare module '../../kernel/call/service-request.ts' {
  interface ServedClient {
    /** How its calls become tasks; undefined where they do not. */
    readonly tasks: TaskPort | undefined;
  }
}
