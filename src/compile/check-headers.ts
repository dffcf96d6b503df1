import { headerParametersOf } from '../shared/header-parameters.ts';
import type { Report } from './strategies/report.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** Reports header parameters for which a 2026-07-28 client would leave out the whole tool. */
export function checkHeaders({ name, inputSchema }: ToolDefinition, where: string, report: Report): void {
  for (const { path, header, reason } of headerParametersOf(inputSchema).faults) {
    report('TW_COMPILE_HEADER', {
      where,
      what: `sends "${path.join('.')}" of the tool ${name} as the header "${header}", which cannot be.`,
      why: reason,
      fix: 'remove `header` from its @Field, or make it a text, whole number or truth value at the top',
    });
  }
}
