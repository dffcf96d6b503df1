import type { ExportSource, ToolExports } from './bridge/tool-exports.ts';

/** Gives the exports of an application. The formats of providers are loaded with the first of them. */
export function lazyExports(source: ExportSource): () => Promise<ToolExports> {
  let opened: Promise<ToolExports> | undefined;
  const open = async (): Promise<ToolExports> => {
    const { ToolExports } = await import('./bridge/tool-exports.ts');
    return new ToolExports(source);
  };
  return () =>
    (opened ??= open().catch((cause: unknown) => {
      // Whoever asks next tries again.
      opened = undefined;
      throw cause;
    }));
}
