import type { CallExchange } from '../../call/call-exchange.ts';
import type { InstanceResolver } from '../../container/instance-resolver.ts';
import { createToolService } from '../../runtime/create-tool-service.ts';
import type { ToolService } from '../../runtime/mcp-service.ts';
import type { ToolRegistry } from '../../runtime/tool-registry.ts';
import type { ScannedApplication } from '../../scanner/scanned-application.ts';
import type { ApplicationSettings } from '../application-settings.ts';
import { exposeTools } from './expose-tools.ts';
import type { CallTool } from './tool-bridge.ts';
import type { ExportSource } from './tool-exports.ts';

/** Gives what calls tools from inside the process, as `app.call` does. */
type CallThrough = (tools: ToolService) => CallTool;

/** What exports of an application are made of. */
export function createExportSource(
  registry: ToolRegistry,
  scanned: ScannedApplication,
  resolver: InstanceResolver,
  settings: ApplicationSettings,
  callThrough: CallThrough,
): ExportSource {
  const { contextFactory, maskErrors, logger, argumentNodes } = settings;
  return Object.freeze({
    registry,
    expose: (expose) => exposeTools(scanned, expose, resolver, settings),
    callThrough: (from) => {
      const contextOf = (exchange: CallExchange): unknown => contextFactory(undefined, exchange);
      return callThrough(
        createToolService(from, undefined, contextOf, { maskErrors, logger, argumentNodes }),
      );
    },
  } satisfies ExportSource);
}
