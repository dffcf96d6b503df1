import type { Telemetry } from '../../kernel/call/telemetry.ts';

declare module '../../runtime/runtime-facet.ts' {
  interface OptionGroups {
    readonly accessLog?: boolean | undefined;
    readonly telemetry?: Telemetry | undefined;
  }
}

export {};
