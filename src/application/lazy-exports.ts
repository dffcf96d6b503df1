import { OnceMade } from '../shared/once-made.ts';
import type { ExportSource, ToolExports } from './bridge/tool-exports.ts';

/** Gives the exports of an application. The formats of providers are loaded with the first of them. */
export function lazyExports(source: ExportSource): () => Promise<ToolExports> {
  const opened = new OnceMade(async () => {
    const { ToolExports } = await import('./bridge/tool-exports.ts');
    return new ToolExports(source);
  });
  return () => opened.get();
}
