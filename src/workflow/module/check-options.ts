import { WorkflowError } from '../domain/errors/workflow-error.ts';
import type { WorkflowModuleOptions } from './workflow-module-options.ts';

const OPTIONS: Readonly<Record<keyof WorkflowModuleOptions, true>> = {
  sources: true,
  store: true,
  signingKeys: true,
  tools: true,
  limits: true,
  cacheTtl: true,
  sweepInterval: true,
  identify: true,
  clock: true,
  tracer: true,
};
const TOOLS: readonly unknown[] = ['classic', 'durable', 'both', undefined];
/** Milliseconds that a timer of Node can wait. */
const MOST_INTERVAL = 2 ** 31 - 1;

/** Refuses options that nobody could mean. @throws WorkflowError `TW_WORKFLOW_OPTION` */
export function checkModuleOptions(options: WorkflowModuleOptions): void {
  for (const name of Object.keys(options)) {
    if (!Object.hasOwn(OPTIONS, name)) {
      throw wrong(name, 'is unknown', `use one of ${Object.keys(OPTIONS).join(', ')}`);
    }
  }
  const { tools, cacheTtl, sweepInterval, limits = {} } = options;
  if (!TOOLS.includes(tools))
    throw wrong('tools', 'is none of the choices', "'classic', 'durable' or 'both'");
  checkNumber('cacheTtl', cacheTtl, Number.MAX_SAFE_INTEGER);
  checkNumber('sweepInterval', sweepInterval, MOST_INTERVAL);
  for (const [name, value] of Object.entries(limits)) {
    checkNumber(`limits.${name}`, value, Number.MAX_SAFE_INTEGER);
  }
}

function checkNumber(name: string, value: number | undefined, most: number): void {
  if (value === undefined || (Number.isSafeInteger(value) && value >= 0 && value <= most)) return;
  throw wrong(name, `is ${String(value)}`, `a whole number from 0 to ${String(most)}`);
}

function wrong(name: string, what: string, fix: string): WorkflowError {
  return new WorkflowError('TW_WORKFLOW_OPTION', {
    where: `WorkflowModule.forRoot, option ${name}`,
    message: `The option ${name} ${what}.`,
    suggestions: [fix],
  });
}
