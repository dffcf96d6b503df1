import type { CallExchange } from '../../call/call-exchange.ts';
import type { CallToolResult } from '../../call/call-tool-result.ts';
import type { InstanceResolver } from '../../container/instance-resolver.ts';
import { createToolService } from '../../runtime/create-tool-service.ts';
import type { ToolRegistry } from '../../runtime/tool-registry.ts';
import type { ToolService } from '../../runtime/tool-service.ts';
import type { ScannedApplication } from '../../scanner/scanned-application.ts';
import type { ApplicationSettings } from '../application-settings.ts';
import { exposeTools } from './expose-tools.ts';
import type { ExportSource } from './tool-exports.ts';

/** Calls a tool of the service from inside the process. */
type CallServed = (tool: string, args: unknown, served: ToolService) => Promise<CallToolResult>;

/** What exports of an application are made of. */
export function createExportSource(
  registry: ToolRegistry,
  scanned: ScannedApplication,
  resolver: InstanceResolver,
  settings: ApplicationSettings,
  call: CallServed,
): ExportSource {
  const { contextFactory, maskErrors, logger, argumentNodes } = settings;
  return Object.freeze({
    registry,
    expose: (expose) => exposeTools(scanned, expose, resolver, settings),
    callThrough: (from) => {
      const contextOf = (exchange: CallExchange): unknown => contextFactory(undefined, exchange);
      const service = createToolService(from, undefined, contextOf, { maskErrors, logger, argumentNodes });
      return (tool, args) => call(tool, args, service);
    },
  } satisfies ExportSource);
}
