import type { CompiledApplication } from '../compile/compile-application.ts';
import type { ToolSet } from '../compile/tools/compile-tool-set.ts';
import type { CompiledTool } from '../compile/tools/compiled-tool.ts';
import type { ErrorCode } from '../errors/catalogue.ts';
import type { Problem } from '../errors/problem-list.ts';
import type { ScannedApplication } from '../scanner/scan-application.ts';
import { refusedByClients, type ClientFinding } from '../schema/client-rules.ts';
import type { ApplicationSettings } from './application-settings.ts';
import type { HttpListenOptions } from './listen-options.ts';

/** How an application is served over HTTP, as far as advice depends on it. */
export type ListeningOptions = Pick<
  HttpListenOptions,
  'host' | 'allowedHosts' | 'authenticate' | 'requestRates'
>;

/** What known clients refuse or cut of one tool. */
interface RefusedTool {
  readonly where: string;
  readonly findings: readonly ClientFinding[];
}

/** What rules look at. */
export interface AdvisedApplication {
  readonly name: string;
  readonly scanned: ScannedApplication;
  readonly compiled: CompiledApplication;
  /** All that are listed, registered ones included. */
  readonly tools: readonly CompiledTool[];
  readonly refused: readonly RefusedTool[];
  readonly settings: ApplicationSettings;
  /** Undefined where it is not known. */
  readonly listening: ListeningOptions | undefined;
}

/** One thing that works and could be better, the same for all places where it is found. */
export interface AdviceRule<Looked = AdvisedApplication> {
  readonly code: ErrorCode;
  readonly why?: string;
  readonly fix: string;
  readonly find: (application: Looked) => readonly AdvisedPlace[];
}

/** @property what the rest of a sentence that begins with the place */
export type AdvisedPlace = Pick<Problem, 'where' | 'what'>;

/** All that rules find, in their order. */
export function advise<Looked>(
  rules: readonly AdviceRule<Looked>[],
  application: Looked,
): readonly Problem[] {
  return rules.flatMap(({ code, why, fix, find }) =>
    find(application).map(({ where, what }) => ({
      code,
      where,
      what,
      ...(why === undefined ? {} : { why }),
      fix,
    })),
  );
}

/** What clients refuse of the listed tools, in the form that rules read. */
export function refusedTools(tools: readonly CompiledTool[]): readonly RefusedTool[] {
  return tools.map(({ definition }) => ({
    where: `tool "${definition.name}"`,
    findings: refusedByClients(definition),
  }));
}

export function listedTools(sets: readonly ToolSet[]): readonly CompiledTool[] {
  return sets.flatMap(({ tools }) => tools);
}
