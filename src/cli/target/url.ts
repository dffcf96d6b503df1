import { CliError } from '../output/cli-error.ts';

/** Whether this names a server at a distance, and not a file. */
export function isUrl(reference: string): boolean {
  return /^https?:/i.test(reference);
}

/** @throws CliError for what only looks like a URL */
export function urlOf(reference: string): URL {
  if (URL.canParse(reference)) return new URL(reference);
  throw new CliError('TW_CLI_TARGET', {
    where: reference,
    what: 'is not a URL that can be read.',
    fix: 'http://127.0.0.1:3000/mcp',
  });
}
